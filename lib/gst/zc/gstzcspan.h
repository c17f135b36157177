/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: rows that one copy between host and device does for. */

#include <gst/zc/gstzcframe.h>
#include <gst/zc/gstzchost-private.h>
#include <gst/zc/gstzcstream-private.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 device;               /* address of the first row */
  gsize device_stride;          /* bytes */
  guint8 *host;
  gsize host_stride;            /* bytes */
  gsize row_bytes;
  gsize rows;
  guint map;                    /* which of the host picture's maps */
} ZcSpan;

/* The fewest spans for all planes of @frame and @host: planes that follow each
 * other alike on both sides are one. Returns how many. */
guint zc_spans_find (ZcSpan spans[GST_ZC_MAX_PLANES], const GstZcFrame *frame,
    const ZcHostPicture *host);

/* Queues the copy of @span on @stream, whose context is current. */
gboolean zc_span_copy (const ZcSpan *span, gboolean upload,
    const ZcStreamKey *stream, GError **error);

/* @span without its first @rows. */
void zc_span_skip (ZcSpan *span, gsize rows);

G_END_DECLS
