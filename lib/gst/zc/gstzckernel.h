/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/zc/gstzcstream.h>

G_BEGIN_DECLS

#define GST_TYPE_ZC_KERNEL (gst_zc_kernel_get_type ())

/**
 * GstZcKernel: (ref-func gst_zc_kernel_ref) (unref-func gst_zc_kernel_unref)
 *
 * A kernel of yours, ready to be launched in one CUDA context, without the driver's
 * API, headers or libraries:
 *
 * |[<!-- language="C" -->
 * kernel = gst_zc_kernel_new (context, image, sizeof image, "invert", &error);
 * …
 * gst_zc_kernel_launch_2d (kernel, stream, width, height, &args, sizeof args,
 *     &error);
 * ]|
 *
 * A launch is not ordered against other streams: that is done by gst_zc_frame_map(),
 * and in a #GstZcFilter by the base class.
 *
 * Thread safety: references and launches from any thread.
 */
typedef struct _GstZcKernel GstZcKernel;

GST_ZC_API
GType gst_zc_kernel_get_type (void);

/**
 * gst_zc_kernel_new:
 * @context: (type GstCuda.CudaContext): the context to launch it in
 * @image: (array length=size) (element-type guint8): what nvcc made: a fatbin, a
 *   cubin, or PTX as text
 * @size: bytes of @image
 * @name: the kernel's name as it is in @image: that of an `extern "C"` function
 * @error: return location for an error
 *
 * Loads @image into @context and finds the kernel. An image is loaded once in a
 * context, however many kernels of it there are, and stays until the context ends:
 * loading waits for all that the device has to do, so do it before the first frame, in
 * GstZcFilterClass.attach. @image is not needed after the call. Any thread.
 *
 * Returns: (transfer full) (nullable): the kernel, or %NULL with
 *   %GST_ZC_ERROR_UNSUPPORTED if @image has no code for the device,
 *   %GST_ZC_ERROR_LAYOUT if it is not whole or has no such kernel,
 *   %GST_ZC_ERROR_DRIVER or %GST_ZC_ERROR_CONTEXT_LOST
 */
GST_ZC_API
GstZcKernel *gst_zc_kernel_new (GstCudaContext *context, gconstpointer image,
    gsize size, const gchar *name, GError **error);

/**
 * gst_zc_kernel_ref:
 * @kernel: a kernel
 *
 * Returns: (transfer full): @kernel, with one more reference
 */
GST_ZC_API
GstZcKernel *gst_zc_kernel_ref (GstZcKernel *kernel);

/**
 * gst_zc_kernel_unref:
 * @kernel: (transfer full) (nullable): a kernel
 *
 * Drops a reference. Launches that are queued run nevertheless.
 */
GST_ZC_API
void gst_zc_kernel_unref (GstZcKernel *kernel);

/**
 * gst_zc_kernel_launch:
 * @kernel: a kernel
 * @stream: a stream of the kernel's context
 * @grid: (array fixed-size=3): blocks in x, y and z
 * @block: (array fixed-size=3): threads of a block in x, y and z
 * @shared: bytes of dynamic shared memory of a block
 * @args: (array length=size) (element-type guint8): the parameters, one after the
 *   other as the fields of a struct: for a kernel with one parameter that is a struct,
 *   this struct. Read before the call returns
 * @size: bytes of @args
 * @error: return location for an error
 *
 * Queues one launch on @stream. Returns when queued.
 *
 * Returns: %TRUE, or %FALSE with %GST_ZC_ERROR_STATE if @stream is of another
 *   context, %GST_ZC_ERROR_LAYOUT if @size is too small for the kernel, which
 *   drivers before CUDA 12.4 do not tell, or %GST_ZC_ERROR_DRIVER
 */
GST_ZC_API
gboolean gst_zc_kernel_launch (GstZcKernel *kernel, GstZcStream *stream,
    const guint *grid, const guint *block, gsize shared, gconstpointer args,
    gsize size, GError **error);

/**
 * gst_zc_kernel_launch_2d:
 * @kernel: a kernel
 * @stream: a stream of the kernel's context
 * @width: threads in x, at least
 * @height: threads in y, at least
 * @args: (array length=size) (element-type guint8): the parameters, as for
 *   gst_zc_kernel_launch()
 * @size: bytes of @args
 * @error: return location for an error
 *
 * A thread for each element of a plane: gst_zc_kernel_launch() with blocks of 32 by 8
 * threads, as many as it takes. There are more threads than elements at the right and
 * at the bottom, which the kernel has to leave out. Where @width or @height is 0
 * nothing is launched.
 *
 * Returns: as gst_zc_kernel_launch()
 */
GST_ZC_API
gboolean gst_zc_kernel_launch_2d (GstZcKernel *kernel, GstZcStream *stream,
    guint width, guint height, gconstpointer args, gsize size, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstZcKernel, gst_zc_kernel_unref)

G_END_DECLS
