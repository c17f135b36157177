/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/gstzcfilter-private.h>
#include <gst/zc/gstzcflipkernel.h>
#include <gst/zc/gstzcreaper.h>

typedef struct
{
  ZcFilter filter;
} GstZcFilterPrivate;

G_DEFINE_ABSTRACT_TYPE_WITH_PRIVATE (GstZcFilter, gst_zc_filter,
    GST_TYPE_BASE_TRANSFORM)

#define PARENT_ELEMENT GST_ELEMENT_CLASS (gst_zc_filter_parent_class)
#define PARENT_TRANSFORM GST_BASE_TRANSFORM_CLASS (gst_zc_filter_parent_class)

ZcFilter *
zc_filter (GstZcFilter *self)
{
  GstZcFilterPrivate *priv = gst_zc_filter_get_instance_private (self);

  return &priv->filter;
}

/* What subclasses see */

GstCudaContext *
gst_zc_filter_get_context (GstZcFilter *self)
{
  return zc_filter (self)->context;
}

GstZcStream *
gst_zc_filter_get_stream (GstZcFilter *self)
{
  return zc_filter (self)->stream;
}

const GstVideoInfo *
gst_zc_filter_get_in_info (GstZcFilter *self)
{
  return &zc_filter (self)->in_info;
}

const GstVideoInfo *
gst_zc_filter_get_out_info (GstZcFilter *self)
{
  return &zc_filter (self)->out_info;
}

gboolean
gst_zc_filter_is_in_cuda (GstZcFilter *self)
{
  return zc_filter (self)->in_cuda;
}

gboolean
gst_zc_filter_is_out_cuda (GstZcFilter *self)
{
  return zc_filter (self)->out_cuda;
}

gboolean
gst_zc_filter_load_kernels (GstZcFilter *self, GError **error)
{
  return zc_kernels_load (zc_filter (self)->stream->key.context, error);
}

void
gst_zc_filter_drain (GstZcFilter *self)
{
  GstZcStream *stream = zc_filter (self)->stream;

  if (stream != NULL)
    zc_reaper_drain (stream->key.context, stream);
}

/* States */

static void
set_context (GstElement *element, GstContext *context)
{
  zc_filter_take_context (GST_ZC_FILTER (element), context);
  PARENT_ELEMENT->set_context (element, context);
}

/* Others happen while frames flow, and fail. */
static gboolean
is_start (GstStateChange transition)
{
  return transition == GST_STATE_CHANGE_NULL_TO_READY ||
      transition == GST_STATE_CHANGE_READY_TO_PAUSED;
}

static GstStateChangeReturn
change_state (GstElement *element, GstStateChange transition)
{
  GstZcFilter *self = GST_ZC_FILTER (element);
  g_autoptr (GError) error = NULL;
  GstStateChangeReturn result;

  if (is_start (transition))
    zc_filter_set_failing (self, FALSE);
  if (transition == GST_STATE_CHANGE_NULL_TO_READY &&
      !zc_filter_open_context (self, &error)) {
    zc_filter_report (self, &error);
    return GST_STATE_CHANGE_FAILURE;
  }

  result = PARENT_ELEMENT->change_state (element, transition);

  if (transition == GST_STATE_CHANGE_READY_TO_NULL)
    zc_filter_close_context (self);
  return result;
}

gboolean
zc_filter_open_stream (GstZcFilter *self, GError **error)
{
  GstZcFilterClass *klass = GST_ZC_FILTER_GET_CLASS (self);
  ZcFilter *priv = zc_filter (self);

  priv->stream = gst_zc_stream_new (priv->context, error);
  if (priv->stream == NULL)
    return FALSE;
  zc_filter_open_transfer (self);
  if (klass->attach == NULL || klass->attach (self, error))
    return TRUE;
  zc_filter_close_stream (self);
  return FALSE;
}

void
zc_filter_close_stream (GstZcFilter *self)
{
  GstZcFilterClass *klass = GST_ZC_FILTER_GET_CLASS (self);
  ZcFilter *priv = zc_filter (self);
  GstAllocator *pinned;

  gst_zc_filter_drain (self);
  if (priv->stream != NULL && klass->detach != NULL)
    klass->detach (self);
  zc_filter_close_transfer (self);

  GST_OBJECT_LOCK (self);
  pinned = g_steal_pointer (&priv->pinned);
  priv->said_slow = FALSE;
  if (priv->stream != NULL)
    priv->stats.event_waits += priv->stream->event_waits;
  g_clear_pointer (&priv->stream, gst_zc_stream_unref);
  GST_OBJECT_UNLOCK (self);
  gst_clear_object (&pinned);
}

