/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>
#include <gst/zc/gstzcdefs.h>
#include <gst/zc/gstzcframe.h>

G_BEGIN_DECLS

/**
 * gst_zc_frame_upload:
 * @dst: a frame mapped for WRITE
 * @src: (transfer none): a buffer in host memory
 * @info: format and size of @src, the same as of @dst
 * @error: return location for an error
 *
 * Copies a picture from host to device memory on the stream of @dst. @src is
 * read for its GstVideoMeta; its memories stay mapped and referenced until the
 * copy has run, then they are let go by a thread of the library: at once, not
 * when the next frame comes. Where many wait on that stream, this call lets go
 * of those whose copy has run, too: hold no lock that is taken by what is called
 * when they are freed. Pinned memory (gst_zc_pinned_pool_new()) makes the copy
 * asynchronous; for other memory the driver takes the bytes before or while this
 * returns.
 *
 * Returns: %TRUE when queued, or %FALSE with %GST_ZC_ERROR_LAYOUT if the sizes
 *   do not fit, %GST_ZC_ERROR_STATE if @dst is not mapped for WRITE or @src is
 *   being written by somebody, %GST_ZC_ERROR_DRIVER or
 *   %GST_ZC_ERROR_CONTEXT_LOST
 */
GST_ZC_API
gboolean gst_zc_frame_upload (GstZcFrame *dst, GstBuffer *src,
    const GstVideoInfo *info, GError **error);

/**
 * gst_zc_frame_download:
 * @src: a frame mapped for READ
 * @dst: (transfer none): a writable buffer in host memory
 * @info: format and size of @dst, the same as of @src
 * @error: return location for an error
 *
 * Copies a picture from device to host memory on the stream of @src and blocks
 * until exactly that copy has run: afterwards the CPU may read @dst.
 *
 * Returns: %TRUE, or %FALSE with %GST_ZC_ERROR_LAYOUT,
 *   %GST_ZC_ERROR_NOT_WRITABLE, %GST_ZC_ERROR_STATE if @src is not mapped for
 *   READ, %GST_ZC_ERROR_DRIVER or %GST_ZC_ERROR_CONTEXT_LOST
 */
GST_ZC_API
gboolean gst_zc_frame_download (GstZcFrame *src, GstBuffer *dst,
    const GstVideoInfo *info, GError **error);

G_END_DECLS
