/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private for now: the base class of elements that work on CUDA memory. It finds
 * the context, makes the stream, negotiates pools, maps and unmaps: a subclass
 * says what to do with two mapped frames, and makes no CUDA call but its own
 * launches. */

#include <gst/base/gstbasetransform.h>
#include <gst/zc/zc.h>

G_BEGIN_DECLS

#define GST_TYPE_ZC_FILTER (gst_zc_filter_get_type ())
GST_ZC_API
G_DECLARE_DERIVABLE_TYPE (GstZcFilter, gst_zc_filter, GST, ZC_FILTER,
    GstBaseTransform)

/**
 * GstZcFilterClass:
 * @start: called with the context and stream at hand, before the first frame:
 *   the moment to load kernels. Optional
 * @set_info: new caps. Optional
 * @process: turns @in into @out; the default maps both as CUDA frames and calls
 *   @process_frame. Uploaders and downloaders override it
 * @process_frame: queues work on the stream of the two frames; does not wait
 *
 * All return %FALSE with an error, of which the base class makes one element
 * error.
 */
struct _GstZcFilterClass
{
  GstBaseTransformClass parent_class;

  gboolean (*start) (GstZcFilter *self, GError **error);
  gboolean (*set_info) (GstZcFilter *self, const GstVideoInfo *in_info,
      const GstVideoInfo *out_info, GError **error);
  gboolean (*process) (GstZcFilter *self, GstBuffer *in, GstBuffer *out,
      GError **error);
  gboolean (*process_frame) (GstZcFilter *self, GstZcFrame *out,
      GstZcFrame *in, GError **error);

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

/* TRUE if @buffer holds device memory that this element's stream can use as it
 * is. */
GST_ZC_API
gboolean gst_zc_filter_is_local (GstZcFilter *self, GstBuffer *buffer);
/* TRUE if @buffer holds device memory of any kind. */
GST_ZC_API
gboolean gst_zc_buffer_is_cuda (GstBuffer *buffer);

/* Caps with all formats served: memory:CUDAMemory, or system memory. */
GST_ZC_API
GstCaps *gst_zc_filter_caps_new (gboolean cuda);

/* Blocks until all that this element has under way is let go of. */
GST_ZC_API
void gst_zc_filter_drain (GstZcFilter *self);

G_END_DECLS