static gboolean
start (GstBaseTransform *trans)
{
  GstZcFilter *self = GST_ZC_FILTER (trans);
  GstPad *sink = GST_BASE_TRANSFORM_SINK_PAD (trans);
  g_autoptr (GError) error = NULL;
  gboolean ok;

  /* Queries come in before there is a stream. */
  GST_PAD_STREAM_LOCK (sink);
  ok = zc_filter_open_stream (self, &error);
  GST_PAD_STREAM_UNLOCK (sink);
  zc_filter_report (self, &error);
  return ok;
}

static gboolean
stop (GstBaseTransform *trans)
{
  GstZcFilter *self = GST_ZC_FILTER (trans);
  GstPad *sink = GST_BASE_TRANSFORM_SINK_PAD (trans);

  /* The base class has let a query in again, which may still run. */
  GST_PAD_STREAM_LOCK (sink);
  zc_filter_close_stream (self);
  zc_filter (self)->negotiated = FALSE;
  GST_PAD_STREAM_UNLOCK (sink);
  return TRUE;
}

/* Negotiation */

static gboolean
has_cuda_feature (GstCaps *caps)
{
  return gst_caps_features_contains (gst_caps_get_features (caps, 0),
      GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY);
}

static gboolean
read_caps (GstVideoInfo *info, GstCaps *caps, GError **error)
{
  g_autofree gchar *text = NULL;

  if (gst_video_info_from_caps (info, caps))
    return TRUE;
  text = gst_caps_to_string (caps);
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
      "No frame can be made for %s: its format or size is missing, or too "
      "large for GStreamer; give other caps",
      text);
  return FALSE;
}

static gboolean
parse_caps (ZcFilter *priv, GstCaps *incaps, GstCaps *outcaps, GError **error)
{
  if (!read_caps (&priv->in_info, incaps, error) ||
      !read_caps (&priv->out_info, outcaps, error))
    return FALSE;
  priv->in_cuda = has_cuda_feature (incaps);
  priv->out_cuda = has_cuda_feature (outcaps);
  return TRUE;
}

static gboolean
set_caps (GstBaseTransform *trans, GstCaps *incaps, GstCaps *outcaps)
{
  GstZcFilter *self = GST_ZC_FILTER (trans);
  GstZcFilterClass *klass = GST_ZC_FILTER_GET_CLASS (self);
  ZcFilter *priv = zc_filter (self);
  g_autoptr (GError) error = NULL;

  if (priv->negotiated)
    gst_zc_filter_drain (self);

  priv->negotiated = parse_caps (priv, incaps, outcaps, &error) &&
      (klass->set_info == NULL ||
          klass->set_info (self, &priv->in_info, &priv->out_info, &error));
  if (priv->negotiated)
    zc_transfer_state_set_picture (&priv->transfer,
        GST_VIDEO_INFO_SIZE (&priv->in_info));
  zc_filter_report (self, &error);
  return priv->negotiated;
}

/* From start to stop, as those see it who hold the sink pad's stream lock. */
static gboolean
is_started (GstZcFilter *self)
{
  return zc_filter (self)->stream != NULL;
}

static gboolean
query (GstBaseTransform *trans, GstPadDirection direction, GstQuery *query)
{
  GstZcFilter *self = GST_ZC_FILTER (trans);

  if (GST_QUERY_TYPE (query) == GST_QUERY_CONTEXT &&
      zc_filter_answer_context (self, query))
    return TRUE;
  if (GST_QUERY_TYPE (query) == GST_QUERY_DRAIN && direction == GST_PAD_SINK)
    gst_zc_filter_drain (self);
  /* The base class would keep its own query, with a pool in it, for ever. */
  if (GST_QUERY_TYPE (query) == GST_QUERY_ALLOCATION && !is_started (self))
    return FALSE;

  return PARENT_TRANSFORM->query (trans, direction, query);
}

static gboolean
decide_allocation (GstBaseTransform *trans, GstQuery *query)
{
  GstZcFilter *self = GST_ZC_FILTER (trans);
  g_autoptr (GError) error = NULL;

  if (zc_filter_decide_allocation (self, query, &error))
    return TRUE;
  zc_filter_report (self, &error);
  return FALSE;
}

static gboolean
propose_allocation (GstBaseTransform *trans, GstQuery *decide_query,
    GstQuery *query)
{
  /* Copies metas, or where nothing is done asks downstream. */
  if (!PARENT_TRANSFORM->propose_allocation (trans, decide_query, query))
    return FALSE;
  if (decide_query != NULL)
    zc_filter_propose_allocation (GST_ZC_FILTER (trans), query);
  return TRUE;
}

