/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "pipe.h"

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/zc.h>
#include <string.h>

#include "feed.h"

#define WIDTH 16
#define HEIGHT 8
#define USUAL_FRAMES 8
#define MAX_SINKS 3
#define PATIENCE (20 * GST_SECOND)

typedef struct
{
  OrderRun *run;
  const Pipe *pipe;
  GstElement *pipeline;
  GstAppSrc *src;
  Feed feed;
  gint arrived[MAX_SINKS]; /* frames; atomic */
  guint n_sinks;
} Player;

typedef struct
{
  Player *player;
  guint index;
  gboolean painted;
} Sink;

/* The far end */

static void
look_at (Sink *self, GstSample *sample)
{
  OrderRun *run = self->player->run;
  GstBuffer *buffer = gst_sample_get_buffer (sample);
  GstClockTime time = GST_BUFFER_PTS (buffer);
  Access access = { .run = run, .user = USER_CPU };
  GstVideoInfo info;

  gst_video_info_from_caps (&info, gst_sample_get_caps (sample));
  user_read (&access, buffer, &info,
      self->painted ? order_painted_at (time) : order_value_at (time));
  g_atomic_int_inc (&self->player->arrived[self->index]);
}

static GstFlowReturn
on_sample (GstAppSink *sink, gpointer data)
{
  GstSample *sample = gst_app_sink_pull_sample (sink);

  if (!sample)
    return GST_FLOW_EOS;
  look_at (data, sample);
  gst_sample_unref (sample);
  return GST_FLOW_OK;
}

static void
add_sink (Player *self, GstAppSink *sink)
{
  static const GstAppSinkCallbacks callbacks = { .new_sample = on_sample };
  Sink *data = g_new (Sink, 1);

  *data = (Sink) { self, self->n_sinks++, GST_OBJECT_NAME (sink)[0] == 'p' };
  g_object_set (sink, "sync", FALSE, NULL);
  gst_app_sink_set_callbacks (sink, (GstAppSinkCallbacks *) &callbacks, data,
      g_free);
}

static void
add_sinks (Player *self)
{
  g_autoptr (GstIterator) sinks =
      gst_bin_iterate_sinks (GST_BIN (self->pipeline));
  GValue value = G_VALUE_INIT;

  while (gst_iterator_next (sinks, &value) == GST_ITERATOR_OK) {
    GstElement *sink = g_value_get_object (&value);

    if (GST_IS_APP_SINK (sink))
      add_sink (self, GST_APP_SINK (sink));
    g_value_reset (&value);
  }
}

/* On the way: elements of ours are held up, too, where that is asked for. */

static GstPadProbeReturn
hold_up (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  g_autoptr (GstElement) element = gst_pad_get_parent_element (pad);
  GstZcStream *stream = gst_zc_filter_get_stream (GST_ZC_FILTER (element));

  if (stream)
    order_delay (data, stream);
  return GST_PAD_PROBE_OK;
}

static void
add_delay (const GValue *item, gpointer run)
{
  GstElement *element = g_value_get_object (item);
  g_autoptr (GstPad) pad = NULL;

  if (!GST_IS_ZC_FILTER (element))
    return;
  pad = gst_element_get_static_pad (element, "sink");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, hold_up, run, NULL);
}

static void
add_delays (Player *self)
{
  g_autoptr (GstIterator) elements =
      gst_bin_iterate_elements (GST_BIN (self->pipeline));

  if (self->run->options->delay_ms > 0)
    gst_iterator_foreach (elements, add_delay, self->run);
}

/* The near end */

static void
set_source_caps (Player *self)
{
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (&self->feed.info);

  if (!self->feed.host)
    gst_caps_set_features_simple (caps,
        gst_caps_features_new_single (GST_CAPS_FEATURE_MEMORY_CUDA_MEMORY));
  gst_app_src_set_caps (self->src, caps);
}

static void
push (Player *self, guint index)
{
  GstBuffer *buffer = feed_next (&self->feed, index);

  if (buffer)
    gst_app_src_push_buffer (self->src, buffer);
}

static GstElement *
find_flip (Player *self)
{
  return gst_bin_get_by_name (GST_BIN (self->pipeline), "turned");
}

static void
set_state (Player *self, GstState state)
{
  if (gst_element_set_state (self->pipeline, state) == GST_STATE_CHANGE_FAILURE)
    order_fault (self->run, ORDER_ERROR, "no way to %s",
        gst_element_state_get_name (state));
}

static void
drain (Player *self)
{
  g_autoptr (GstQuery) query = gst_query_new_drain ();
  g_autoptr (GstPad) pad =
      gst_element_get_static_pad (GST_ELEMENT (self->src), "src");

  /* What is in a queue is not drained by this. */
  if (!gst_pad_peer_query (pad, query))
    order_fault (self->run, ORDER_ERROR, "the DRAIN query failed");
}

static void
change_size (Player *self)
{
  Feed next;

  feed_init (&next, self->run, self->pipe->source, WIDTH * 2, HEIGHT * 2);
  feed_clear (&self->feed, FALSE);
  self->feed = next;
  set_source_caps (self);
}

