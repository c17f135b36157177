/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private for now: the base class of elements that work on CUDA memory. It finds
 * the context, makes the stream, negotiates pools, maps and unmaps: a subclass
 * says what to do with two mapped frames, and makes no CUDA call but its own
 * launches. */

#include <gst/base/gstbasetransform.h>
#include <gst/zc/gstzccopy.h>
#include <gst/zc/zc.h>

G_BEGIN_DECLS

#define GST_TYPE_ZC_FILTER (gst_zc_filter_get_type ())
GST_ZC_API
G_DECLARE_DERIVABLE_TYPE (GstZcFilter, gst_zc_filter, GST, ZC_FILTER,
    GstBaseTransform)

/**
 * GstZcFilterClass:
 * @start: called with the context and stream at hand, before the first frame:
 *   the moment to load kernels. Called again when frames come from another
 *   device and no cuda-device-id was set. Optional
 * @set_info: new caps; the moment to decide on the base class's passthrough.
 *   Optional
 * @check: looks at each buffer first, in passthrough too. Optional
 * @passes: %TRUE if this buffer needs no work and goes on as it is. Optional
 * @process: turns @in into @out; the default maps both as CUDA frames and calls
 *   @process_frame. Uploaders and downloaders override it
 * @process_frame: queues work on the stream of the two frames; does not wait
 *
 * Those with an error return %FALSE with it, of which the base class makes one
 * element error. All are called from the streaming thread, but @start also from
 * the one that changes the state. Who overrides before_transform chains up.
 */
struct _GstZcFilterClass
{
  GstBaseTransformClass parent_class;

  gboolean (*start) (GstZcFilter *self, GError **error);
  gboolean (*set_info) (GstZcFilter *self, const GstVideoInfo *in_info,
      const GstVideoInfo *out_info, GError **error);
  gboolean (*check) (GstZcFilter *self, GstBuffer *in, GError **error);
  gboolean (*passes) (GstZcFilter *self, GstBuffer *in);
  gboolean (*process) (GstZcFilter *self, GstBuffer *in, GstBuffer *out,
      GError **error);
  gboolean (*process_frame) (GstZcFilter *self, GstZcFrame *out, GstZcFrame *in,
      GError **error);

  gpointer _gst_reserved[GST_PADDING_LARGE];
};

/* (transfer none), good from start to stop. */
GST_ZC_API
GstCudaContext *gst_zc_filter_get_context (GstZcFilter *self);
GST_ZC_API
GstZcStream *gst_zc_filter_get_stream (GstZcFilter *self);
/* Infos of the caps in use. */
GST_ZC_API
const GstVideoInfo *gst_zc_filter_get_in_info (GstZcFilter *self);
GST_ZC_API
const GstVideoInfo *gst_zc_filter_get_out_info (GstZcFilter *self);
/* TRUE if the caps in use on that side say memory:CUDAMemory. */
GST_ZC_API
gboolean gst_zc_filter_is_in_cuda (GstZcFilter *self);
GST_ZC_API
gboolean gst_zc_filter_is_out_cuda (GstZcFilter *self);

/* What other software needs the frames in device memory to be like that come out:
 * without padding; @sync for their array metas. Looked at when memory is chosen,
 * and at each frame. */
GST_ZC_API
void gst_zc_filter_set_packed (GstZcFilter *self, gboolean packed);
GST_ZC_API
gboolean gst_zc_filter_get_packed (GstZcFilter *self);
GST_ZC_API
void gst_zc_filter_set_array_sync (GstZcFilter *self, GstZcArraySync sync);
GST_ZC_API
GstZcArraySync gst_zc_filter_get_array_sync (GstZcFilter *self);
/* TRUE if @in has no padding between its rows and planes already. */
GST_ZC_API
gboolean gst_zc_filter_is_packed (GstZcFilter *self, GstBuffer *in);

/* Loads the kernels of the library, so that no frame has to. For @start. */
GST_ZC_API
gboolean gst_zc_filter_load_kernels (GstZcFilter *self, GError **error);

/* TRUE if @buffer holds device memory that this element's stream can use as it
 * is: that of its device, whatever the context. GST_ZC_ERROR_NOT_CUDA or
 * GST_ZC_ERROR_WRONG_DEVICE if not. */
GST_ZC_API
gboolean gst_zc_filter_check_local (GstZcFilter *self, GstBuffer *buffer,
    GError **error);
/* FALSE if @buffer holds memory of another device. */
GST_ZC_API
gboolean gst_zc_filter_is_local (GstZcFilter *self, GstBuffer *buffer);
/* TRUE if @buffer holds device memory of any kind. */
GST_ZC_API
gboolean gst_zc_buffer_is_cuda (GstBuffer *buffer);
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

/* Posts @error as the element's error. (transfer full) */
GST_ZC_API
void gst_zc_filter_post_error (GstZcFilter *self, GError *error);

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

/* Caps with all formats served: memory:CUDAMemory, or system memory. */
GST_ZC_API
GstCaps *gst_zc_filter_caps_new (gboolean cuda);

/* Blocks until all that this element has under way is let go of. */
GST_ZC_API
void gst_zc_filter_drain (GstZcFilter *self);

G_END_DECLS
