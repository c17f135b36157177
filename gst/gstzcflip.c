/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/**
 * SECTION:element-zcflip
 * @title: zcflip
 *
 * Turns and mirrors video in CUDA memory: all eight orientations, or what the
 * image-orientation tags of the stream ask for. Identity passes buffers
 * through. The direction may be changed at any time; each frame is turned as a
 * whole.
 *
 * |[
 * gst-launch-1.0 filesrc location=phone.mp4 ! decodebin ! videoconvert !
 *     zcupload ! zcflip video-direction=auto ! zcdownload ! videoconvert !
 *     autovideosink
 * ]|
 */

#include "gstzccaps.h"
#include "gstzcflip.h"
#include "gstzcflipask.h"
#include "gstzcflipcaps.h"
#include "gstzcfliptags.h"
#include "gstzcoutput.h"
#include "gstzcturn.h"

enum
{
  PROP_VIDEO_DIRECTION = 1,
  PROP_OUTPUT, /* and on */
};

struct _GstZcFlip
{
  GstZcFilter parent;

  /* Under the object lock. */
  GstVideoOrientationMethod direction; /* the property */
  ZcFlipTags tags;
  /* What frames and caps are turned by: one of the eight. Once the first caps
   * came only the streaming thread changes it, between two frames. */
  GstVideoOrientationMethod active;
  gboolean settled;
  gboolean explained; /* why the direction is refused */
  gint out_width;
  gint out_height;
};

static void
direction_interface_init (GstVideoDirectionInterface *iface)
{
}

G_DEFINE_TYPE_WITH_CODE (GstZcFlip, gst_zc_flip, GST_TYPE_ZC_FILTER,
    G_IMPLEMENT_INTERFACE (GST_TYPE_VIDEO_DIRECTION, direction_interface_init))
GST_ELEMENT_REGISTER_DEFINE (zcflip, "zcflip", GST_RANK_NONE, GST_TYPE_ZC_FLIP)

#define PARENT_TRANSFORM GST_BASE_TRANSFORM_CLASS (gst_zc_flip_parent_class)

/* The direction */

/* Call with the object lock. */
static GstVideoOrientationMethod
wanted (GstZcFlip *self)
{
  if (self->direction == GST_VIDEO_ORIENTATION_AUTO)
    return zc_flip_tags_get (&self->tags);
  return self->direction;
}

static GstVideoOrientationMethod
get_active (GstZcFlip *self)
{
  GstVideoOrientationMethod active;

  GST_OBJECT_LOCK (self);
  active = self->active;
  GST_OBJECT_UNLOCK (self);
  return active;
}

/* As long as no caps have come, what is asked for is what caps are turned by.
 * Call with the object lock. */
static void
follow (GstZcFlip *self)
{
  if (!self->settled)
    self->active = wanted (self);
}

/* Takes the right to say why a direction is refused: once, since queries come
 * again and again. */
static gboolean
may_explain (GstZcFlip *self)
{
  gboolean first;

  GST_OBJECT_LOCK (self);
  first = !self->explained;
  self->explained = TRUE;
  GST_OBJECT_UNLOCK (self);
  return first;
}

/* Says so if frames are about to come that can't be turned: of @caps, or if that
 * is NULL of those in use. */
static void
check_caps (GstZcFlip *self, GstCaps *caps)
{
  g_autoptr (GstCaps) current =
      gst_pad_get_current_caps (GST_BASE_TRANSFORM_SINK_PAD (self));
  g_autoptr (GError) why = NULL;

  if (caps == NULL)
    caps = current;
  if (caps != NULL)
    why = zc_flip_explain (caps, get_active (self));
  if (why != NULL && may_explain (self))
    gst_zc_filter_post_error (GST_ZC_FILTER (self), g_steal_pointer (&why));
}

/* Between two frames, on the streaming thread: what was asked for since. @caps:
 * new ones, or NULL. */
static void
latch (GstZcFlip *self, GstCaps *caps)
{
  GstBaseTransform *trans = GST_BASE_TRANSFORM (self);
  gboolean settled;

  GST_OBJECT_LOCK (self);
  settled = self->settled && zc_flip_agree (self->active, wanted (self));
  self->active = wanted (self);
  self->settled = TRUE;
  GST_OBJECT_UNLOCK (self);

  /* A new pool would mean allocations while playing. */
  if (settled)
    return;
  check_caps (self, caps);
  /* Padding goes only by a copy. */
  gst_base_transform_set_passthrough (trans,
      self->active == GST_VIDEO_ORIENTATION_IDENTITY &&
          !gst_zc_filter_get_packed (GST_ZC_FILTER (self)));
  gst_base_transform_reconfigure_src (trans);
}

