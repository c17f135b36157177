/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/**
 * SECTION:element-zcdownload
 * @title: zcdownload
 *
 * Brings raw video from CUDA memory to host memory, into page-locked buffers or
 * those of a downstream element that has memory of its own kind. It waits for
 * its own copy, the only host wait that a pipeline of this plugin has, and
 * pushes frames that the CPU may read at once. With a queue right in front of
 * it, the next frame's copy is queued before that, so that the bus is never
 * without work. Frames in host memory pass through; device memory that hides
 * under system caps is downloaded.
 *
 * |[
 * gst-launch-1.0 videotestsrc ! zcupload ! zcdownload ! fakesink
 * ]|
 */

#include "gstzccaps.h"
#include "gstzcdownload.h"
#include "gstzchostside.h"

#define PROP_MAX_PINNED_BYTES 1

/* A frame on its way down. */
typedef struct
{
  GstBuffer *buffer;            /* owned, NULL if there is none */
  GstZcCopy *copy;              /* owned, NULL if it may be read already */
} Frame;

/* Only the streaming thread looks, and those that stop it. */
struct _GstZcDownload
{
  GstZcFilter parent;
  Frame pending;                /* pushed when the next one is queued */
  GstZcCopy *started;           /* of the frame that is being processed */
  gboolean may_wait;            /* its buffers are as many as it likes */
};

G_DEFINE_TYPE (GstZcDownload, gst_zc_download, GST_TYPE_ZC_FILTER)

#define PARENT_TRANSFORM GST_BASE_TRANSFORM_CLASS (gst_zc_download_parent_class)

GST_ELEMENT_REGISTER_DEFINE (zcdownload, "zcdownload", GST_RANK_NONE,
    GST_TYPE_ZC_DOWNLOAD)

static GstCaps *
transform_caps (GstBaseTransform *trans, GstPadDirection direction,
    GstCaps *caps, GstCaps *filter)
{
  if (direction == GST_PAD_SINK)
    return zc_caps_filter (zc_caps_in_system (caps), filter);
  return zc_caps_filter (zc_caps_in_both (caps), filter);
}

static gboolean
set_info (GstZcFilter *filter, const GstVideoInfo *in_info,
    const GstVideoInfo *out_info, GError **error)
{
  gst_base_transform_set_passthrough (GST_BASE_TRANSFORM (filter),
      !gst_zc_filter_is_in_cuda (filter));
  return TRUE;
}

/* Frames */

/* The element that pushes into @pad, caps filters aside. */
static GstElement *
element_before (GstPad *pad)
{
  g_autoptr (GstPad) peer = gst_pad_get_peer (pad);
  GstElement *element = peer ? gst_pad_get_parent_element (peer) : NULL;
  g_autoptr (GstPad) sink = NULL;

  if (element == NULL ||
      !g_str_equal (G_OBJECT_TYPE_NAME (element), "GstCapsFilter"))
    return element;
  sink = gst_element_get_static_pad (element, "sink");
  gst_object_unref (element);
  return sink ? element_before (sink) : NULL;
}

static gboolean
is_pending (GstZcDownload *self)
{
  return self->pending.buffer != NULL;
}

/* Waits for the pending frame. (transfer full) */
static GstFlowReturn
take_pending (GstZcDownload *self, GstBuffer **buffer)
{
  GstZcCopy *copy = g_steal_pointer (&self->pending.copy);
  GError *error = NULL;

  *buffer = g_steal_pointer (&self->pending.buffer);
  if (copy == NULL || gst_zc_copy_finish (copy, &error))
    return GST_FLOW_OK;
  gst_clear_buffer (buffer);
  gst_zc_filter_post_error (GST_ZC_FILTER (self), error);
  return GST_FLOW_ERROR;
}

static void
drop_pending (GstZcDownload *self)
{
  g_autoptr (GstBuffer) buffer = NULL;

  if (is_pending (self))
    take_pending (self, &buffer);
}

/* Before what must not overtake it. What downstream answers, it will answer to
 * the next one, too. */
static void
push_pending (GstZcDownload *self)
{
  GstBuffer *buffer;

  if (is_pending (self) && take_pending (self, &buffer) == GST_FLOW_OK)
    gst_pad_push (GST_BASE_TRANSFORM_SRC_PAD (self), buffer);
}

/* TRUE if another frame, or an event that pushes the pending one, is sure to
 * come at once: there is one in the queue right in front of this element. */
static gboolean
more_comes (GstZcDownload *self)
{
  g_autoptr (GstElement) before = NULL;
  guint n_buffers = 0;

  if (!self->may_wait)
    return FALSE;
  before = element_before (GST_BASE_TRANSFORM_SINK_PAD (self));
  if (before != NULL && g_str_equal (G_OBJECT_TYPE_NAME (before), "GstQueue"))
    g_object_get (before, "current-level-buffers", &n_buffers, NULL);
  return n_buffers > 0;
}

/* Called until it has nothing to push: once or twice a frame. */
static GstFlowReturn
generate_output (GstBaseTransform *trans, GstBuffer **out)
{
  GstZcDownload *self = GST_ZC_DOWNLOAD (trans);
  Frame frame = { NULL };
  GstFlowReturn flow = PARENT_TRANSFORM->generate_output (trans, &frame.buffer);

  frame.copy = g_steal_pointer (&self->started);
  *out = NULL;
  if (frame.buffer == NULL || flow != GST_FLOW_OK) {
    if (flow != GST_FLOW_OK)
      push_pending (self);
    else if (is_pending (self) && !more_comes (self))
      flow = take_pending (self, out);
    gst_clear_buffer (&frame.buffer);
    return flow;
  }
  if (is_pending (self))
    flow = take_pending (self, out);
  self->pending = frame;
  /* Nothing comes after a frame that is missing. */
  if (flow != GST_FLOW_OK)
    drop_pending (self);
  else if (*out == NULL && !more_comes (self))
    flow = take_pending (self, out);
  return flow;
}

