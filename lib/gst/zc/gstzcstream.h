/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/zc/gstzcdefs.h>

G_BEGIN_DECLS

#define GST_TYPE_ZC_STREAM (gst_zc_stream_get_type ())

/**
 * GstZcStream: (ref-func gst_zc_stream_ref) (unref-func gst_zc_stream_unref)
 *
 * A working stream: where an element or a program queues its GPU work. Holds
 * its context. Whoever wants to read or write a frame says on which stream, and
 * that stream is made to wait, on the GPU, for those it must come after.
 *
 * Thread safety: references from any thread; work may be queued from any
 * thread, but one stream has one order, so one thread at a time makes sense.
 */
typedef struct _GstZcStream GstZcStream;

GST_ZC_API
GType gst_zc_stream_get_type (void);

/**
 * gst_zc_stream_new:
 * @context: (type GstCuda.CudaContext): the context to make it in
 * @error: return location for an error
 *
 * Makes a stream that is non-blocking in CUDA's sense: work of the legacy
 * default stream, which is what CuPy and PyTorch use if not told otherwise, is
 * no barrier to it. Does not wait for the GPU.
 *
 * Returns: (transfer full) (nullable): the stream, or %NULL with
 *   %GST_ZC_ERROR_DRIVER or %GST_ZC_ERROR_CONTEXT_LOST
 */
GST_ZC_API
GstZcStream *gst_zc_stream_new (GstCudaContext *context, GError **error);

/**
 * gst_zc_stream_new_borrowed:
 * @context: (type GstCuda.CudaContext): the context that @handle belongs to
 * @handle: (nullable): a CUstream; %NULL or 1 is the legacy default stream, 2
 *   the calling thread's own default stream
 * @error: return location for an error
 *
 * Wraps a stream that somebody else made and will destroy. It must outlive the
 * returned object and the work that was queued through it.
 *
 * Returns: (transfer full) (nullable): the stream, or %NULL with
 *   %GST_ZC_ERROR_DRIVER, for instance for a handle that is not a stream, or
 *   %GST_ZC_ERROR_STATE for one that is being captured into a CUDA graph
 */
GST_ZC_API
GstZcStream *gst_zc_stream_new_borrowed (GstCudaContext *context,
    gpointer handle, GError **error);

/**
 * gst_zc_stream_ref:
 * @stream: a stream
 *
 * Returns: (transfer full): @stream, with one more reference
 */
GST_ZC_API
GstZcStream *gst_zc_stream_ref (GstZcStream *stream);

/**
 * gst_zc_stream_unref:
 * @stream: (transfer full): a stream
 *
 * Drops a reference. The last one destroys the CUDA stream, if we made it;
 * work that is still queued on it is finished first by the driver, without
 * making the caller wait.
 */
GST_ZC_API
void gst_zc_stream_unref (GstZcStream *stream);

/**
 * gst_zc_stream_get_handle:
 * @stream: a stream
 *
 * Returns: (transfer none) (nullable): the CUstream, to launch kernels on;
 *   valid as long as @stream
 */
GST_ZC_API
gpointer gst_zc_stream_get_handle (GstZcStream *stream);

/**
 * gst_zc_stream_get_context:
 * @stream: a stream
 *
 * Returns: (transfer none) (type GstCuda.CudaContext): the context of @stream
 */
GST_ZC_API
GstCudaContext *gst_zc_stream_get_context (GstZcStream *stream);

/**
 * gst_zc_stream_synchronize:
 * @stream: a stream
 * @error: return location for an error
 *
 * Blocks the calling thread until all work queued on @stream so far is done.
 * For programs that read results on the CPU; no element needs it.
 *
 * Returns: %TRUE, or %FALSE with %GST_ZC_ERROR_DRIVER or
 *   %GST_ZC_ERROR_CONTEXT_LOST if that work failed
 */
GST_ZC_API
gboolean gst_zc_stream_synchronize (GstZcStream *stream, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstZcStream, gst_zc_stream_unref)

G_END_DECLS
