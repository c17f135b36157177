/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>
#include <gst/zc/gstzcdefs.h>
#include <gst/zc/gstzcimage.h>
#include <gst/zc/gstzcstream.h>

G_BEGIN_DECLS

/**
 * GstZcFrame:
 * @image: the pixels, good between map and unmap for work on @stream
 * @buffer: the mapped buffer
 * @stream: the stream that was made to wait
 * @flags: how it was mapped
 *
 * What GstVideoFrame is to the CPU, for GPU streams: mapping acquires, unmapping
 * releases. In between, work queued on @stream may touch the pixels:
 *
 * |[<!-- language="C" -->
 * GstZcFrame in, out;
 *
 * if (!gst_zc_frame_map (&in, inbuf, &in_info, GST_MAP_READ, stream, &error))
 *   return FALSE;
 * if (gst_zc_frame_map (&out, outbuf, &out_info, GST_MAP_WRITE, stream,
 *         &error)) {
 *   ok = gst_zc_frame_flip (&out, &in, GST_VIDEO_ORIENTATION_90R, &error);
 *   ok &= gst_zc_frame_unmap (&out, ok ? &error : NULL);
 * }
 * ok &= gst_zc_frame_unmap (&in, ok ? &error : NULL);
 * ]|
 *
 * | hazard | who waits, on the GPU | for what |
 * |---|---|---|
 * | read after write | @stream, when mapping for READ | the last write |
 * | write after read | @stream, when mapping for WRITE | each read since |
 * | write after write | @stream, when mapping for WRITE | the last write |
 *
 * Neither call makes the calling thread wait for the GPU. Elements that know
 * nothing of this library are served by GStreamer's own rule: the stream of the
 * memory is made to wait for our writes, and we wait for it.
 *
 * Thread safety: a frame belongs to the thread that mapped it; different frames
 * of one buffer may be mapped for READ by several threads at once.
 */
typedef struct
{
  GstZcImage image;
  GstBuffer *buffer;
  GstZcStream *stream;
  GstMapFlags flags;

  /*< private >*/
  guint n_memory;
  GstMapInfo map[GST_ZC_MAX_PLANES];
  struct _GstZcLoan *loan;
  gpointer _gst_reserved[GST_PADDING - 1];
} GstZcFrame;

/**
 * gst_zc_frame_map:
 * @frame: (out caller-allocates): the frame to fill
 * @buffer: a buffer whose memories are GstCudaMemory
 * @info: format and size of the picture, from the caps
 * @flags: %GST_MAP_READ, %GST_MAP_WRITE or both
 * @stream: the stream that will touch the pixels
 * @error: return location for an error
 *
 * Maps @buffer and makes @stream wait for whom it must come after. The layout
 * comes from the buffer's GstVideoMeta, else from the memory's own info, else
 * from @info. Where the meta describes a larger picture than @info, the one in
 * its GstVideoCropMeta is mapped, or the upper left one.
 *
 * Mapping for WRITE needs a writable buffer and memory, and is never given a
 * silent copy instead; READ does not permit writing. A WRITE map promises that
 * the whole picture will be written.
 *
 * @frame holds a reference of @buffer until it is unmapped. Returns when the
 * waits are queued.
 *
 * Returns: %TRUE, or %FALSE and nothing mapped, with %GST_ZC_ERROR_NOT_CUDA,
 *   %GST_ZC_ERROR_NOT_WRITABLE, %GST_ZC_ERROR_LAYOUT (names the plane, its
 *   stride and the bytes missing), %GST_ZC_ERROR_STATE (somebody else has it
 *   mapped, or a stream that is captured into a CUDA graph is in the way:
 *   docs/order.md), %GST_ZC_ERROR_WRONG_DEVICE or %GST_ZC_ERROR_DRIVER
 */
GST_ZC_API
gboolean gst_zc_frame_map (GstZcFrame *frame, GstBuffer *buffer,
    const GstVideoInfo *info, GstMapFlags flags, GstZcStream *stream,
    GError **error);

/**
 * gst_zc_frame_unmap:
 * @frame: a mapped frame
 * @error: return location for an error
 *
 * Records that the work queued on the frame's stream so far has read or written
 * the pixels, for those who come next, and unmaps. Call it after the last
 * launch. Always unmaps, also when it fails; then the order of later users is
 * no longer certain and the stream should be given up. Returns when the events
 * are queued.
 *
 * Returns: %TRUE, or %FALSE with %GST_ZC_ERROR_STATE if @frame is not mapped,
 *   %GST_ZC_ERROR_DRIVER or %GST_ZC_ERROR_CONTEXT_LOST
 */
GST_ZC_API
gboolean gst_zc_frame_unmap (GstZcFrame *frame, GError **error);

G_END_DECLS
