/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* How a filter comes by its context: as GStreamer's elements do, but where they
 * would make a private one it wraps the primary one. */

#include <gst/cuda/gstcudacontext.h>
#include <gst/cuda/gstcudautils.h>
#include <gst/zc/gstzcfilter-private.h>

static gboolean
has_context (ZcFilter *priv)
{
  return g_atomic_pointer_get (&priv->context) != NULL;
}

void
zc_filter_take_context (GstZcFilter *self, GstContext *context)
{
  ZcFilter *priv = zc_filter (self);
  /* The helper gives a reference only where the pointer is NULL. */
  GstCudaContext *found = NULL;
  gint device_id;

  GST_OBJECT_LOCK (self);
  device_id = priv->device_id;
  GST_OBJECT_UNLOCK (self);

  if (!gst_cuda_handle_set_context (GST_ELEMENT (self), context, device_id,
          &found))
    return;

  GST_OBJECT_LOCK (self);
  if (priv->context == NULL)
    priv->context = g_steal_pointer (&found);
  GST_OBJECT_UNLOCK (self);
  gst_clear_object (&found);
}

gboolean
zc_filter_answer_context (GstZcFilter *self, GstQuery *query)
{
  ZcFilter *priv = zc_filter (self);
  GstCudaContext *context = NULL;
  gboolean answered;

  GST_OBJECT_LOCK (self);
  if (priv->context != NULL)
    context = gst_object_ref (priv->context);
  GST_OBJECT_UNLOCK (self);

  answered = gst_cuda_handle_context_query (GST_ELEMENT (self), query, context);
  gst_clear_object (&context);
  return answered;
}

static void
take_own (GstZcFilter *self)
{
  g_autoptr (GstContext) context =
      gst_element_get_context (GST_ELEMENT (self), GST_CUDA_CONTEXT_TYPE);

  if (context != NULL)
    zc_filter_take_context (self, context);
}

static void
ask_neighbour (GstZcFilter *self, GstPad *pad)
{
  g_autoptr (GstQuery) query = gst_query_new_context (GST_CUDA_CONTEXT_TYPE);
  GstContext *context = NULL;

  if (has_context (zc_filter (self)) || !gst_pad_peer_query (pad, query))
    return;
  gst_query_parse_context (query, &context);
  if (context != NULL)
    gst_element_set_context (GST_ELEMENT (self), context);
}

static void
ask_application (GstZcFilter *self)
{
  GstMessage *message;

  if (has_context (zc_filter (self)))
    return;
  message =
      gst_message_new_need_context (GST_OBJECT (self), GST_CUDA_CONTEXT_TYPE);
  gst_element_post_message (GST_ELEMENT (self), message);
}

static gboolean
make_primary (GstZcFilter *self, GError **error)
{
  GstCudaContext *made;
  GstContext *context;

  made = gst_zc_context_new (MAX (zc_filter (self)->device_id, 0), error);
  if (made == NULL)
    return FALSE;

  context = gst_context_new_cuda_context (made);
  gst_object_unref (made);
  gst_element_set_context (GST_ELEMENT (self), context);
  gst_element_post_message (GST_ELEMENT (self),
      gst_message_new_have_context (GST_OBJECT (self), context));
  return TRUE;
}

/* A context that a fault made unusable does not even give a stream. */
gboolean
zc_filter_check_context (GstZcFilter *self, GError **error)
{
  g_autoptr (GstZcStream) stream =
      gst_zc_stream_new (zc_filter (self)->context, error);

  return stream != NULL;
}

gboolean
zc_filter_open_context (GstZcFilter *self, GError **error)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);

  /* What came before the device was asked for may be of another one. */
  zc_filter_close_context (self);
  take_own (self);
  ask_neighbour (self, GST_BASE_TRANSFORM_SRC_PAD (trans));
  ask_neighbour (self, GST_BASE_TRANSFORM_SINK_PAD (trans));
  ask_application (self);

  if ((has_context (zc_filter (self)) || make_primary (self, error)) &&
      zc_filter_check_context (self, error))
    return TRUE;
  zc_filter_close_context (self);
  return FALSE;
}

void
zc_filter_close_context (GstZcFilter *self)
{
  ZcFilter *priv = zc_filter (self);
  GstCudaContext *context;

  GST_OBJECT_LOCK (self);
  context = g_steal_pointer (&priv->context);
  GST_OBJECT_UNLOCK (self);
  gst_clear_object (&context);
}