static void
turn (Player *self)
{
  GstElement *flip = find_flip (self);

  g_object_set (flip, "video-direction",
      order_random (self->run, 2) ? GST_VIDEO_ORIENTATION_180
                                  : GST_VIDEO_ORIENTATION_IDENTITY,
      NULL);
  gst_object_unref (flip);
}

/* A flush or a change of state on the way up can leave sinks that wait for ever:
 * GStreamer's bins do not always go on then. */
static void
wait_for_playing (Player *self)
{
  if (gst_element_get_state (self->pipeline, NULL, NULL, PATIENCE) !=
      GST_STATE_CHANGE_SUCCESS)
    order_fault (self->run, ORDER_LIFETIME, "stuck on the way to PLAYING");
}

static void
flush (Player *self)
{
  wait_for_playing (self);
  gst_element_send_event (GST_ELEMENT (self->src),
      gst_event_new_flush_start ());
  gst_element_send_event (GST_ELEMENT (self->src),
      gst_event_new_flush_stop (TRUE));
}

static void
seek (Player *self)
{
  wait_for_playing (self);
  gst_element_seek_simple (self->pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
      0);
}

static void
change_states (Player *self)
{
  wait_for_playing (self);
  set_state (self,
      order_random (self->run, 2) ? GST_STATE_PAUSED : GST_STATE_READY);
  set_state (self, GST_STATE_PLAYING);
}

static void
act (Player *self)
{
  switch (self->pipe->action) {
    case PIPE_FLUSH:
      flush (self);
      break;
    case PIPE_SEEK:
      seek (self);
      break;
    case PIPE_STATES:
      change_states (self);
      break;
    case PIPE_CAPS:
      change_size (self);
      break;
    case PIPE_DRAIN:
      drain (self);
      break;
    case PIPE_TURN:
      turn (self);
      break;
    default:
      break;
  }
}

/* TRUE if frames may get lost on the way. */
static gboolean
is_lossy (PipeAction action)
{
  return action == PIPE_FLUSH || action == PIPE_SEEK || action == PIPE_STATES ||
      action == PIPE_STOP;
}

static void
check_message (Player *self, GstMessage *message)
{
  g_autoptr (GError) error = NULL;

  if (!message) {
    order_fault (self->run, ORDER_LIFETIME, "the pipeline is stuck");
  } else if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, NULL);
    order_fault (self->run, ORDER_ERROR, "%s", error->message);
  }
}

static void
wait_for_end (Player *self)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);
  g_autoptr (GstMessage) message = NULL;

  gst_app_src_end_of_stream (self->src);
  message = gst_bus_timed_pop_filtered (bus, PATIENCE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  check_message (self, message);
}

static void
check_arrived (Player *self, guint frames)
{
  for (guint i = 0; i < self->n_sinks; i++) {
    if (self->arrived[i] != (gint) frames && !is_lossy (self->pipe->action))
      order_fault (self->run, ORDER_ERROR, "%d of %u frames arrived",
          self->arrived[i], frames);
  }
}

static void
play (Player *self)
{
  guint frames = order_steps (self->run, USUAL_FRAMES);
  guint when = order_random (self->run, frames);

  set_state (self, GST_STATE_PLAYING);
  for (guint i = 0; i < frames; i++) {
    push (self, i);
    if (i == when || self->pipe->action == PIPE_TURN)
      act (self);
  }
  if (self->pipe->action != PIPE_STOP) {
    wait_for_end (self);
    check_arrived (self, frames);
  }
  set_state (self, GST_STATE_NULL);
}

static gboolean
on_seek (GstAppSrc *src, guint64 offset, gpointer data)
{
  return TRUE;
}

static void
player_init (Player *self, OrderRun *run, const Pipe *pipe)
{
  GError *error = NULL;

  *self = (Player) { .run = run, .pipe = pipe };
  order_elements_init (run);
  self->pipeline = gst_parse_launch (pipe->launch, &error);
  g_assert_no_error (error);
  self->src =
      GST_APP_SRC (gst_bin_get_by_name (GST_BIN (self->pipeline), "src"));
  g_object_set (self->src, "format", GST_FORMAT_TIME, NULL);
  g_signal_connect (self->src, "seek-data", G_CALLBACK (on_seek), NULL);
  add_sinks (self);
  add_delays (self);
  feed_init (&self->feed, run, pipe->source, WIDTH, HEIGHT);
  set_source_caps (self);
}

/* A GPU may come without GStreamer's own elements; softcuda does not. */
static gboolean
lacks_nvcodec (const Pipe *pipe)
{
  g_autoptr (GstElementFactory) factory =
      gst_element_factory_find ("cudaupload");

  return !factory && strstr (pipe->launch, " cuda");
}

void
pipe_run (OrderRun *run, gconstpointer data)
{
  Player self;

  if (!run->panel && lacks_nvcodec (data))
    return;
  player_init (&self, run, data);
  play (&self);
  gst_object_unref (self.src);
  gst_object_unref (self.pipeline);
  feed_clear (&self.feed, TRUE);
}
