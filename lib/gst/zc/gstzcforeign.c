/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcforeign.h"

#include "gstzcproducer.h"
#include "gstzcupright.h"
#include "gstzcwrapcheck.h"

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
check_image (const GstZcImage *image, ZcContext *context, GError **error)
{
  if (!zc_wrap_check_shape (image, error))
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

static void
forbid_writing (GstBuffer *buffer)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++)
    GST_MINI_OBJECT_FLAG_SET (gst_buffer_peek_memory (buffer, i),
        GST_MEMORY_FLAG_READONLY);
}

/* All strides of @image are positive. */
static GstBuffer *
wrap_planes (ZcContext *state, GstCudaContext *context, const GstZcImage *image,
    const GstZcProducer *producer, Wrap *wrap, GError **error)
{
  ZcAllocation allocation[GST_ZC_MAX_PLANES];
  GstCudaStream *bridge;
  GstBuffer *buffer;
  ZcWrapLayout layout;

  if (!zc_wrap_check_memory (image, state, allocation, error) ||
      !zc_wrap_layout_init (&layout, image, allocation, error) ||
      !(bridge = zc_context_get_bridge (state, error)))
    return NULL;
  buffer = new_buffer (&layout, image, context, bridge, wrap);
  if (!zc_producer_order (producer, state, buffer, error))
    gst_clear_buffer (&buffer);
  return buffer;
}

static GstBuffer *
wrap_image (ZcContext *state, GstCudaContext *context, const GstZcImage *image,
    const GstZcProducer *producer, Wrap *wrap, GError **error)
{
  gboolean mirror;
  GstZcImage upright;
  GstBuffer *buffer;

  if (!check_image (image, state, error))
    return NULL;
  mirror = zc_upright_mirror (&upright, image);
  buffer = wrap_planes (state, context, &upright, producer, wrap, error);
  if (buffer && mirror)
    buffer = zc_upright_copy (state, buffer, image, error);
  else if (buffer && producer->read_only)
    forbid_writing (buffer);
  return buffer;
}

GstBuffer *
gst_zc_buffer_new_wrapped (GstCudaContext *context, const GstZcImage *image,
    const GstZcProducer *producer, gpointer owner, GDestroyNotify notify,
    GError **error)
{
  g_autoptr (ZcContext) state = NULL;
  GstBuffer *buffer = NULL;
  Wrap *wrap;

  g_return_val_if_fail (context != NULL, NULL);
  g_return_val_if_fail (image != NULL, NULL);
  g_return_val_if_fail (producer != NULL, NULL);

  wrap = g_atomic_rc_box_new0 (Wrap);
  wrap->owner = owner;
  wrap->notify = notify;
  state = zc_context_get (context, error);
  if (state)
    buffer = wrap_image (state, context, image, producer, wrap, error);
  wrap_unref (wrap);
  return buffer;
}
