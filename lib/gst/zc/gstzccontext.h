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

G_END_DECLS