static void
set_direction (GstZcFlip *self, GstVideoOrientationMethod direction)
{
  if (direction == GST_VIDEO_ORIENTATION_CUSTOM) {
    GST_ELEMENT_WARNING (self, LIBRARY, SETTINGS,
        ("video-direction=custom is not served; the direction stays as it was"),
        (NULL));
    return;
  }

  GST_OBJECT_LOCK (self);
  self->direction = direction;
  self->explained = FALSE;
  follow (self);
  GST_OBJECT_UNLOCK (self);
}

/* Also for identity: the direction may change, and loading waits for the whole
 * device. */
static gboolean
attach (GstZcFilter *filter, GError **error)
{
  GST_OBJECT_LOCK (filter);
  /* what was said before there was a bus, nobody has heard */
  GST_ZC_FLIP (filter)->explained = FALSE;
  GST_OBJECT_UNLOCK (filter);
  return gst_zc_filter_load_kernels (filter, error);
}

static gboolean
stop (GstBaseTransform *trans)
{
  GstZcFlip *self = GST_ZC_FLIP (trans);

  GST_OBJECT_LOCK (self);
  self->settled = FALSE;
  zc_flip_tags_clear (&self->tags);
  follow (self);
  GST_OBJECT_UNLOCK (self);
  return PARENT_TRANSFORM->stop (trans);
}

/* Caps */

/* Who asks may have other caps to offer, so this is no error yet; but all that
 * a source would say is that negotiation failed. */
static void
warn (GstZcFlip *self, GstCaps *caps, GstVideoOrientationMethod orientation)
{
  g_autoptr (GError) why = zc_flip_explain (caps, orientation);

  if (why != NULL && may_explain (self))
    GST_ELEMENT_WARNING (self, STREAM, FORMAT, ("%s", why->message), (NULL));
}

static GstCaps *
transform_caps (GstBaseTransform *trans, GstPadDirection direction,
    GstCaps *caps, GstCaps *filter)
{
  GstZcFlip *self = GST_ZC_FLIP (trans);
  GstVideoOrientationMethod orientation =
      zc_flip_ask_get (self, get_active (self));
  GstCaps *turned = zc_flip_turn_caps (caps, orientation);

  if (gst_caps_is_empty (turned))
    warn (self, caps, orientation);
  return zc_caps_filter (turned, filter);
}

static gboolean
query (GstBaseTransform *trans, GstPadDirection direction, GstQuery *query)
{
  ZcFlipAsk ask;
  gboolean ok;

  zc_flip_ask_begin (&ask, trans, get_active (GST_ZC_FLIP (trans)));
  ok = PARENT_TRANSFORM->query (trans, direction, query);
  zc_flip_ask_end (&ask);
  return ok;
}

static gboolean
set_info (GstZcFilter *filter, const GstVideoInfo *in_info,
    const GstVideoInfo *out_info, GError **error)
{
  GstZcFlip *self = GST_ZC_FLIP (filter);

  GST_OBJECT_LOCK (self);
  self->out_width = GST_VIDEO_INFO_WIDTH (out_info);
  self->out_height = GST_VIDEO_INFO_HEIGHT (out_info);
  GST_OBJECT_UNLOCK (self);
  return TRUE;
}

/* Frames */

static void
before_transform (GstBaseTransform *trans, GstBuffer *in)
{
  GstClockTime time = GST_CLOCK_TIME_NONE;

  if (trans->segment.format == GST_FORMAT_TIME)
    time = gst_segment_to_stream_time (&trans->segment, GST_FORMAT_TIME,
        GST_BUFFER_PTS (in));
  if (GST_CLOCK_TIME_IS_VALID (time))
    gst_object_sync_values (GST_OBJECT (trans), time);
  PARENT_TRANSFORM->before_transform (trans, in);
  latch (GST_ZC_FLIP (trans), NULL);
}

/* Asked only where identity has to be packed. */
static gboolean
passes (GstZcFilter *filter, GstBuffer *in)
{
  return GST_ZC_FLIP (filter)->active == GST_VIDEO_ORIENTATION_IDENTITY &&
      gst_zc_filter_is_packed (filter, in);
}

static gboolean
process_frame (GstZcFilter *filter, GstZcFrame *out, GstZcFrame *in,
    GError **error)
{
  return gst_zc_frame_flip (out, in, GST_ZC_FLIP (filter)->active, error);
}

static gboolean
filter_meta (GstBaseTransform *trans, GstQuery *query, GType api,
    const GstStructure *params)
{
  return zc_turn_keeps_meta (api);
}

static gboolean
transform_meta (GstBaseTransform *trans, GstBuffer *out, GstMeta *meta,
    GstBuffer *in)
{
  const GstVideoInfo *info = gst_zc_filter_get_in_info (GST_ZC_FILTER (trans));

  return PARENT_TRANSFORM->transform_meta (trans, out, meta, in) &&
      zc_turn_meta (GST_ZC_FLIP (trans)->active, GST_VIDEO_INFO_WIDTH (info),
          GST_VIDEO_INFO_HEIGHT (info), out, meta);
}

