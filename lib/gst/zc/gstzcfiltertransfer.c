/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Frames that have their other side in host memory or on another device, and
 * what is counted of them. */

#include <gst/zc/gstzcfilter-private.h>

/* It is so all the time, and not only until memory is registered. */
#define MANY 64

/* Once from start to stop, since it costs on each frame. */
static void
say_slow (GstZcFilter *self, const gchar *text)
{
  static GstDebugCategory *category;
  ZcFilter *priv = zc_filter (self);
  gboolean said;

  GST_OBJECT_LOCK (self);
  said = priv->said_slow;
  priv->said_slow = TRUE;
  GST_OBJECT_UNLOCK (self);
  if (said)
    return;
  if (category == NULL)
    GST_DEBUG_CATEGORY_GET (category, "GST_PERFORMANCE");
  GST_CAT_WARNING_OBJECT (category, self, "%s", text);
}

static void
count_route (GstZcFilter *self, ZcRoute route)
{
  ZcFilter *priv = zc_filter (self);
  guint64 n;

  GST_OBJECT_LOCK (self);
  n = ++priv->stats.route[route];
  GST_OBJECT_UNLOCK (self);

  if (n % MANY != 0)
    return;
  if (route == ZC_ROUTE_PAGEABLE)
    say_slow (self,
        "frames are in pageable host memory that the driver copies, slowly: "
        "take the pool or allocator that this element offers, or raise "
        "max-pinned-bytes");
  else if (route == ZC_ROUTE_STAGED)
    say_slow (self,
        "frames are in ever new host memory and are copied once more by the "
        "CPU: take the pool or allocator that this element offers");
}

gboolean
gst_zc_filter_upload (GstZcFilter *self, GstZcFrame *frame, GstBuffer *host,
    GError **error)
{
  ZcFilter *priv = zc_filter (self);
  ZcRoute route;
  gboolean ok = zc_transfer_upload (&priv->transfer, frame, host,
      &priv->in_info, &route, error);

  if (ok)
    count_route (self, route);
  return ok;
}

GstZcCopy *
gst_zc_filter_download_start (GstZcFilter *self, GstZcFrame *frame,
    GstBuffer *host, GError **error)
{
  ZcFilter *priv = zc_filter (self);
  ZcRoute route;
  GstZcCopy *copy = zc_transfer_download_start (&priv->transfer, frame, host,
      &priv->out_info, &route, error);

  if (copy == NULL)
    return NULL;
  count_route (self, route);
  GST_OBJECT_LOCK (self);
  priv->stats.host_waits++;
  GST_OBJECT_UNLOCK (self);
  return copy;
}

GstZcStream *
gst_zc_filter_get_stream_at (GstZcFilter *self, GstBuffer *buffer,
    GError **error)
{
  ZcFilter *priv = zc_filter (self);

  return gst_zc_filter_is_local (self, buffer)
      ? priv->stream
      : zc_peer_get_stream (&priv->peer, buffer, error);
}

gboolean
gst_zc_filter_copy_peer (GstZcFilter *self, GstZcFrame *frame,
    GstBuffer *buffer, GError **error)
{
  ZcFilter *priv = zc_filter (self);
  gboolean staged = FALSE;

  if (!zc_peer_copy (&priv->peer, frame, buffer, &priv->in_info,
          zc_filter_get_pinned (self), &staged, error))
    return FALSE;
  GST_OBJECT_LOCK (self);
  priv->stats.peer++;
  GST_OBJECT_UNLOCK (self);
  if (staged)
    say_slow (self,
        "frames come from a CUDA device that this one has no access to, and "
        "are copied by way of host memory");
  return TRUE;
}

void
gst_zc_filter_set_max_pinned_bytes (GstZcFilter *self, guint64 bytes)
{
  GST_OBJECT_LOCK (self);
  zc_filter (self)->max_pinned_bytes = bytes;
  GST_OBJECT_UNLOCK (self);
}

guint64
gst_zc_filter_get_max_pinned_bytes (GstZcFilter *self)
{
  guint64 bytes;

  GST_OBJECT_LOCK (self);
  bytes = zc_filter (self)->max_pinned_bytes;
  GST_OBJECT_UNLOCK (self);
  return bytes;
}

void
zc_filter_open_transfer (GstZcFilter *self)
{
  ZcFilter *priv = zc_filter (self);
  ZcTransferState state;

  zc_transfer_state_init (&state, priv->stream->key.context,
      gst_zc_filter_get_max_pinned_bytes (self));
  GST_OBJECT_LOCK (self);
  priv->transfer = state;
  GST_OBJECT_UNLOCK (self);
}

void
zc_filter_close_transfer (GstZcFilter *self)
{
  ZcFilter *priv = zc_filter (self);
  g_autoptr (GError) error = NULL;
  ZcTransferState state;

  GST_OBJECT_LOCK (self);
  state = priv->transfer;
  priv->transfer = (ZcTransferState) { 0 };
  GST_OBJECT_UNLOCK (self);
  /* A host wait, at a stop: memory is unregistered that copies may still
   * use. */
  if (priv->stream != NULL &&
      !zc_stream_key_finish (&priv->stream->key, &error))
    GST_WARNING_OBJECT (self, "%s", error->message);
  zc_transfer_state_clear (&state);
  zc_peer_clear (&priv->peer);
}
