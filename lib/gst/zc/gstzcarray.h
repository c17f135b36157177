/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/gst.h>
#include <gst/video/video.h>
#include <gst/zc/gstzcdefs.h>
#include <gst/zc/gstzcforeign.h>
#include <gst/zc/gstzcframe.h>
#include <gst/zc/gstzcimage.h>

G_BEGIN_DECLS

#define GST_TYPE_ZC_ARRAY (gst_zc_array_get_type ())
#define GST_TYPE_ZC_ARRAY_SYNC (gst_zc_array_sync_get_type ())

/**
 * GST_ZC_ARRAY_MAX_DIMS:
 *
 * The most dimensions that an array has.
 */
#define GST_ZC_ARRAY_MAX_DIMS 4

/**
 * GST_ZC_ARRAY_STACKED:
 *
 * In place of a plane's number: all planes as one array of shape
 * (height x 3 / 2, width, 1), as software without planes takes 4:2:0. For NV12 and
 * its like with one stride, and for I420 and its like without any padding, of even
 * width and height whose planes follow each other without a gap.
 */
#define GST_ZC_ARRAY_STACKED (-1)

/**
 * GstZcArraySync:
 * @GST_ZC_ARRAY_SYNC_NONE: nobody waits on the host: the array names a stream
 *   after whose work the pixels are there
 * @GST_ZC_ARRAY_SYNC_HOST: whoever asks for an array waits until the pixels are
 *   there; for consumers that do not look at the stream
 *
 * What an array says of pixels that are still being written.
 */
typedef enum
{
  GST_ZC_ARRAY_SYNC_NONE,
  GST_ZC_ARRAY_SYNC_HOST
} GstZcArraySync;

GST_ZC_API
GType gst_zc_array_sync_get_type (void);

/**
 * GstZcArray:
 * @data: device address of the first element
 * @typestr: type of an element: `|u1`, `<u2` or `<u4`
 * @n_dims: how many of @shape and @strides are used
 * @shape: elements; of a plane: rows, elements of a row, channels
 * @strides: bytes from an element to the next one in each dimension
 * @read_only: %TRUE if the consumer must not write
 * @depth: significant bits of an element, as in #GstZcFormat; 0 if not known
 * @shift: how far they are shifted up in it: 6 for P010
 * @device: CUDA ordinal, -1 if not known
 * @cai_stream: after whose work the elements are there, as the `stream` of a CUDA
 *   Array Interface: a handle, 1 for the legacy stream, %GST_ZC_CAI_NONE or
 *   %GST_ZC_CAI_NO_STREAM
 * @stream: (nullable): the owner of that handle, which is good as long as this is
 *   held
 *
 * Elements in device memory as the CUDA Array Interface, version 3, describes
 * them: what a binding makes its `__cuda_array_interface__` of, and what is made
 * of somebody else's. One-channel planes have a dimension for it, too: (rows,
 * width, 1). Packed 4:2:2 is (rows, half the width, 4), 10:10:10:2 one `<u4` a
 * pixel.
 *
 * A value that does not keep the memory: whoever hands an array on keeps its
 * buffer, and tells when the consumer is done with gst_zc_buffer_mark_read() or
 * gst_zc_buffer_mark_written(), or gets the array of a mapped frame that is lent
 * with gst_zc_frame_lend().
 *
 * Thread safety: that of a value.
 */
typedef struct
{
  guint64 data;
  gchar typestr[8];
  guint n_dims;
  gint64 shape[GST_ZC_ARRAY_MAX_DIMS];
  gint64 strides[GST_ZC_ARRAY_MAX_DIMS];
  gboolean read_only;
  gint depth;
  gint shift;
  gint device;
  gint64 cai_stream;
  GstZcStream *stream;

  /*< private >*/
  gpointer _gst_reserved[GST_PADDING];
} GstZcArray;

GST_ZC_API
GType gst_zc_array_get_type (void);

/**
 * gst_zc_array_new:
 * @data: device address of the first element
 * @typestr: NumPy's string for the type of an element, as `|u1`
 * @n_dims: number of dimensions
 * @shape: (array length=n_dims): elements in each
 * @strides: (array length=n_dims) (nullable): bytes from one to the next in each;
 *   %NULL where the elements follow each other in C's order
 * @cai_stream: who wrote them, see %GST_ZC_PRODUCER_CAI
 * @error: return location for an error
 *
 * For arrays of others, to be given to gst_zc_buffer_new_from_arrays(). Set
 * @read_only in it where that is so. Touches no memory and no driver.
 *
 * Returns: (transfer full) (nullable): the array, or %NULL with
 *   %GST_ZC_ERROR_LAYOUT or %GST_ZC_ERROR_UNSUPPORTED and the name of the wrong
 *   field in the message
 */
GST_ZC_API
GstZcArray *gst_zc_array_new (guint64 data, const gchar *typestr, guint n_dims,
    const gint64 *shape, const gint64 *strides, gint64 cai_stream,
    GError **error);

/**
 * gst_zc_array_copy:
 * @array: an array
 *
 * Returns: (transfer full): another one that says the same of the same memory
 */
GST_ZC_API
GstZcArray *gst_zc_array_copy (const GstZcArray *array);

/**
 * gst_zc_array_free:
 * @array: (transfer full) (nullable): an array
 *
 * Frees the description and lets go of its stream; the memory is not touched.
 */