/* A frame that is dropped, for it is late, does not make the pending one wait
 * for the next. */
static GstFlowReturn
submit_input_buffer (GstBaseTransform *trans, gboolean discont, GstBuffer *in)
{
  GstFlowReturn flow =
      PARENT_TRANSFORM->submit_input_buffer (trans, discont, in);

  if (flow != GST_FLOW_OK)
    push_pending (GST_ZC_DOWNLOAD (trans));
  return flow;
}

/* Passing through ends, until new caps come, with the first frame that hides
 * device memory; the base class then asks for a pool before it goes on. */
static void
before_transform (GstBaseTransform *trans, GstBuffer *in)
{
  /* The base class marks what it pushes next. */
  if (GST_BUFFER_IS_DISCONT (in))
    push_pending (GST_ZC_DOWNLOAD (trans));
  PARENT_TRANSFORM->before_transform (trans, in);
  if (!gst_base_transform_is_passthrough (trans) || !gst_zc_buffer_is_cuda (in))
    return;
  gst_base_transform_set_passthrough (trans, FALSE);
  gst_base_transform_reconfigure_src (trans);
}

static gboolean
sink_event (GstBaseTransform *trans, GstEvent *event)
{
  GstZcDownload *self = GST_ZC_DOWNLOAD (trans);

  if (GST_EVENT_TYPE (event) == GST_EVENT_FLUSH_STOP)
    drop_pending (self);
  else if (GST_EVENT_IS_SERIALIZED (event))
    push_pending (self);
  return PARENT_TRANSFORM->sink_event (trans, event);
}

static gboolean
query (GstBaseTransform *trans, GstPadDirection direction, GstQuery *query)
{
  if (direction == GST_PAD_SINK && GST_QUERY_IS_SERIALIZED (query))
    push_pending (GST_ZC_DOWNLOAD (trans));
  return PARENT_TRANSFORM->query (trans, direction, query);
}

static gboolean
stop (GstBaseTransform *trans)
{
  GstPad *sink = GST_BASE_TRANSFORM_SINK_PAD (trans);
  gboolean ok;

  /* A query may still run, and push what is pending. */
  GST_PAD_STREAM_LOCK (sink);
  drop_pending (GST_ZC_DOWNLOAD (trans));
  ok = PARENT_TRANSFORM->stop (trans);
  GST_PAD_STREAM_UNLOCK (sink);
  return ok;
}

/* From a pool with a limit the next buffer may not come before this one is
 * pushed. */
static gboolean
decide_allocation (GstBaseTransform *trans, GstQuery *query)
{
  GstZcDownload *self = GST_ZC_DOWNLOAD (trans);
  guint max = 1;

  if (!PARENT_TRANSFORM->decide_allocation (trans, query))
    return FALSE;
  if (gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, NULL, NULL, NULL, &max);
  self->may_wait = max == 0;
  return TRUE;
}

static gboolean
passes (GstZcFilter *filter, GstBuffer *in)
{
  return !gst_zc_filter_is_in_cuda (filter) && !gst_zc_buffer_is_cuda (in);
}

static gboolean
process (GstZcFilter *filter, GstBuffer *in, GstBuffer *out, GError **error)
{
  GstZcDownload *self = GST_ZC_DOWNLOAD (filter);
  GstZcStream *stream = gst_zc_filter_get_stream_at (filter, in, error);
  GstZcFrame frame;
  GstZcCopy *copy;
  gboolean ok;

  if (stream == NULL ||
      !gst_zc_frame_map (&frame, in, gst_zc_filter_get_in_info (filter),
          GST_MAP_READ, stream, error))
    return FALSE;
  copy = gst_zc_filter_download_start (filter, &frame, out, error);
  ok = gst_zc_frame_unmap (&frame, copy ? error : NULL) && copy != NULL;
  if (ok)
    self->started = copy;
  else if (copy != NULL)
    gst_zc_copy_finish (copy, NULL);
  return ok;
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  if (id == PROP_MAX_PINNED_BYTES)
    zc_host_side_set_property (GST_ZC_FILTER (object), value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_MAX_PINNED_BYTES)
    zc_host_side_get_property (GST_ZC_FILTER (object), value);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_zc_download_class_init (GstZcDownloadClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstZcFilterClass *filter_class = GST_ZC_FILTER_CLASS (klass);
  GstCaps *sink_caps = gst_zc_filter_make_caps (TRUE);

  gst_caps_append (sink_caps, gst_zc_filter_make_caps (FALSE));
  zc_caps_add_template (element_class, GST_PAD_SINK, sink_caps);
  zc_caps_add_template (element_class, GST_PAD_SRC,
      gst_zc_filter_make_caps (FALSE));
  gst_element_class_set_static_metadata (element_class, "CUDA downloader",
      "Filter/Video/Downloader/Hardware",
      "Downloads raw video from CUDA memory, waiting for its own copy only",
      "The gst-zc authors");

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  zc_host_side_install_property (object_class, PROP_MAX_PINNED_BYTES);

  transform_class->transform_caps = transform_caps;
  transform_class->before_transform = before_transform;
  transform_class->submit_input_buffer = submit_input_buffer;
  transform_class->generate_output = generate_output;
  transform_class->sink_event = sink_event;
  transform_class->query = query;
  transform_class->stop = stop;
  transform_class->decide_allocation = decide_allocation;
  filter_class->set_info = set_info;
  filter_class->passes = passes;
  filter_class->process = process;
}

static void
gst_zc_download_init (GstZcDownload *self)
{
}
