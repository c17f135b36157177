/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/base/gstbasetransform.h>
#include <gst/zc/gstzcarray.h>
#include <gst/zc/gstzcframe.h>
#include <gst/zc/gstzcstream.h>

G_BEGIN_DECLS

#define GST_TYPE_ZC_FILTER (gst_zc_filter_get_type ())
GST_ZC_API
G_DECLARE_DERIVABLE_TYPE (GstZcFilter, gst_zc_filter, GST, ZC_FILTER,
    GstBaseTransform)

/**
 * GstZcFilter:
 *
 * The base class of elements that work on frames in CUDA memory. It finds the
 * context as GStreamer's elements do, makes the stream, negotiates pools, follows
 * frames from device to device, maps and unmaps: a subclass says in
 * #GstZcFilterClass.process_frame what to do with two mapped frames. What it queues
 * on their stream comes after all who wrote and read them before, and before all who
 * will; it waits for nothing itself.
 *
 * The least that a subclass has: gst_zc_filter_class_add_pad_templates(), and
 * process_frame. Caps go through unchanged unless it overrides transform_caps of
 * GstBaseTransform. examples/own-element is such an element, with a kernel of its
 * own; docs/own-element.md explains it.
 *
 * Properties `cuda-device-id` and `stats` come with it. A subclass has its own numbers
 * for its own properties, from 1 on.
 *
 * Thread safety: virtual functions are called from the streaming thread, attach
 * and detach also from the one that changes the state, never two at a time. Properties
 * are set from any thread: guard them by the object lock. Functions of this class may
 * be called inside virtual functions, and what only reads a setting anywhere.
 */

/**
 * GstZcFilterClass:
 * @attach: gets ready on a device
 * @detach: lets go of what attach made
 * @set_info: takes new caps
 * @check: looks at each buffer first
 * @passes: tells which buffers need no work
 * @process: makes a buffer of a buffer
 * @process_frame: queues the work on a frame
 *
 * Those with an error return %FALSE with it set, of which the base class makes one
 * element error, however often it happens again. A class that overrides start, stop,
 * set_caps, query, decide_allocation, propose_allocation, transform_meta or
 * before_transform of GstBaseTransform, or set_context and change_state of GstElement,
 * chains up.
 */
struct _GstZcFilterClass
{
  GstBaseTransformClass parent_class;

  /**
   * GstZcFilterClass::attach:
   * @self: the filter
   * @error: return location for an error
   *
   * Called when context and stream are there, before the first frame: the moment to
   * load kernels, which may wait for the device. Called again, after detach, when
   * frames begin to come from another device and no cuda-device-id was set.
   * Optional.
   *
   * Returns: %TRUE, or %FALSE with @error set, and the element does not start
   */
  gboolean (*attach) (GstZcFilter *self, GError **error);

  /**
   * GstZcFilterClass::detach:
   * @self: the filter
   *
   * Called after each attach, also one that failed, when all frames are let go of and
   * context and stream are still there. What was queued may still run. Optional.
   */
  void (*detach) (GstZcFilter *self);

  /**
   * GstZcFilterClass::set_info:
   * @self: the filter
   * @in_info: format and size of frames that come
   * @out_info: and of those that go
   * @error: return location for an error
   *
   * Called when new caps are agreed on, with nothing under way: the moment to make
   * tables and to decide on the passthrough of GstBaseTransform. Optional.
   *
   * Returns: %TRUE, or %FALSE with @error set if such frames are not served
   */
  gboolean (*set_info) (GstZcFilter *self, const GstVideoInfo *in_info,
      const GstVideoInfo *out_info, GError **error);

  /**
   * GstZcFilterClass::check:
   * @self: the filter
   * @in: (transfer none): a buffer that came
   * @error: return location for an error
   *
   * Called for each buffer before anything is done with it, in passthrough too.
   * Optional.
   *
   * Returns: %TRUE, or %FALSE with @error set if it is refused
   */
  gboolean (*check) (GstZcFilter *self, GstBuffer *in, GError **error);

