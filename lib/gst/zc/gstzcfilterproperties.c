/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What a filter is told and what it tells: the device, and what it counted. */

#include <gst/zc/gstzcfilter-private.h>
#include <gst/zc/gstzcpinned-private.h>
#include <gst/zc/gstzcstream-private.h>

enum
{
  PROP_CUDA_DEVICE_ID = 1,
  PROP_STATS,
};

/* Bytes that are page-locked, by the lock of @self. */
typedef struct
{
  guint64 pools;
  guint64 registered;
  guint64 ring;
} Locked;

static Locked
get_locked (GstZcFilter *self)
{
  ZcFilter *priv = zc_filter (self);

  return (Locked) {
    .pools =
        priv->pinned != NULL ? zc_pinned_allocator_get_bytes (priv->pinned) : 0,
    .registered = zc_transfer_state_get_registered (&priv->transfer),
    .ring = zc_transfer_state_get_staging (&priv->transfer),
  };
}

static gint
get_device_id (GstZcFilter *self)
{
  ZcFilter *priv = zc_filter (self);
  GstCudaContext *context = NULL;
  gint asked;
  guint used;

  GST_OBJECT_LOCK (self);
  asked = priv->device_id;
  if (priv->context != NULL)
    context = gst_object_ref (priv->context);
  GST_OBJECT_UNLOCK (self);

  if (context == NULL)
    return asked;
  g_object_get (context, "cuda-device-id", &used, NULL);
  gst_object_unref (context);
  return used;
}

static GstStructure *
describe (const ZcFilterStats *stats, const Locked *locked)
{
  const struct
  {
    const gchar *name;
    guint64 value;
  } fields[] = {
    { "frames", stats->frames },
    { "bytes", stats->bytes },
    { "pinned", stats->route[ZC_ROUTE_PINNED] },
    { "registered", stats->route[ZC_ROUTE_REGISTERED] },
    { "staged", stats->route[ZC_ROUTE_STAGED] },
    { "pageable", stats->route[ZC_ROUTE_PAGEABLE] },
    { "peer", stats->peer },
    { "host-waits", stats->host_waits },
    { "event-waits", stats->event_waits },
    { "pool-misses", stats->pool_misses },
    { "pinned-bytes", locked->pools },
    { "registered-bytes", locked->registered },
    { "ring-bytes", locked->ring },
  };
  GstStructure *structure = gst_structure_new_empty ("application/x-zc-stats");

  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    gst_structure_set (structure, fields[i].name, G_TYPE_UINT64,
        fields[i].value, NULL);
  return structure;
}

static GstStructure *
get_stats (GstZcFilter *self)
{
  ZcFilter *priv = zc_filter (self);
  ZcFilterStats stats;
  Locked locked;

  GST_OBJECT_LOCK (self);
  stats = priv->stats;
  locked = get_locked (self);
  if (priv->stream != NULL)
    stats.event_waits +=
        __atomic_load_n (&priv->stream->event_waits, __ATOMIC_RELAXED);
  GST_OBJECT_UNLOCK (self);

  return describe (&stats, &locked);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  switch (id) {
    case PROP_CUDA_DEVICE_ID:
      GST_OBJECT_LOCK (object);
      zc_filter (GST_ZC_FILTER (object))->device_id = g_value_get_int (value);
      GST_OBJECT_UNLOCK (object);
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstZcFilter *self = GST_ZC_FILTER (object);

  switch (id) {
    case PROP_CUDA_DEVICE_ID:
      g_value_set_int (value, get_device_id (self));
      break;
    case PROP_STATS:
      g_value_take_boxed (value, get_stats (self));
      break;
    default:
      G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

void
zc_filter_install_properties (GObjectClass *object_class)
{
  object_class->set_property = set_property;
  object_class->get_property = get_property;

  g_object_class_install_property (object_class, PROP_CUDA_DEVICE_ID,
      g_param_spec_int ("cuda-device-id", "CUDA device",
          "Number of the CUDA device to work on, -1 for that of the "
          "neighbours or else the first; looked at when going to READY; from "
          "then on it tells the device in use",
          -1, G_MAXINT, -1, G_PARAM_READWRITE | G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (object_class, PROP_STATS,
      g_param_spec_boxed ("stats", "Statistics",
          "What was done so far: frames, bytes, frames whose host side was "
          "pinned, registered, staged or pageable, frames from a peer device, "
          "host-waits and event-waits for the GPU, pool-misses; and what is "
          "page-locked now: pinned-bytes of pools, registered-bytes of others, "
          "ring-bytes",
          GST_TYPE_STRUCTURE, G_PARAM_READABLE | G_PARAM_STATIC_STRINGS));
}