GST_ZC_API
void gst_zc_array_free (GstZcArray *array);

/**
 * gst_zc_array_get_typestr:
 * @array: an array
 *
 * Returns: (transfer none): its typestr, for bindings
 */
GST_ZC_API
const gchar *gst_zc_array_get_typestr (const GstZcArray *array);

/**
 * gst_zc_array_get_shape:
 * @array: an array
 * @n_dims: (out): number of dimensions
 *
 * Returns: (transfer none) (array length=n_dims): its shape, for bindings
 */
GST_ZC_API
const gint64 *gst_zc_array_get_shape (const GstZcArray *array, guint *n_dims);

/**
 * gst_zc_array_get_strides:
 * @array: an array
 * @n_dims: (out): number of dimensions
 *
 * Returns: (transfer none) (array length=n_dims): its strides, bytes, for
 *   bindings
 */
GST_ZC_API
const gint64 *gst_zc_array_get_strides (const GstZcArray *array, guint *n_dims);

/**
 * gst_zc_image_get_array:
 * @image: an image
 * @plane: the number of a plane, or %GST_ZC_ARRAY_STACKED
 * @error: return location for an error
 *
 * Says of an image only where its elements are; who wrote them is not known:
 * %GST_ZC_CAI_NO_STREAM.
 *
 * Returns: (transfer full) (nullable): the array, or %NULL with
 *   %GST_ZC_ERROR_LAYOUT if @image has no such plane or its planes are not stacked
 */
GST_ZC_API
GstZcArray *gst_zc_image_get_array (const GstZcImage *image, gint plane,
    GError **error);

/**
 * gst_zc_frame_get_array:
 * @frame: a mapped frame
 * @plane: the number of a plane, or %GST_ZC_ARRAY_STACKED
 * @error: return location for an error
 *
 * The array of a mapped frame. It names the frame's stream, and is good until
 * the unmap, or longer if the frame is lent. Read-only unless the frame is mapped
 * for writing.
 *
 * Returns: (transfer full) (nullable): the array, or %NULL as
 *   gst_zc_image_get_array(), and with %GST_ZC_ERROR_STATE if @frame is not mapped
 */
GST_ZC_API
GstZcArray *gst_zc_frame_get_array (const GstZcFrame *frame, gint plane,
    GError **error);

/**
 * gst_zc_buffer_get_array:
 * @buffer: a buffer of CUDA memory, of any element
 * @info: its format and size
 * @plane: the number of a plane, or %GST_ZC_ARRAY_STACKED
 * @flags: %GST_MAP_READ, or with %GST_MAP_WRITE for a consumer that writes, too
 * @sync: if to wait
 * @error: return location for an error
 *
 * The array of a buffer for software that lives in the primary context of the
 * device, as all does that uses the CUDA runtime. It names the stream that wrote
 * the pixels, if that is one of this context. Else, or to write, it names a stream
 * of this context that has been made to wait for those that the consumer comes
 * after.
 *
 * Returns at once, but for %GST_ZC_ARRAY_SYNC_HOST. The consumer tells of its
 * work: see #GstZcArray.
 *
 * Returns: (transfer full) (nullable): the array, or %NULL as
 *   gst_zc_image_get_array() and gst_zc_frame_map()
 */
GST_ZC_API
GstZcArray *gst_zc_buffer_get_array (GstBuffer *buffer,
    const GstVideoInfo *info, gint plane, GstMapFlags flags,
    GstZcArraySync sync, GError **error);

/**
 * gst_zc_buffer_new_from_arrays:
 * @context: (nullable) (type GstCuda.CudaContext): the context that the memory
 *   belongs to; %NULL for the primary one of its device, where all lives that uses
 *   the CUDA runtime
 * @info: format and size of the picture; its strides and offsets do not count
 * @arrays: (array length=n_arrays): one a plane, or one of all
 * @n_arrays: number of arrays
 * @owner: (nullable): given to @notify
 * @notify: (nullable) (scope async) (closure owner): called once in any case, as
 *   that of gst_zc_buffer_new_wrapped()
 * @error: return location for an error
 *
 * gst_zc_buffer_new_wrapped() for arrays. Their shapes are
 *
 * | | |
 * |---|---|
 * | a plane | (rows, width, channels), (rows, width x channels), with one channel (rows, width) |
 * | all planes of 4:2:0 | (height x 3 / 2, width), as %GST_ZC_ARRAY_STACKED is |
 * | planes of one size | (planes, rows, width) |
 *
 * with any number of dimensions of 1 before or, for one channel, one behind. The
 * elements of a row must follow each other, rows may have any distance, negative,
 * too. The type is `|u1`, `<u2` or `<u4` as the format's. If one array is
 * read-only, the buffer is. Each is waited for as its `stream` says.
 *
 * Returns: (transfer full) (nullable): the buffer, or %NULL as
 *   gst_zc_buffer_new_wrapped(), the message with the number of the array and the
 *   name of its wrong field
 */
GST_ZC_API
GstBuffer *gst_zc_buffer_new_from_arrays (GstCudaContext *context,
    const GstVideoInfo *info, GstZcArray **arrays, guint n_arrays,
    gpointer owner, GDestroyNotify notify, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (GstZcArray, gst_zc_array_free)

G_END_DECLS
