/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Not installed: what zcupload and zcdownload need of the base class beside what is
 * public, since one side of them is host memory or another device. */

#include <gst/zc/gstzccopy.h>
#include <gst/zc/gstzcfilter.h>

G_BEGIN_DECLS

/* The stream to read @buffer on, of whatever device: the element's, or one that
 * it has there. (transfer none) */
GST_ZC_API
GstZcStream *gst_zc_filter_get_stream_at (GstZcFilter *self, GstBuffer *buffer,
    GError **error);
/* Queues the copy of @buffer, of another device, to @frame, mapped for
 * WRITE. */
GST_ZC_API
gboolean gst_zc_filter_copy_peer (GstZcFilter *self, GstZcFrame *frame,
    GstBuffer *buffer, GError **error);

/* gst_zc_frame_upload() for @frame and a picture of the caps, by the fastest
 * way for its memory. */
GST_ZC_API
gboolean gst_zc_filter_upload (GstZcFilter *self, GstZcFrame *frame,
    GstBuffer *host, GError **error);
/* gst_zc_frame_download_start() in the same way. */
GST_ZC_API
GstZcCopy *gst_zc_filter_download_start (GstZcFilter *self, GstZcFrame *frame,
    GstBuffer *host, GError **error);
#define GST_ZC_FILTER_MAX_PINNED_BYTES (G_GUINT64_CONSTANT (256) << 20)
/* Bytes of memory of others that may be page-locked for that, at most, and a
 * quarter of it beside; good from the next start on. */
GST_ZC_API
void gst_zc_filter_set_max_pinned_bytes (GstZcFilter *self, guint64 bytes);
GST_ZC_API
guint64 gst_zc_filter_get_max_pinned_bytes (GstZcFilter *self);

G_END_DECLS
