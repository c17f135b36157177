/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcwrapcheck.h"

static gboolean
plane_has_shape (const GstZcPlane *a, const GstZcPlane *b)
{
  return a->width == b->width && a->height == b->height &&
      a->n_channels == b->n_channels && a->channel_bytes == b->channel_bytes &&
      a->pixel_stride == b->pixel_stride;
}

/* A GstVideoMeta can say where planes are, not that they are of another kind
 * than the format's. */
gboolean
zc_wrap_check_shape (const GstZcImage *image, GError **error)
{
  guint64 data[GST_ZC_MAX_PLANES];
  gint64 stride[GST_ZC_MAX_PLANES];
  GstZcImage usual;
  guint i;

  for (i = 0; i < GST_ZC_MAX_PLANES; i++) {
    data[i] = image->plane[i].data;
    stride[i] = image->plane[i].row_stride;
  }
  if (!gst_zc_image_init (&usual, image->format, image->width, image->height,
          image->device, data, stride, error))
    return FALSE;
  for (i = 0; i < usual.n_planes; i++) {
    if (image->n_planes != usual.n_planes ||
        !plane_has_shape (&image->plane[i], &usual.plane[i])) {
      g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
          "Plane %u is not as a plane of %s %dx%d is; gst_zc_image_init() "
          "makes "
          "them so",
          i, gst_video_format_to_string (image->format), image->width,
          image->height);
      return FALSE;
    }
  }
  return TRUE;
}

static gboolean
check_device (const GstZcPlane *plane, guint index, ZcContext *context,
    GError **error)
{
  int device;

  if (!ZC_CU (NULL, cuPointerGetAttribute, &device,
          CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, plane->data)) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "Plane %u is at 0x%" G_GINT64_MODIFIER "x, which the driver does not "
        "know; give a device address that is still allocated",
        index, plane->data);
    return FALSE;
  }
  if (device != context->device) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_WRONG_DEVICE,
        "Plane %u lives on CUDA device %d, the context on device %d: give a "
        "context of the memory's device",
        index, device, context->device);
    return FALSE;
  }
  return TRUE;
}

/* Page-locked memory has an address on the device, too. */
static gboolean
check_is_device_memory (const GstZcPlane *plane, guint index, GError **error)
{
  CUmemorytype type = CU_MEMORYTYPE_DEVICE;
  guint8 managed = 0;

  if (!ZC_CU (error, cuPointerGetAttribute, &type,
          CU_POINTER_ATTRIBUTE_MEMORY_TYPE, plane->data))
    return FALSE;
  if (type != CU_MEMORYTYPE_HOST ||
      (ZC_CU (NULL, cuPointerGetAttribute, &managed,
           CU_POINTER_ATTRIBUTE_IS_MANAGED, plane->data) &&
          managed))
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NOT_CUDA,
      "Plane %u is at 0x%" G_GINT64_MODIFIER "x, which is host memory: give a "
      "device address, or upload the picture",
      index, plane->data);
  return FALSE;
}

/* Mappings of one address range, as PyTorch's expandable segments, follow each
 * other without a gap. Allocations do, too, but are not one. */
static gboolean
may_be_mapped (CUdeviceptr address)
{
  guint8 allocated = 0;

  return !ZC_CU (NULL, cuPointerGetAttribute, &allocated,
             CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, address) ||
      !allocated;
}

static gboolean
find_allocation (const GstZcPlane *plane, guint index, ZcAllocation *allocation,
    GError **error)
{
  guint64 end = plane->data + gst_zc_plane_extent (plane);
  CUdeviceptr start;
  size_t size;

  if (!ZC_CU (error, cuMemGetAddressRange, &start, &size, plane->data))
    return FALSE;
  *allocation = (ZcAllocation) { start, start + size };
  while (allocation->end < end && may_be_mapped (allocation->start) &&
      ZC_CU (NULL, cuMemGetAddressRange, &start, &size, allocation->end))
    allocation->end = start + size;
  if (end <= allocation->end)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "Plane %u needs %" G_GSIZE_FORMAT " bytes (%d rows, stride "
      "%" G_GINT64_FORMAT " bytes), but its memory ends %" G_GUINT64_FORMAT
      " bytes earlier",
      index, gst_zc_plane_extent (plane), plane->height, plane->row_stride,
      end - allocation->end);
  return FALSE;
}

/* Two planes may lie side by side in the rows of one grid. */
static gboolean
planes_overlap (const GstZcPlane *a, const GstZcPlane *b)
{
  guint64 stride = a->row_stride;
  guint64 skip;

  if (a->data > b->data)
    return planes_overlap (b, a);
  if (b->data >= a->data + gst_zc_plane_extent (a))
    return FALSE;
  skip = (b->data - a->data) % stride;
  return a->row_stride != b->row_stride || skip < gst_zc_plane_row_bytes (a) ||
      skip + gst_zc_plane_row_bytes (b) > stride;
}

static gboolean
check_apart (const GstZcImage *image, guint index, GError **error)
{
  for (guint i = 0; i < index; i++) {
    if (!planes_overlap (&image->plane[i], &image->plane[index]))
      continue;
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "Planes %u and %u have bytes in common; give each its own address, and "
        "strides in bytes",
        i, index);
    return FALSE;
  }
  return TRUE;
}

gboolean
zc_wrap_check_memory (const GstZcImage *image, ZcContext *context,
    ZcAllocation *allocation, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;

  if (!zc_context_push (context, &guard, error))
    return FALSE;
  for (guint i = 0; i < image->n_planes; i++) {
    const GstZcPlane *plane = &image->plane[i];

    if (!check_device (plane, i, context, error) ||
        !check_is_device_memory (plane, i, error) ||
        !find_allocation (plane, i, &allocation[i], error) ||
        !check_apart (image, i, error))
      return FALSE;
  }
  return TRUE;
}