/* Events */

static GstEvent *
take_tags (GstZcFlip *self, GstEvent *event)
{
  gboolean automatic;

  GST_OBJECT_LOCK (self);
  zc_flip_tags_take (&self->tags, event);
  follow (self);
  automatic = self->direction == GST_VIDEO_ORIENTATION_AUTO;
  GST_OBJECT_UNLOCK (self);
  return automatic ? zc_flip_tags_rewrite (event) : event;
}

static gboolean
sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstZcFlip *self = GST_ZC_FLIP (trans);
  GstCaps *caps;

  switch (GST_EVENT_TYPE (event)) {
    case GST_EVENT_STREAM_START:
      GST_OBJECT_LOCK (self);
      zc_flip_tags_start_stream (&self->tags, event);
      follow (self);
      GST_OBJECT_UNLOCK (self);
      break;
    case GST_EVENT_TAG:
      event = take_tags (self, event);
      break;
    case GST_EVENT_CAPS:
      gst_event_parse_caps (event, &caps);
      latch (self, caps);
      break;
    default:
      break;
  }
  return PARENT_TRANSFORM->sink_event (trans, event);
}

/* Mouse and touch: the coordinates that they have before the turn. */
static GstEvent *
turn_navigation (GstZcFlip *self, GstEvent *event)
{
  gdouble x, y;

  if (!gst_navigation_event_get_coordinates (event, &x, &y))
    return event;

  GST_OBJECT_LOCK (self);
  zc_turn_back (self->active, self->out_width, self->out_height, &x, &y);
  GST_OBJECT_UNLOCK (self);
  event = gst_event_make_writable (event);
  gst_navigation_event_set_coordinates (event, x, y);
  return event;
}

static gboolean
src_event (GstBaseTransform *trans, GstEvent *event)
{
  if (GST_EVENT_TYPE (event) == GST_EVENT_NAVIGATION)
    event = turn_navigation (GST_ZC_FLIP (trans), event);
  return PARENT_TRANSFORM->src_event (trans, event);
}

/* Class */

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  switch (id) {
    case PROP_VIDEO_DIRECTION:
      set_direction (GST_ZC_FLIP (object), g_value_get_enum (value));
      break;
    default:
      if (!zc_output_set_property (GST_ZC_FILTER (object), id - PROP_OUTPUT,
              value))
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  switch (id) {
    case PROP_VIDEO_DIRECTION:
      GST_OBJECT_LOCK (object);
      g_value_set_enum (value, GST_ZC_FLIP (object)->direction);
      GST_OBJECT_UNLOCK (object);
      break;
    default:
      if (!zc_output_get_property (GST_ZC_FILTER (object), id - PROP_OUTPUT,
              value))
        G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
      break;
  }
}

static void
finalize (GObject *object)
{
  zc_flip_tags_clear (&GST_ZC_FLIP (object)->tags);
  G_OBJECT_CLASS (gst_zc_flip_parent_class)->finalize (object);
}

static void
init_element (GstElementClass *klass)
{
  zc_caps_add_template (klass, GST_PAD_SINK, gst_zc_filter_make_caps (TRUE));
  zc_caps_add_template (klass, GST_PAD_SRC, gst_zc_filter_make_caps (TRUE));
  gst_element_class_set_static_metadata (klass, "CUDA video flipper",
      "Filter/Effect/Video/Hardware", "Turns and mirrors video in CUDA memory",
      "The gst-zc authors");
}

static void
gst_zc_flip_class_init (GstZcFlipClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstZcFilterClass *filter_class = GST_ZC_FILTER_CLASS (klass);

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  object_class->finalize = finalize;
  g_object_class_override_property (object_class, PROP_VIDEO_DIRECTION,
      "video-direction");
  g_object_class_find_property (object_class, "video-direction")->flags |=
      GST_PARAM_MUTABLE_PLAYING;
  zc_output_install_properties (object_class, PROP_OUTPUT);
  init_element (GST_ELEMENT_CLASS (klass));

  transform_class->stop = stop;
  transform_class->query = query;
  transform_class->transform_caps = transform_caps;
  transform_class->before_transform = before_transform;
  transform_class->filter_meta = filter_meta;
  transform_class->transform_meta = transform_meta;
  transform_class->sink_event = sink_event;
  transform_class->src_event = src_event;
  filter_class->attach = attach;
  filter_class->set_info = set_info;
  filter_class->passes = passes;
  filter_class->process_frame = process_frame;
}

static void
gst_zc_flip_init (GstZcFlip *self)
{
  self->direction = GST_VIDEO_ORIENTATION_IDENTITY;
  self->active = GST_VIDEO_ORIENTATION_IDENTITY;
}
