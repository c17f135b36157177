/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Arrays of others as pictures. */

#include "gstzcarray-private.h"
#include "gstzcarraylayout.h"

/* Who wrote arrays with different streams: one that has waited for them all. */
static gboolean
join_producers (GstZcProducer *producer, ZcContext *context,
    GstZcArray *const *arrays, guint n_arrays, GError **error)
{
  GstCudaStream *bridge = zc_context_get_bridge (context, error);
  g_autoptr (GstZcStream) stream =
      bridge ? zc_stream_new_lent (context, bridge, error) : NULL;

  if (!stream)
    return FALSE;
  for (guint i = 0; i < n_arrays; i++) {
    const GstZcProducer each = { GST_ZC_PRODUCER_CAI,
      .cai_stream = arrays[i]->cai_stream };

    if (!gst_zc_stream_wait_producer (stream, &each, error))
      return FALSE;
  }
  producer->kind = GST_ZC_PRODUCER_STREAM;
  producer->handle = gst_zc_stream_get_handle (stream);
  return TRUE;
}

static gboolean
find_producer (GstZcProducer *producer, ZcContext *context,
    GstZcArray *const *arrays, guint n_arrays, GError **error)
{
  gboolean one_stream = TRUE;

  *producer = (GstZcProducer) { GST_ZC_PRODUCER_CAI,
    .cai_stream = arrays[0]->cai_stream };
  for (guint i = 0; i < n_arrays; i++) {
    producer->read_only |= arrays[i]->read_only;
    one_stream &= arrays[i]->cai_stream == producer->cai_stream;
  }
  return one_stream ||
      join_producers (producer, context, arrays, n_arrays, error);
}

static gboolean
check_devices (GstZcArray *const *arrays, guint n_arrays, gint device,
    GError **error)
{
  for (guint i = 0; i < n_arrays; i++) {
    if (arrays[i]->device < 0 || arrays[i]->device == device)
      continue;
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_WRONG_DEVICE,
        "Array %u: device is %d, but the context is of device %d: give a "
        "context of the memory's device",
        i, arrays[i]->device, device);
    return FALSE;
  }
  return TRUE;
}

static gboolean
describe (GstZcImage *image, GstZcProducer *producer, ZcContext *context,
    const GstVideoInfo *info, GstZcArray *const *arrays, guint n_arrays,
    GError **error)
{
  return check_devices (arrays, n_arrays, context->device, error) &&
      zc_image_init_from_arrays (image, info, arrays, n_arrays, context->device,
          error) &&
      find_producer (producer, context, arrays, n_arrays, error);
}

/* Of the device that @address is on. */
static GstCudaContext *
primary_context (guint64 address, GError **error)
{
  gint device;

  if (gst_zc_address_get_device (address, &device, error))
    return gst_zc_context_new (device, error);
  g_prefix_error (error, "Array 0: ");
  return NULL;
}

static gboolean
check_arrays (GstZcArray *const *arrays, guint n_arrays, GError **error)
{
  if (n_arrays > 0 && n_arrays <= GST_ZC_MAX_PLANES)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "%u arrays were given; a picture has 1 to %d planes", n_arrays,
      GST_ZC_MAX_PLANES);
  return FALSE;
}

static GstCudaContext *
find_context (GstCudaContext *context, GstZcArray *const *arrays,
    guint n_arrays, GError **error)
{
  if (!check_arrays (arrays, n_arrays, error))
    return NULL;
  return context ? gst_object_ref (context)
                 : primary_context (arrays[0]->data, error);
}

GstBuffer *
gst_zc_buffer_new_from_arrays (GstCudaContext *context,
    const GstVideoInfo *info, GstZcArray **arrays, guint n_arrays,
    gpointer owner, GDestroyNotify notify, GError **error)
{
  g_autoptr (ZcContext) state = NULL;
  GstBuffer *buffer = NULL;
  GstZcProducer producer;
  GstZcImage image;
  gboolean ok;

  g_return_val_if_fail (info != NULL, NULL);
  g_return_val_if_fail (arrays != NULL || n_arrays == 0, NULL);

  context = find_context (context, arrays, n_arrays, error);
  state = context ? zc_context_get (context, error) : NULL;
  ok = state &&
      describe (&image, &producer, state, info, arrays, n_arrays, error);
  if (ok)
    buffer = gst_zc_buffer_new_wrapped (context, &image, &producer, owner,
        notify, error);
  else if (notify)
    notify (owner);
  gst_clear_object (&context);
  return buffer;
}
