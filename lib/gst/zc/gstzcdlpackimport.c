/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcdlpack.h"
#include "gstzcdlpackabi.h"

static const ZcDLTensor *
tensor_of (gconstpointer managed, GstZcDLPackFlags flags, GError **error)
{
  const ZcDLManagedTensorVersioned *versioned = managed;

  if (!(flags & GST_ZC_DLPACK_VERSIONED))
    return &((const ZcDLManagedTensor *) managed)->dl_tensor;
  if (versioned->major == ZC_DL_MAJOR)
    return &versioned->dl_tensor;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
      "version is %u: only tensors of DLPack %d can be read", versioned->major,
      ZC_DL_MAJOR);
  return NULL;
}

static gboolean
is_read_only (gconstpointer managed, GstZcDLPackFlags flags)
{
  const ZcDLManagedTensorVersioned *versioned = managed;

  return (flags & GST_ZC_DLPACK_VERSIONED) &&
      (versioned->flags & ZC_DL_READ_ONLY);
}

static gboolean
check_tensor (const ZcDLTensor *tensor, GError **error)
{
  const ZcDLDataType *dtype = &tensor->dtype;

  if (tensor->device_type != ZC_DL_CUDA &&
      tensor->device_type != ZC_DL_CUDA_MANAGED)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NOT_CUDA,
        "device is of DLPack's type %d, where CUDA's (%d) is needed: upload "
        "what is in host memory",
        tensor->device_type, ZC_DL_CUDA);
  else if (dtype->code != ZC_DL_UINT || dtype->lanes != 1 || dtype->bits % 8 ||
      dtype->bits == 0)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "dtype is DLPack's code %u with %u bits and %u lanes: pixels are "
        "unsigned integers (code %d) of 8, 16 or 32 bits",
        dtype->code, dtype->bits, dtype->lanes, ZC_DL_UINT);
  else if (tensor->ndim < 1 || tensor->ndim > GST_ZC_ARRAY_MAX_DIMS)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "ndim is %d: a picture has 1 to %d", tensor->ndim,
        GST_ZC_ARRAY_MAX_DIMS);
  else if (!tensor->data || !tensor->shape)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "%s is NULL: the tensor has no memory",
        tensor->data ? "shape" : "data");
  else
    return TRUE;
  return FALSE;
}

/* From elements to bytes. */
static gboolean
get_strides (const ZcDLTensor *tensor, gint64 *strides, GError **error)
{
  const gint64 bytes = tensor->dtype.bits / 8;

  for (gint i = 0; tensor->strides && i < tensor->ndim; i++) {
    if (tensor->strides[i] > G_MAXINT64 / bytes ||
        tensor->strides[i] < G_MININT64 / bytes) {
      g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
          "strides[%d] is %" G_GINT64_FORMAT " elements, which is more than "
          "there are addresses",
          i, tensor->strides[i]);
      return FALSE;
    }
    strides[i] = tensor->strides[i] * bytes;
  }
  return TRUE;
}

static GstZcArray *
describe (const ZcDLTensor *tensor, gint64 stream, GError **error)
{
  gint64 strides[GST_ZC_ARRAY_MAX_DIMS];
  gchar typestr[8];
  gint bytes = tensor->dtype.bits / 8;

  if (!get_strides (tensor, strides, error))
    return NULL;
  g_snprintf (typestr, sizeof (typestr), "%cu%d", bytes == 1 ? '|' : '<',
      bytes);
  return gst_zc_array_new ((guint64) (guintptr) tensor->data +
          tensor->byte_offset,
      typestr, tensor->ndim, tensor->shape, tensor->strides ? strides : NULL,
      stream, error);
}

GstZcArray *
gst_zc_array_new_from_dlpack (gconstpointer managed, GstZcDLPackFlags flags,
    gint64 stream, GError **error)
{
  const ZcDLTensor *tensor;
  GstZcArray *array;

  g_return_val_if_fail (managed != NULL, NULL);

  tensor = tensor_of (managed, flags, error);
  if (!tensor || !check_tensor (tensor, error))
    return NULL;
  array = describe (tensor, stream, error);
  if (!array)
    return NULL;
  array->read_only = is_read_only (managed, flags);
  if (tensor->device_type == ZC_DL_CUDA)
    array->device = tensor->device_id;
  return array;
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

/* An array each, or NULL. */
static GPtrArray *
arrays_of (const Tensors *tensors, gint64 stream, GError **error)
{
  g_autoptr (GPtrArray) arrays =
      g_ptr_array_new_with_free_func ((GDestroyNotify) gst_zc_array_free);
  guint i;

  for (i = 0; i < tensors->n_tensors; i++) {
    GstZcArray *array = gst_zc_array_new_from_dlpack (tensors->tensor[i],
        tensors->flags, stream, error);

    if (!array) {
      g_prefix_error (error, "Array %u: ", i);
      return NULL;
    }
    g_ptr_array_add (arrays, array);
  }
  return g_steal_pointer (&arrays);
}

GstBuffer *
gst_zc_buffer_new_from_dlpack (GstCudaContext *context,
    const GstVideoInfo *info, gpointer *tensors, guint n_tensors,
    GstZcDLPackFlags flags, gint64 stream, GError **error)
{
  g_autoptr (GPtrArray) arrays = NULL;
  Tensors *owner;

  g_return_val_if_fail (info != NULL, NULL);
  g_return_val_if_fail (tensors != NULL, NULL);
  g_return_val_if_fail (n_tensors >= 1 && n_tensors <= GST_ZC_MAX_PLANES, NULL);

  owner = tensors_new (tensors, n_tensors, flags);
  arrays = arrays_of (owner, stream, error);
  if (arrays)
    return gst_zc_buffer_new_from_arrays (context, info,
        (GstZcArray **) arrays->pdata, arrays->len, owner, delete_tensors,
        error);
  delete_tensors (owner);
  return NULL;
}
