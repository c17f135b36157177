/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>
#include <gst/zc/gstzcarray.h>
#include <gst/zc/gstzcdefs.h>
#include <gst/zc/gstzcframe.h>
#include <gst/zc/gstzcimage.h>

G_BEGIN_DECLS

/**
 * GstZcDLPackFlags:
 * @GST_ZC_DLPACK_NONE: `DLManagedTensor`
 * @GST_ZC_DLPACK_VERSIONED: `DLManagedTensorVersioned`, of DLPack 1.0, which can
 *   say that the pixels are read-only
 *
 * Which of DLPack's structs a pointer is. Its header is not included here.
 */
typedef enum /*< flags >*/
{
  GST_ZC_DLPACK_NONE = 0,
  GST_ZC_DLPACK_VERSIONED = 1 << 0
} GstZcDLPackFlags;

/**
 * GST_ZC_DLPACK_NO_WAIT:
 *
 * In place of a stream: the consumer sees to the order by itself.
 */
#define GST_ZC_DLPACK_NO_WAIT ((gint64) - 1)

/**
 * gst_zc_frame_export_dlpack: (skip)
 * @frame: a mapped frame
 * @plane: a plane of it
 * @flags: which struct to make
 * @stream: the consumer's stream, in the context of the stream of @frame: 1 is
 *   the legacy stream, which is what Python's None means, 2 the calling thread's
 *   own, -1 %GST_ZC_DLPACK_NO_WAIT, else a handle
 * @error: return location for an error
 *
 * Lends a plane as a tensor of shape (rows, elements, channels) and strides in
 * elements. Makes the consumer's stream wait, on the GPU, for that of @frame.
 * The handle is not touched afterwards: what the consumer does there is covered
 * as #GstZcLoan says. The consumer may call the deleter on any thread, once; the
 * buffer is kept until then. Does not wait on the host.
 *
 * Returns: (nullable): a `DLManagedTensor` or `DLManagedTensorVersioned`, to be
 *   freed by its deleter, or %NULL with %GST_ZC_ERROR_STATE if @frame is not
 *   mapped, %GST_ZC_ERROR_UNSUPPORTED for a stream of 0, which is ambiguous,
 *   %GST_ZC_ERROR_LAYOUT for rows that are no whole number of elements apart,
 *   %GST_ZC_ERROR_DRIVER
 */
GST_ZC_API
gpointer gst_zc_frame_export_dlpack (GstZcFrame *frame, const GstZcPlane *plane,
    GstZcDLPackFlags flags, gint64 stream, GError **error);

/**
 * gst_zc_array_new_from_dlpack: (skip)
 * @tensor: a tensor
 * @flags: which struct it is
 * @stream: as the `stream` of a CUDA Array Interface: the one that the exporter
 *   was given and has had wait for the writer, or %GST_ZC_CAI_NONE
 * @error: return location for an error
 *
 * Describes a tensor of unsigned integers in CUDA memory. Touches neither its
 * memory nor its deleter.
 *
 * Returns: (transfer full) (nullable): the array, or %NULL with
 *   %GST_ZC_ERROR_UNSUPPORTED, %GST_ZC_ERROR_NOT_CUDA or %GST_ZC_ERROR_LAYOUT and
 *   the name of the wrong field in the message: version, device, dtype, ndim,
 *   shape, data, stream
 */
GST_ZC_API
GstZcArray *gst_zc_array_new_from_dlpack (gconstpointer tensor,
    GstZcDLPackFlags flags, gint64 stream, GError **error);

/**
 * gst_zc_buffer_new_from_dlpack: (skip)
 * @context: (nullable) (type GstCuda.CudaContext): as in
 *   gst_zc_buffer_new_from_arrays()
 * @info: format and size of the picture
 * @tensors: (array length=n_tensors) (transfer full): a tensor a plane, or one of
 *   all
 * @n_tensors: 1 to 4
 * @flags: which struct they are
 * @stream: as in gst_zc_array_new_from_dlpack()
 * @error: return location for an error
 *
 * gst_zc_buffer_new_from_arrays() for tensors: their deleters are the notify,
 * called once in any case.
 *
 * Returns: (transfer full) (nullable): the buffer, or %NULL with the errors of
 *   gst_zc_array_new_from_dlpack() and gst_zc_buffer_new_from_arrays()
 */
GST_ZC_API
GstBuffer *gst_zc_buffer_new_from_dlpack (GstCudaContext *context,
    const GstVideoInfo *info, gpointer *tensors, guint n_tensors,
    GstZcDLPackFlags flags, gint64 stream, GError **error);

G_END_DECLS