  /**
   * GstZcFilterClass::passes:
   * @self: the filter
   * @in: (transfer none): a buffer that came
   *
   * Called for each buffer that is not passed through already. Optional.
   *
   * Returns: %TRUE if @in goes on as it is
   */
  gboolean (*passes) (GstZcFilter *self, GstBuffer *in);

  /**
   * GstZcFilterClass::process:
   * @self: the filter
   * @in: (transfer none): a buffer that came
   * @out: (transfer none): a buffer of the pool, with all metas
   * @error: return location for an error
   *
   * Fills @out. The default maps both as frames of the element's stream, calls
   * process_frame and unmaps. For elements that have host memory on one side, or
   * map in their own way.
   *
   * Returns: %TRUE when queued, or %FALSE with @error set
   */
  gboolean (*process) (GstZcFilter *self, GstBuffer *in, GstBuffer *out,
      GError **error);

  /**
   * GstZcFilterClass::process_frame:
   * @self: the filter
   * @out: a frame mapped for WRITE, all of which is to be written
   * @in: a frame mapped for READ on the same stream
   * @error: return location for an error
   *
   * Queues work on the stream of the two frames, out->stream, and on no other; does
   * not wait for it. The CUDA context is current. The base class maps before and
   * unmaps after, so the two are not to be kept.
   *
   * Returns: %TRUE when queued, or %FALSE with @error set
   */
  gboolean (*process_frame) (GstZcFilter *self, GstZcFrame *out, GstZcFrame *in,
      GError **error);

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING_LARGE];
};

/**
 * gst_zc_filter_class_add_pad_templates:
 * @klass: a subclass, in its class_init
 * @formats: (nullable): names of formats with commas in between, as "NV12, RGBA", of
 *   those that gst_zc_format_list() has; %NULL for all of these
 *
 * Gives @klass pads `sink` and `src` for frames in CUDA memory, of any size.
 */
GST_ZC_API
void gst_zc_filter_class_add_pad_templates (GstZcFilterClass *klass,
    const gchar *formats);

/**
 * gst_zc_filter_get_context:
 * @self: a filter
 *
 * Returns: (transfer none) (nullable) (type GstCuda.CudaContext): the context that
 *   it works in, good from attach to detach; %NULL before READY
 */
GST_ZC_API
GstCudaContext *gst_zc_filter_get_context (GstZcFilter *self);

/**
 * gst_zc_filter_get_stream:
 * @self: a filter
 *
 * Returns: (transfer none) (nullable): the stream of its frames, good from attach
 *   to detach; %NULL otherwise
 */
GST_ZC_API
GstZcStream *gst_zc_filter_get_stream (GstZcFilter *self);

/**
 * gst_zc_filter_get_in_info:
 * @self: a filter
 *
 * Returns: (transfer none): what the caps in use say of frames that come; good until
 *   the next caps
 */
GST_ZC_API
const GstVideoInfo *gst_zc_filter_get_in_info (GstZcFilter *self);

/**
 * gst_zc_filter_get_out_info:
 * @self: a filter
 *
 * Returns: (transfer none): what the caps in use say of frames that go; good until
 *   the next caps
 */
GST_ZC_API
const GstVideoInfo *gst_zc_filter_get_out_info (GstZcFilter *self);

/**
 * gst_zc_filter_is_in_cuda:
 * @self: a filter
 *
 * Returns: %TRUE if the caps in use say memory:CUDAMemory of frames that come
 */
GST_ZC_API
gboolean gst_zc_filter_is_in_cuda (GstZcFilter *self);

/**
 * gst_zc_filter_is_out_cuda:
 * @self: a filter
 *
 * Returns: %TRUE if the caps in use say memory:CUDAMemory of frames that go
 */
GST_ZC_API
gboolean gst_zc_filter_is_out_cuda (GstZcFilter *self);

