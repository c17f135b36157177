/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzccontext-private.h"
#include "gstzcdlpack.h"
#include "gstzcdlpackabi.h"

static gboolean refuse (GError **error, GstZcError code, const gchar *format,
    ...) G_GNUC_PRINTF (3, 4);

static gboolean
refuse (GError **error, GstZcError code, const gchar *format, ...)
{
  va_list args;

  va_start (args, format);
  if (error)
    *error = g_error_new_valist (GST_ZC_ERROR, code, format, args);
  va_end (args);
  return FALSE;
}

static const ZcDLTensor *
tensor_of (gconstpointer managed, GstZcDLPackFlags flags, GError **error)
{
  const ZcDLManagedTensorVersioned *versioned = managed;

  if (!(flags & GST_ZC_DLPACK_VERSIONED))
    return &((const ZcDLManagedTensor *) managed)->dl_tensor;
  if (versioned->major == ZC_DL_MAJOR)
    return &versioned->dl_tensor;
  refuse (error, GST_ZC_ERROR_UNSUPPORTED,
      "version: a tensor of DLPack %u can't be read, only one of DLPack %d",
      versioned->major, ZC_DL_MAJOR);
  return NULL;
}

static gboolean
check_kind (const ZcDLTensor *tensor, GError **error)
{
  const ZcDLDataType *dtype = &tensor->dtype;

  if (tensor->device_type != ZC_DL_CUDA &&
      tensor->device_type != ZC_DL_CUDA_MANAGED)
    return refuse (error, GST_ZC_ERROR_UNSUPPORTED,
        "device: a tensor in memory of DLPack's type %d, where CUDA's (%d) is "
        "needed",
        tensor->device_type, ZC_DL_CUDA);
  if (dtype->code != ZC_DL_UINT || dtype->lanes != 1 ||
      (dtype->bits != 8 && dtype->bits != 16 && dtype->bits != 32))
    return refuse (error, GST_ZC_ERROR_UNSUPPORTED,
        "dtype: pixels are unsigned integers of 8, 16 or 32 bits, not DLPack's "
        "code %u with %u bits and %u lanes",
        dtype->code, dtype->bits, dtype->lanes);
  if (tensor->ndim != 2 && tensor->ndim != 3)
    return refuse (error, GST_ZC_ERROR_LAYOUT,
        "ndim: a plane has 2 or 3 dimensions (rows, elements, channels), not "
        "%d",
        tensor->ndim);
  if (!tensor->data)
    return refuse (error, GST_ZC_ERROR_LAYOUT, "data: is NULL");
  return TRUE;
}

static gboolean
check_shape (const ZcDLTensor *tensor, GError **error)
{
  gint i;

  if (!tensor->shape)
    return refuse (error, GST_ZC_ERROR_LAYOUT, "shape: is NULL");
  for (i = 0; i < tensor->ndim; i++) {
    if (tensor->shape[i] < 1 || tensor->shape[i] > G_MAXINT)
      return refuse (error, GST_ZC_ERROR_LAYOUT,
          "shape: dimension %d has %" G_GINT64_FORMAT " elements", i,
          tensor->shape[i]);
  }
  return TRUE;
}

/* Where a dimension has one element its stride means nothing. */
static gboolean
check_stride (const ZcDLTensor *tensor, gint dim, gint64 wanted, GError **error)
{
  if (!tensor->strides || tensor->shape[dim] == 1 ||
      tensor->strides[dim] == wanted)
    return TRUE;
  return refuse (error, GST_ZC_ERROR_LAYOUT,
      "strides: dimension %d has a stride of %" G_GINT64_FORMAT
      " elements, a row of pixels has %" G_GINT64_FORMAT
      ": make the rows contiguous",
      dim, tensor->strides[dim], wanted);
}

/* No number of bytes is then too large for its type. */
static gboolean
check_bytes (const ZcDLTensor *tensor, gint64 n_channels, gint64 stride,
    GError **error)
{
  const gint64 bytes = tensor->dtype.bits / 8;

  if (n_channels > G_MAXINT / bytes)
    return refuse (error, GST_ZC_ERROR_LAYOUT,
        "shape: an element of %" G_GINT64_FORMAT " channels is too long",
        n_channels);
  if (stride > G_MAXINT64 / bytes || stride < G_MININT64 / bytes)
    return refuse (error, GST_ZC_ERROR_LAYOUT,
        "strides: rows are %" G_GINT64_FORMAT " elements apart, which is more "
        "than there are addresses",
        stride);
  return TRUE;
}

gboolean
gst_zc_plane_init_from_dlpack (GstZcPlane *plane, gint *device,
    gconstpointer managed, GstZcDLPackFlags flags, GError **error)
{
  const ZcDLTensor *tensor = tensor_of (managed, flags, error);
  gint64 n_channels, stride;
  gint bytes;

  if (!tensor || !check_kind (tensor, error) || !check_shape (tensor, error))
    return FALSE;
  n_channels = tensor->ndim == 3 ? tensor->shape[2] : 1;
  if (!check_stride (tensor, 1, n_channels, error) ||
      (tensor->ndim == 3 && !check_stride (tensor, 2, 1, error)))
    return FALSE;
  bytes = tensor->dtype.bits / 8;
  stride = tensor->strides && tensor->shape[0] > 1
      ? tensor->strides[0]
      : tensor->shape[1] * n_channels;
  if (!check_bytes (tensor, n_channels, stride, error))
    return FALSE;
  *plane = (GstZcPlane) {
    .data = (guint64) (guintptr) tensor->data + tensor->byte_offset,
    .row_stride = stride * bytes,
    .pixel_stride = n_channels * bytes,
    .width = tensor->shape[1],
    .height = tensor->shape[0],
    .n_channels = n_channels,
    .channel_bytes = bytes,
  };
  *device = tensor->device_type == ZC_DL_CUDA ? tensor->device_id : -1;
  return TRUE;
}

