/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: a ring of page-locked chunks, through which goes up what is not
 * page-locked. The driver does that too, with one thread: 6.9 GB/s of memory
 * that no cache holds and 13.3 of memory that one does, where this does 20 and
 * 33 (H200, 1080p NV12). Chunks are filled by the calling thread and the crew
 * while those before are being copied. A source is read before the call
 * returns: nobody has to hold it.
 *
 * One thread at a time, that of one element, which uses one stream at a
 * time. */

#include <gst/zc/gstzcspan.h>

G_BEGIN_DECLS

typedef struct _ZcStaging ZcStaging;

/* For pictures of @picture_bytes; two of them can be under way, or what
 * @max_bytes of page-locked memory hold. NULL if that is nothing, without an
 * error, or if the driver refuses. */
ZcStaging *zc_staging_new (ZcContext *context, gsize picture_bytes,
    gsize max_bytes, GError **error);
/* Waits on the host for the copies under way. */
void zc_staging_free (ZcStaging *self);

/* Bytes that are page-locked. */
gsize zc_staging_get_size (const ZcStaging *self);

/* Queues the copies of as many of @span's rows as there are free chunks for, on
 * @stream, whose context is current, and takes those rows off @span. Rows are
 * left if the GPU is behind, and if one is longer than a chunk: the caller has
 * the driver copy them, which waits if it has to. FALSE if the driver failed;
 * then what became of the rows that are off is not known. */
gboolean zc_staging_upload (ZcStaging *self, ZcSpan *span,
    const ZcStreamKey *stream, GError **error);

G_END_DECLS
