/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private for now: a download in two halves, so that the next one can be queued
 * before this one is waited for. */

#include <gst/zc/gstzctransfer.h>

G_BEGIN_DECLS

typedef struct _GstZcCopy GstZcCopy;

/* As gst_zc_frame_download(), but returns when queued: @dst stays mapped and
 * referenced, and nobody may look at it, until gst_zc_copy_finish(). @src may be
 * unmapped. */
GST_ZC_API
GstZcCopy *gst_zc_frame_download_start (GstZcFrame *src, GstBuffer *dst,
    const GstVideoInfo *info, GError **error);

/* Blocks until the copy has run, and frees @copy in any case. */
GST_ZC_API
gboolean gst_zc_copy_finish (GstZcCopy *copy, GError **error);

G_END_DECLS