/**
 * gst_zc_filter_set_packed:
 * @self: a filter
 * @packed: %TRUE for frames without padding between rows and planes
 *
 * For consumers that refuse strides. Any thread; looked at when memory is chosen.
 */
GST_ZC_API
void gst_zc_filter_set_packed (GstZcFilter *self, gboolean packed);

/**
 * gst_zc_filter_get_packed:
 * @self: a filter
 *
 * Returns: what was set; %FALSE at first
 */
GST_ZC_API
gboolean gst_zc_filter_get_packed (GstZcFilter *self);

/**
 * gst_zc_filter_set_array_sync:
 * @self: a filter
 * @sync: what those get who ask for an array of its frames
 *
 * Any thread; looked at for each frame.
 */
GST_ZC_API
void gst_zc_filter_set_array_sync (GstZcFilter *self, GstZcArraySync sync);

/**
 * gst_zc_filter_get_array_sync:
 * @self: a filter
 *
 * Returns: what was set; %GST_ZC_ARRAY_SYNC_NONE at first
 */
GST_ZC_API
GstZcArraySync gst_zc_filter_get_array_sync (GstZcFilter *self);

/**
 * gst_zc_filter_is_packed:
 * @self: a filter
 * @in: a buffer that came
 *
 * Returns: %TRUE if @in has no padding between its rows and planes
 */
GST_ZC_API
gboolean gst_zc_filter_is_packed (GstZcFilter *self, GstBuffer *in);

/**
 * gst_zc_filter_load_kernels:
 * @self: a filter
 * @error: return location for an error
 *
 * Loads the kernels of the library, so that the first gst_zc_frame_flip() has not
 * to. For attach; may wait for the device.
 *
 * Returns: %TRUE, or %FALSE with %GST_ZC_ERROR_UNSUPPORTED or
 *   %GST_ZC_ERROR_DRIVER
 */
GST_ZC_API
gboolean gst_zc_filter_load_kernels (GstZcFilter *self, GError **error);

/**
 * gst_zc_filter_check_local:
 * @self: a filter
 * @buffer: a buffer that came
 * @error: return location for an error
 *
 * What the default of process asks first.
 *
 * Returns: %TRUE if @buffer holds memory of the filter's device, in whatever
 *   context; %FALSE with %GST_ZC_ERROR_NOT_CUDA or %GST_ZC_ERROR_WRONG_DEVICE
 */
GST_ZC_API
gboolean gst_zc_filter_check_local (GstZcFilter *self, GstBuffer *buffer,
    GError **error);

/**
 * gst_zc_filter_is_local:
 * @self: a filter
 * @buffer: a buffer that came
 *
 * Returns: %FALSE if @buffer holds memory of another device
 */
GST_ZC_API
gboolean gst_zc_filter_is_local (GstZcFilter *self, GstBuffer *buffer);

/**
 * gst_zc_buffer_is_cuda:
 * @buffer: a buffer
 *
 * Returns: %TRUE if @buffer holds device memory, of any kind, and no other
 */
GST_ZC_API
gboolean gst_zc_buffer_is_cuda (GstBuffer *buffer);

/**
 * gst_zc_filter_post_error:
 * @self: a filter
 * @error: (transfer full): what went wrong
 *
 * Posts @error as the element's error, unless one was posted since the last frame
 * that went well. For what fails outside of virtual functions with an error.
 */
GST_ZC_API
void gst_zc_filter_post_error (GstZcFilter *self, GError *error);

/**
 * gst_zc_filter_make_caps:
 * @cuda: %TRUE for memory:CUDAMemory, %FALSE for system memory
 *
 * Returns: (transfer full): caps with all formats that the library serves, for a pad
 *   template
 */
GST_ZC_API
GstCaps *gst_zc_filter_make_caps (gboolean cuda);

/**
 * gst_zc_filter_drain:
 * @self: a filter
 *
 * Blocks until all frames that the filter has under way are let go of. The base class
 * does it where GStreamer asks for it.
 */
GST_ZC_API
void gst_zc_filter_drain (GstZcFilter *self);

G_END_DECLS
