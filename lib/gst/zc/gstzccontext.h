/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/zc/gstzcdefs.h>

G_BEGIN_DECLS

/**
 * gst_zc_context_new:
 * @device_id: the CUDA ordinal of a device, 0 for the first one visible
 * @error: return location for an error
 *
 * Gets a GstCudaContext that wraps the primary context of a device, where
 * CuPy, PyTorch and the CUDA runtime live too. GStreamer's own constructor
 * makes a private context that they can't share events with. Give the result
 * to a pipeline with gst_element_set_context() to decide for all its elements.
 *
 * There is one such object a device in a process and it is kept for ever:
 * dropping the last reference would take peer access away from everybody else
 * who uses the primary context.
 *
 * Loads the driver on the first call. Any thread; does not wait for the GPU.
 *
 * Returns: (transfer full) (nullable) (type GstCuda.CudaContext): the context,
 *   or %NULL with %GST_ZC_ERROR_NO_DRIVER, %GST_ZC_ERROR_STUB_DRIVER,
 *   %GST_ZC_ERROR_NO_DEVICE, %GST_ZC_ERROR_WRONG_DEVICE or
 *   %GST_ZC_ERROR_DRIVER
 */
GST_ZC_API
GstCudaContext *gst_zc_context_new (guint device_id, GError **error);

/**
 * gst_zc_context_same:
 * @a: (type GstCuda.CudaContext): a context
 * @b: (type GstCuda.CudaContext): another one
 *
 * Two wrappers may hold one CUcontext; this compares what they hold.
 *
 * Returns: %TRUE if memory and streams of @a and @b belong to one CUcontext
 */
GST_ZC_API
gboolean gst_zc_context_same (GstCudaContext *a, GstCudaContext *b);

/**
 * gst_zc_context_begin_capture:
 * @context: (type GstCuda.CudaContext): the context of a stream
 * @error: return location for an error
 *
 * Says that a stream of @context is about to be captured into a CUDA graph. To be
 * called before cuStreamBeginCapture(), and gst_zc_context_end_capture() after
 * cuStreamEndCapture(). Calls may nest, and come from several threads.
 *
 * Frames that go from one element of this library to the next break no capture
 * and need none of this. But others read them on streams that nobody tells, and
 * the one event that comes after all streams of a context fails, and breaks the
 * capture, while one of them is being captured. The library sees when a blocking
 * stream is; a non-blocking one can't be seen.
 *
 * Until the end of the capture, pools allocate another buffer for each that such
 * readers give back, and whoever writes to a buffer that they had, without a
 * pool in between, comes after blocking streams alone. docs/order.md says more.
 *
 * Any thread; does not wait for the GPU.
 *
 * Returns: %TRUE, or %FALSE with an error of gst_zc_context_new()
 */
GST_ZC_API
gboolean gst_zc_context_begin_capture (GstCudaContext *context, GError **error);

/**
 * gst_zc_context_end_capture:
 * @context: (type GstCuda.CudaContext): the context
 *
 * The capture that gst_zc_context_begin_capture() told of has ended.
 */
GST_ZC_API
void gst_zc_context_end_capture (GstCudaContext *context);

G_END_DECLS