/* The picture goes through whole unless a subclass knows better, and so does
 * all that is said of it. */
static gboolean
filter_meta (GstBaseTransform *trans, GstQuery *query, GType api,
    const GstStructure *params)
{
  return TRUE;
}

/* Mapping applies the crop of a buffer that is larger than its caps. */
static gboolean
is_applied_crop (GstZcFilter *self, GstMeta *meta, GstBuffer *in)
{
  const GstVideoInfo *info = &zc_filter (self)->in_info;
  const GstVideoMeta *whole = gst_buffer_get_video_meta (in);

  return meta->info->api == GST_VIDEO_CROP_META_API_TYPE && whole != NULL &&
      (whole->width != (guint) GST_VIDEO_INFO_WIDTH (info) ||
          whole->height != (guint) GST_VIDEO_INFO_HEIGHT (info));
}

static gboolean
transform_meta (GstBaseTransform *trans, GstBuffer *out, GstMeta *meta,
    GstBuffer *in)
{
  return !is_applied_crop (GST_ZC_FILTER (trans), meta, in);
}

/* Class */

static void
finalize (GObject *object)
{
  zc_filter_close_context (GST_ZC_FILTER (object));
  G_OBJECT_CLASS (gst_zc_filter_parent_class)->finalize (object);
}

static void
gst_zc_filter_class_init (GstZcFilterClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);

  object_class->finalize = finalize;
  zc_filter_install_properties (object_class);

  element_class->set_context = set_context;
  element_class->change_state = change_state;

  transform_class->start = start;
  transform_class->stop = stop;
  transform_class->set_caps = set_caps;
  transform_class->query = query;
  transform_class->decide_allocation = decide_allocation;
  transform_class->propose_allocation = propose_allocation;
  transform_class->filter_meta = filter_meta;
  transform_class->transform_meta = transform_meta;
  transform_class->before_transform = zc_filter_before_transform;
  transform_class->prepare_output_buffer = zc_filter_prepare_output_buffer;
  transform_class->transform = zc_filter_transform;
  transform_class->passthrough_on_same_caps = FALSE;

  klass->process = zc_filter_process;
}

static void
gst_zc_filter_init (GstZcFilter *self)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);

  zc_filter (self)->device_id = -1;
  zc_filter (self)->max_pinned_bytes = GST_ZC_FILTER_MAX_PINNED_BYTES;
  gst_base_transform_set_qos_enabled (trans, TRUE);
  gst_base_transform_set_gap_aware (trans, TRUE);
}

/* Caps */

static GstCaps *
caps_of (const gchar *formats)
{
  g_autofree gchar *text = NULL;

  if (formats == NULL)
    return gst_zc_filter_make_caps (TRUE);
  text = g_strdup_printf (GST_VIDEO_CAPS_MAKE_WITH_FEATURES (
                              GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY, "{ %s }"),
      formats);
  return gst_caps_from_string (text);
}

void
gst_zc_filter_class_add_pad_templates (GstZcFilterClass *klass,
    const gchar *formats)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  g_autoptr (GstCaps) caps = caps_of (formats);

  g_return_if_fail (caps != NULL);
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("sink", GST_PAD_SINK, GST_PAD_ALWAYS, caps));
  gst_element_class_add_pad_template (element_class,
      gst_pad_template_new ("src", GST_PAD_SRC, GST_PAD_ALWAYS, caps));
}

static void
append_format (GValue *formats, GstVideoFormat format)
{
  GValue value = G_VALUE_INIT;

  g_value_init (&value, G_TYPE_STRING);
  g_value_set_static_string (&value, gst_video_format_to_string (format));
  gst_value_list_append_and_take_value (formats, &value);
}

GstCaps *
gst_zc_filter_make_caps (gboolean cuda)
{
  GstCaps *caps = gst_caps_from_string (GST_VIDEO_CAPS_MAKE ("I420"));
  GValue formats = G_VALUE_INIT;
  const GstVideoFormat *list;
  guint n_formats;

  list = gst_zc_format_list (&n_formats);
  g_value_init (&formats, GST_TYPE_LIST);
  for (guint i = 0; i < n_formats; i++)
    append_format (&formats, list[i]);
  gst_structure_take_value (gst_caps_get_structure (caps, 0), "format",
      &formats);

  if (cuda)
    gst_caps_set_features_simple (caps,
        gst_caps_features_new_single (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY));
  return caps;
}
