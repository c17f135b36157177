/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What happens to each frame, and what is counted of it. */

#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/gstzcaccess.h>
#include <gst/zc/gstzcfilter-private.h>

static GQuark
seen_quark (void)
{
  return g_quark_from_static_string ("zc-filter-seen");
}

/* A pool says to nobody that it had to allocate; a buffer seen for the first
 * time does. */
static void
count_pool (GstZcFilter *self, GstBuffer *out)
{
  GstMiniObject *object = GST_MINI_OBJECT_CAST (out);
  ZcFilter *priv = zc_filter (self);

  if (gst_mini_object_get_qdata (object, seen_quark ()) != NULL)
    return;
  gst_mini_object_set_qdata (object, seen_quark (), priv, NULL);
  if (++priv->pool_seen <= priv->pool_min)
    return;
  GST_OBJECT_LOCK (self);
  priv->stats.pool_misses++;
  GST_OBJECT_UNLOCK (self);
}

static GstFlowReturn
acquire (GstBaseTransform *trans, GstBuffer *in, GstBuffer **out,
    GError **error)
{
  GstZcFilter *self = GST_ZC_FILTER (trans);
  GstBufferPool *pool = gst_base_transform_get_buffer_pool (trans);
  GstFlowReturn flow = GST_FLOW_ERROR;

  if (pool != NULL && gst_buffer_pool_set_active (pool, TRUE))
    flow = gst_buffer_pool_acquire_buffer (pool, out, NULL);
  gst_clear_object (&pool);

  if (flow == GST_FLOW_OK) {
    count_pool (self, *out);
    GST_BASE_TRANSFORM_GET_CLASS (trans)->copy_metadata (trans, in, *out);
  } else if (flow == GST_FLOW_ERROR) {
    zc_filter_set_memory_error (self, error);
  }
  return flow;
}

GstFlowReturn
zc_filter_prepare_output_buffer (GstBaseTransform *trans, GstBuffer *in,
    GstBuffer **out)
{
  GstZcFilter *self = GST_ZC_FILTER (trans);
  GstZcFilterClass *klass = GST_ZC_FILTER_GET_CLASS (self);
  g_autoptr (GError) error = NULL;
  GstFlowReturn flow = GST_FLOW_OK;

  *out = NULL;
  /* No stream: its device gave none, which was said. */
  if (zc_filter (self)->stream == NULL ||
      (klass->check != NULL && !klass->check (self, in, &error)))
    flow = GST_FLOW_ERROR;
  else if (gst_base_transform_is_passthrough (trans) ||
      (klass->passes != NULL && klass->passes (self, in)))
    *out = in;
  else
    flow = acquire (trans, in, out, &error);

  zc_filter_report (self, &error);
  if (*out == in)
    zc_filter_set_failing (self, FALSE);
  return flow;
}

gboolean
zc_filter_process (GstZcFilter *self, GstBuffer *in, GstBuffer *out,
    GError **error)
{
  GstZcFilterClass *klass = GST_ZC_FILTER_GET_CLASS (self);
  ZcFilter *priv = zc_filter (self);
  /* For all of the frame's calls, each of which would do the same. */
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  GstZcFrame in_frame, out_frame;
  gboolean ok;

  if (!gst_zc_filter_check_local (self, in, error) ||
      !zc_context_push (priv->stream->key.context, &guard, error) ||
      !gst_zc_frame_map (&in_frame, in, &priv->in_info, GST_MAP_READ,
          priv->stream, error))
    return FALSE;
  ok = gst_zc_frame_map (&out_frame, out, &priv->out_info, GST_MAP_WRITE,
      priv->stream, error);
  if (ok) {
    ok = klass->process_frame (self, &out_frame, &in_frame, error);
    ok &= gst_zc_frame_unmap (&out_frame, ok ? error : NULL);
  }
  ok &= gst_zc_frame_unmap (&in_frame, ok ? error : NULL);
  return ok;
}

GstFlowReturn
zc_filter_transform (GstBaseTransform *trans, GstBuffer *in, GstBuffer *out)
{
  GstZcFilter *self = GST_ZC_FILTER (trans);
  ZcFilter *priv = zc_filter (self);
  g_autoptr (GError) error = NULL;

  if (in == out)
    return GST_FLOW_OK;
  if (!GST_ZC_FILTER_GET_CLASS (self)->process (self, in, out, &error)) {
    zc_filter_report (self, &error);
    return GST_FLOW_ERROR;
  }
  zc_filter_describe_output (self, out);

  GST_OBJECT_LOCK (self);
  priv->failing = FALSE;
  priv->stats.frames++;
  priv->stats.bytes += GST_VIDEO_INFO_SIZE (&priv->in_info);
  GST_OBJECT_UNLOCK (self);
  return GST_FLOW_OK;
}

/* Memory */

gboolean
gst_zc_buffer_is_cuda (GstBuffer *buffer)
{
  guint n = gst_buffer_n_memory (buffer);

  for (guint i = 0; i < n; i++) {
    if (!gst_is_cuda_memory (gst_buffer_peek_memory (buffer, i)))
      return FALSE;
  }
  return n > 0;
}

static gboolean
is_on_own_device (GstZcFilter *self, GstMemory *memory)
{
  GstCudaContext *own = zc_filter (self)->context;
  GstCudaContext *context = GST_CUDA_MEMORY_CAST (memory)->context;

  return gst_zc_context_same (context, own) ||
      zc_device_of (context) == zc_device_of (own);
}

/* The first memory of another device, or NULL. */
static GstMemory *
find_elsewhere (GstZcFilter *self, GstBuffer *buffer)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);

    if (gst_is_cuda_memory (memory) && !is_on_own_device (self, memory))
      return memory;
  }
  return NULL;
}

gboolean
gst_zc_filter_is_local (GstZcFilter *self, GstBuffer *buffer)
{
  return find_elsewhere (self, buffer) == NULL;
}

gboolean
gst_zc_filter_check_local (GstZcFilter *self, GstBuffer *buffer, GError **error)
{
  GstMemory *elsewhere;
  gint device;

  if (!gst_zc_buffer_is_cuda (buffer)) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NOT_CUDA,
        "A buffer came with memory:CUDAMemory caps and other memory in it: the "
        "element before %s is at fault",
        GST_OBJECT_NAME (self));
    return FALSE;
  }
  elsewhere = find_elsewhere (self, buffer);
  if (elsewhere == NULL)
    return TRUE;
  if (!zc_access_check_one_device (buffer, &device, error))
    return FALSE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_WRONG_DEVICE,
      "A buffer came in memory of CUDA device %d, but %s works on device %u: "
      "set cuda-device-id to one number in both elements, or put zcupload with "
      "cuda-device-id=%u in between, which copies it",
      device, GST_OBJECT_NAME (self), zc_device_of (zc_filter (self)->context),
      zc_device_of (zc_filter (self)->context));
  return FALSE;
}
