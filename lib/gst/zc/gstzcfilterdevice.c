/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A filter that was not told a device works where its frames are. Caps name no
 * device and state changes begin downstream, so that only a frame tells. */

#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/gstzcfilter-private.h>

guint
zc_device_of (GstCudaContext *context)
{
  guint device;

  g_object_get (context, "cuda-device-id", &device, NULL);
  return device;
}

static GstCudaContext *
context_of (GstBuffer *buffer)
{
  GstMemory *memory;

  if (gst_buffer_n_memory (buffer) == 0)
    return NULL;
  memory = gst_buffer_peek_memory (buffer, 0);
  return gst_is_cuda_memory (memory) ? GST_CUDA_MEMORY_CAST (memory)->context
                                     : NULL;
}

static gboolean
is_elsewhere (GstZcFilter *self, GstCudaContext *context)
{
  ZcFilter *priv = zc_filter (self);
  gboolean told;

  GST_OBJECT_LOCK (self);
  told = priv->device_id >= 0;
  GST_OBJECT_UNLOCK (self);
  return !told && context != NULL &&
      !gst_zc_context_same (context, priv->context) &&
      zc_device_of (context) != zc_device_of (priv->context);
}

static void
use_context (GstZcFilter *self, GstCudaContext *context)
{
  ZcFilter *priv = zc_filter (self);
  GstCudaContext *old;

  GST_OBJECT_LOCK (self);
  old = priv->context;
  priv->context = gst_object_ref (context);
  GST_OBJECT_UNLOCK (self);
  gst_object_unref (old);
}

/* Stream, kernels and pools are all of the device. */
void
zc_filter_before_transform (GstBaseTransform *trans, GstBuffer *in)
{
  GstZcFilter *self = GST_ZC_FILTER (trans);
  GstCudaContext *context = context_of (in);
  g_autoptr (GError) error = NULL;

  if (!is_elsewhere (self, context))
    return;
  GST_INFO_OBJECT (self, "frames come from CUDA device %u now",
      zc_device_of (context));
  zc_filter_close_stream (self);
  use_context (self, context);
  if (!zc_filter_open_stream (self, &error))
    zc_filter_report (self, &error);
  gst_base_transform_reconfigure_src (trans);
}
