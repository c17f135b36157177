/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "elements.h"

#include <gst/base/gstbasetransform.h>
#include <gst/cuda/gstcudabufferpool.h>
#include <gst/cuda/gstcudamemory.h>
#include <string.h>

#define CAPS "video/x-raw(memory:CUDAMemory)"
#define N_VALUES 100

static OrderRun *current;

guint8
order_value_at (GstClockTime time)
{
  return 1 + time / ORDER_FRAME_TIME % N_VALUES;
}

guint8
order_painted_at (GstClockTime time)
{
  return 1 + N_VALUES + time / ORDER_FRAME_TIME % N_VALUES;
}

/* The three have all but the work itself in common. */
typedef struct
{
  GstBaseTransform parent;
  gchar *kind;
  GstVideoInfo info;
  OrderStream stream; /* from start to stop */
} Foreign;

typedef struct
{
  GstBaseTransformClass parent_class;
} ForeignClass;

static GType foreign_get_type (void);
G_DEFINE_ABSTRACT_TYPE (Foreign, foreign, GST_TYPE_BASE_TRANSFORM)

static Access
access_of (Foreign *self)
{
  Access access = { .run = current,
    .user = strcmp (self->kind, "bridge") ? USER_OTHER : USER_BRIDGE,
    .stream = self->stream.zc };

  return access;
}

static OrderStreamKind
stream_kind (const gchar *kind)
{
  if (g_str_equal (kind, "legacy"))
    return ORDER_STREAM_LEGACY;
  return g_str_equal (kind, "default") ? ORDER_STREAM_DEFAULT
                                       : ORDER_STREAM_OWN;
}

static gboolean
start (GstBaseTransform *trans)
{
  Foreign *self = (Foreign *) trans;

  order_stream_init (&self->stream, current->context, stream_kind (self->kind));
  return TRUE;
}

static gboolean
stop (GstBaseTransform *trans)
{
  order_stream_clear (&((Foreign *) trans)->stream);
  return TRUE;
}

static gboolean
set_caps (GstBaseTransform *trans, GstCaps *in, GstCaps *out)
{
  return gst_video_info_from_caps (&((Foreign *) trans)->info, in);
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *spec)
{
  Foreign *self = (Foreign *) object;

  g_free (self->kind);
  self->kind = g_value_dup_string (value);
}

static void
finalize (GObject *object)
{
  g_free (((Foreign *) object)->kind);
  G_OBJECT_CLASS (foreign_parent_class)->finalize (object);
}

static void
add_template (GstElementClass *klass, GstPadDirection direction)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (CAPS);

  gst_element_class_add_pad_template (klass,
      gst_pad_template_new (direction == GST_PAD_SINK ? "sink" : "src",
          direction, GST_PAD_ALWAYS, caps));
}

static void
foreign_class_init (ForeignClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);

  object_class->set_property = set_property;
  object_class->finalize = finalize;
  g_object_class_install_property (object_class, 1,
      g_param_spec_string ("stream", NULL, NULL, "bridge",
          G_PARAM_WRITABLE | G_PARAM_STATIC_STRINGS));
  add_template (GST_ELEMENT_CLASS (klass), GST_PAD_SINK);
  add_template (GST_ELEMENT_CLASS (klass), GST_PAD_SRC);
  gst_element_class_set_static_metadata (GST_ELEMENT_CLASS (klass), "Foreign",
      "Filter/Video", "Keeps to GStreamer's rules", "The gst-zc authors");
  transform_class->start = start;
  transform_class->stop = stop;
  transform_class->set_caps = set_caps;
}

static void
foreign_init (Foreign *self)
{
  self->kind = g_strdup ("bridge");
}

/* orderpaint */

typedef Foreign Paint;
typedef ForeignClass PaintClass;
static GType paint_get_type (void);
G_DEFINE_TYPE (Paint, paint, foreign_get_type ())

static GstFlowReturn
paint (GstBaseTransform *trans, GstBuffer *buffer)
{
  Access access = access_of ((Foreign *) trans);

  user_write (&access, buffer, &((Foreign *) trans)->info,
      order_painted_at (GST_BUFFER_PTS (buffer)));
  return GST_FLOW_OK;
}

static void
paint_class_init (PaintClass *klass)
{
  GST_BASE_TRANSFORM_CLASS (klass)->transform_ip = paint;
}

static void
paint_init (Paint *self)
{
}

/* orderlook */

typedef Foreign Looker;
typedef ForeignClass LookerClass;
static GType looker_get_type (void);
G_DEFINE_TYPE (Looker, looker, foreign_get_type ())

static GstFlowReturn
look (GstBaseTransform *trans, GstBuffer *buffer)
{
  Access access = access_of ((Foreign *) trans);

  user_read (&access, buffer, &((Foreign *) trans)->info,
      order_value_at (GST_BUFFER_PTS (buffer)));
  return GST_FLOW_OK;
}

static void
looker_class_init (LookerClass *klass)
{
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);

  transform_class->transform_ip = look;
  transform_class->passthrough_on_same_caps = TRUE;
  transform_class->transform_ip_on_passthrough = TRUE;
}

static void
looker_init (Looker *self)
{
}

/* ordercopy */

typedef Foreign Copier;
typedef ForeignClass CopierClass;
static GType copier_get_type (void);
G_DEFINE_TYPE (Copier, copier, foreign_get_type ())

static GstBufferPool *
new_pool (GstCaps *caps)
{
  GstBufferPool *pool = gst_cuda_buffer_pool_new (current->context);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstCudaStream *stream = gst_cuda_stream_new (current->context);

  gst_buffer_pool_config_set_params (config, caps, 0, 0, 0);
  gst_buffer_pool_config_set_cuda_stream (config, stream);
  gst_clear_cuda_stream (&stream);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  return pool;
}

static gboolean
decide_allocation (GstBaseTransform *trans, GstQuery *query)
{
  g_autoptr (GstBufferPool) pool = NULL;
  guint size = GST_VIDEO_INFO_SIZE (&((Foreign *) trans)->info);
  GstCaps *caps;

  gst_query_parse_allocation (query, &caps, NULL);
  pool = new_pool (caps);
  if (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_set_nth_allocation_pool (query, 0, pool, size, 0, 0);
  else
    gst_query_add_allocation_pool (query, pool, size, 0, 0);
  return TRUE;
}

static GstFlowReturn
copy (GstBaseTransform *trans, GstBuffer *in, GstBuffer *out)
{
  Foreign *self = (Foreign *) trans;

  user_copy (current, out, in, &self->info);
  return GST_FLOW_OK;
}

static void
copier_class_init (CopierClass *klass)
{
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);

  transform_class->decide_allocation = decide_allocation;
  transform_class->transform = copy;
}

static void
copier_init (Copier *self)
{
}

void
order_elements_init (OrderRun *run)
{
  current = run;
  if (gst_registry_check_feature_version (gst_registry_get (), "orderpaint", 0,
          0, 0))
    return;
  gst_element_register (NULL, "orderpaint", GST_RANK_NONE, paint_get_type ());
  gst_element_register (NULL, "orderlook", GST_RANK_NONE, looker_get_type ());
  gst_element_register (NULL, "ordercopy", GST_RANK_NONE, copier_get_type ());
}
