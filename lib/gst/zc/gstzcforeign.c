/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcforeign.h"

#include "gstzcproducer.h"
#include "gstzcwraplayout.h"

/* Whom the pixels go back to; one reference a memory. */
typedef struct
{
  gpointer owner;
  GDestroyNotify notify;
} Wrap;

static void
wrap_clear (gpointer data)
{
  Wrap *wrap = data;

  if (wrap->notify)
    wrap->notify (wrap->owner);
}

static void
wrap_unref (gpointer wrap)
{
  g_atomic_rc_box_release_full (wrap, wrap_clear);
}

static gboolean
plane_has_shape (const GstZcPlane *a, const GstZcPlane *b)
{
  return a->width == b->width && a->height == b->height &&
      a->n_channels == b->n_channels && a->channel_bytes == b->channel_bytes &&
      a->pixel_stride == b->pixel_stride;
}

/* A GstVideoMeta can say where planes are, not that they are of another kind
 * than the format's. */
static gboolean
check_shape (const GstZcImage *image, GError **error)
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

/* Mappings of one address range, as PyTorch's expandable segments, follow each
 * other without a gap. */
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
  while (allocation->end < end &&
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

static gboolean
find_layout (ZcWrapLayout *layout, ZcContext *context, const GstZcImage *image,
    GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  ZcAllocation allocation[GST_ZC_MAX_PLANES];
  guint i;

  if (!zc_context_push (context, &guard, error))
    return FALSE;
  for (i = 0; i < image->n_planes; i++) {
    if (!check_device (&image->plane[i], i, context, error) ||
        !find_allocation (&image->plane[i], i, &allocation[i], error))
      return FALSE;
  }
  return zc_wrap_layout_init (layout, image, allocation, error);
}

static gboolean
check_image (const GstZcImage *image, ZcContext *context, GError **error)
{
  if (!check_shape (image, error))
    return FALSE;
  if (image->device == context->device)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_WRONG_DEVICE,
      "The image is said to be on CUDA device %d, the context is of device %d: "
      "give a context of the memory's device",
      image->device, context->device);
  return FALSE;
}

static GstBuffer *
new_buffer (const ZcWrapLayout *layout, const GstZcImage *image,
    GstCudaContext *context, GstCudaStream *bridge, Wrap *wrap)
{
  GstBuffer *buffer = gst_buffer_new ();
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };
  guint i;

  for (i = 0; i < layout->n_memory; i++) {
    const ZcWrapMemory *memory = &layout->memory[i];

    gst_buffer_append_memory (buffer,
        zc_allocator_wrap (zc_allocator_get (), context, bridge, &memory->info,
            &memory->rows, memory->address, g_atomic_rc_box_acquire (wrap),
            wrap_unref));
  }
  for (i = 0; i < image->n_planes; i++) {
    offset[i] = layout->offset[i];
    stride[i] = layout->stride[i];
  }
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      image->format, image->width, image->height, image->n_planes, offset,
      stride);
  return buffer;
}

static GstBuffer *
wrap_planes (ZcContext *state, GstCudaContext *context, const GstZcImage *image,
    const GstZcProducer *producer, Wrap *wrap, GError **error)
{
  GstCudaStream *bridge;
  GstBuffer *buffer;
  ZcWrapLayout layout;

  if (!check_image (image, state, error) ||
      !find_layout (&layout, state, image, error) ||
      !(bridge = zc_context_get_bridge (state, error)))
    return NULL;
  buffer = new_buffer (&layout, image, context, bridge, wrap);
  if (!zc_producer_order (producer, state, buffer, error))
    gst_clear_buffer (&buffer);
  return buffer;
}

GstBuffer *
gst_zc_buffer_new_wrapped (GstCudaContext *context, const GstZcImage *image,
    const GstZcProducer *producer, gpointer owner, GDestroyNotify notify,
    GError **error)
{
  g_autoptr (ZcContext) state = NULL;
  GstBuffer *buffer;
  Wrap *wrap;

  g_return_val_if_fail (context != NULL, NULL);
  g_return_val_if_fail (image != NULL, NULL);
  g_return_val_if_fail (producer != NULL, NULL);

  state = zc_context_get (context, error);
  if (!state)
    return NULL;
  /* @notify last: what is dropped on failure goes back to nobody. */
  wrap = g_atomic_rc_box_new0 (Wrap);
  buffer = wrap_planes (state, context, image, producer, wrap, error);
  if (buffer) {
    wrap->owner = owner;
    wrap->notify = notify;
  }
  wrap_unref (wrap);
  return buffer;
}