/* Chroma pairs below luma, as one picture of one channel. */
static gboolean
split_stacked (GstZcImage *image, const GstZcPlane *usual)
{
  GstZcPlane *luma = &image->plane[0], *chroma = &image->plane[1];

  if (usual[0].n_channels != 1 || usual[1].n_channels != 2 ||
      (gint64) usual[1].width * 2 != usual[0].width || luma->n_channels != 1 ||
      luma->height != (gint64) usual[0].height + usual[1].height)
    return FALSE;
  *chroma = *luma;
  luma->height = usual[0].height;
  /* Whether that is an address is looked at with all others. */
  chroma->data += (guint64) luma->row_stride * luma->height;
  chroma->height = usual[1].height;
  chroma->width = usual[1].width;
  chroma->n_channels = 2;
  chroma->pixel_stride *= 2;
  return TRUE;
}

static gboolean
check_plane (const GstZcPlane *plane, const GstZcPlane *usual, guint index,
    GError **error)
{
  if (plane->channel_bytes != usual->channel_bytes)
    return refuse (error, GST_ZC_ERROR_LAYOUT,
        "dtype: plane %u has channels of %d bits, its format of %d", index,
        plane->channel_bytes * 8, usual->channel_bytes * 8);
  if (plane->height == usual->height && plane->width == usual->width &&
      plane->n_channels == usual->n_channels)
    return TRUE;
  return refuse (error, GST_ZC_ERROR_LAYOUT,
      "shape: plane %u is (%d, %d, %d), its format has (%d, %d, %d)", index,
      plane->height, plane->width, plane->n_channels, usual->height,
      usual->width, usual->n_channels);
}

static gboolean
fill_image (GstZcImage *image, gpointer *tensors, guint n_tensors,
    GstZcDLPackFlags flags, GError **error)
{
  GstZcImage usual = *image;
  gint device;
  guint i;

  for (i = 0; i < n_tensors; i++) {
    if (!gst_zc_plane_init_from_dlpack (&image->plane[i], &device, tensors[i],
            flags, error))
      return FALSE;
    if (device >= 0)
      image->device = device;
  }
  if (n_tensors != usual.n_planes &&
      !(n_tensors == 1 && usual.n_planes == 2 &&
          split_stacked (image, usual.plane)))
    return refuse (error, GST_ZC_ERROR_LAYOUT,
        "shape: %u tensors for a format of %u planes", n_tensors,
        usual.n_planes);
  for (i = 0; i < usual.n_planes; i++) {
    if (!check_plane (&image->plane[i], &usual.plane[i], i, error))
      return FALSE;
  }
  return TRUE;
}

typedef struct
{
  GstZcDLPackFlags flags;
  guint n_tensors;
  gpointer tensor[GST_ZC_MAX_PLANES];
} Tensors;

static void
delete_tensor (gpointer tensor, GstZcDLPackFlags flags)
{
  ZcDLManagedTensorVersioned *versioned = tensor;
  ZcDLManagedTensor *plain = tensor;

  if (flags & GST_ZC_DLPACK_VERSIONED) {
    if (versioned->deleter)
      versioned->deleter (versioned);
  } else if (plain->deleter) {
    plain->deleter (plain);
  }
}

static void
delete_tensors (gpointer data)
{
  Tensors *tensors = data;
  guint i;

  for (i = 0; i < tensors->n_tensors; i++)
    delete_tensor (tensors->tensor[i], tensors->flags);
  g_free (tensors);
}

static Tensors *
tensors_new (gpointer *tensor, guint n_tensors, GstZcDLPackFlags flags)
{
  Tensors *tensors = g_new0 (Tensors, 1);

  tensors->flags = flags;
  tensors->n_tensors = n_tensors;
  memcpy (tensors->tensor, tensor, n_tensors * sizeof *tensor);
  return tensors;
}

GstBuffer *
gst_zc_buffer_new_from_dlpack (GstCudaContext *context, GstVideoFormat format,
    gint width, gint height, gpointer *tensors, guint n_tensors,
    GstZcDLPackFlags flags, const GstZcProducer *producer, GError **error)
{
  const guint64 no_address = 1; /* for the usual shapes alone */
  g_autoptr (ZcContext) state = NULL;
  GstZcImage image;
  Tensors *owner;

  g_return_val_if_fail (context != NULL, NULL);
  g_return_val_if_fail (tensors != NULL, NULL);
  g_return_val_if_fail (n_tensors >= 1 && n_tensors <= GST_ZC_MAX_PLANES, NULL);

  owner = tensors_new (tensors, n_tensors, flags);
  state = zc_context_get (context, error);
  if (state &&
      gst_zc_image_init_packed (&image, format, width, height, state->device,
          no_address, NULL, error) &&
      fill_image (&image, tensors, n_tensors, flags, error))
    return gst_zc_buffer_new_wrapped (context, &image, producer, owner,
        delete_tensors, error);
  delete_tensors (owner);
  return NULL;
}
