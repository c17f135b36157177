/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "soakpipe.h"

#include "soakmark.h"

#define PATIENCE (60 * GST_SECOND)
#define MAX_SIZE 64

#define SOURCE "videotestsrc name=src pattern=black ! capsfilter name=caps ! "
#define FLIP "zcflip name=flip ! "
#define QUEUE "queue max-size-buffers=3 ! "
#define SINK "fakesink name=sink sync=false"

static const gchar *const chains[] = {
  SOURCE "zcupload ! " FLIP "zcdownload ! " SINK,
  SOURCE "zcupload ! " QUEUE FLIP QUEUE "zcdownload ! " SINK,
  SOURCE "zcupload ! " FLIP SINK,
  SOURCE "zcupload ! " FLIP "zcflip video-direction=90l ! zcdownload ! " SINK,
  /* ordinary memory, a few buffers of it: they are page-locked in the end */
  SOURCE "identity drop-allocation=true ! zcupload ! " FLIP
         "zcdownload ! " SINK,
  SOURCE "zcupload ! tee name=t  t. ! " QUEUE FLIP "zcdownload ! " SINK
         "  t. ! " QUEUE "zcflip video-direction=180 ! fakesink async=false",
  /* GStreamer's own, if it has them here */
  SOURCE "cudaupload ! " FLIP "cudadownload ! " SINK,
};

guint
soak_pipe_n_chains (void)
{
  g_autoptr (GstElementFactory) nvcodec =
      gst_element_factory_find ("cudaupload");

  return G_N_ELEMENTS (chains) - (nvcodec == NULL);
}

/* What is seen */

/* New caps come from the thread that streams: else the source may have asked for
 * the old ones, and not have sent them yet. */
static void
use_new_caps (SoakPipe *self)
{
  g_autoptr (GstCaps) caps = NULL;

  g_mutex_lock (&self->lock);
  caps = g_steal_pointer (&self->new_caps);
  g_mutex_unlock (&self->lock);
  if (caps != NULL)
    g_object_set (self->caps, "caps", caps, NULL);
}

static GstPadProbeReturn
on_source_frame (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  soak_mark (pad, GST_PAD_PROBE_INFO_BUFFER (probe));
  use_new_caps (data);
  return GST_PAD_PROBE_OK;
}

static void
hold (SoakPipe *self, GstBuffer *buffer)
{
  guint most = (guint) g_atomic_int_get (&self->hold);

  g_mutex_lock (&self->lock);
  g_queue_push_tail (&self->held, gst_buffer_ref (buffer));
  while (g_queue_get_length (&self->held) > most)
    gst_buffer_unref (g_queue_pop_head (&self->held));
  g_mutex_unlock (&self->lock);
}

static GstPadProbeReturn
on_frame (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (probe);
  SoakPipe *self = data;
  gint n = g_atomic_int_add (&self->frames, 1);

  if (!soak_mark_is_there (pad, buffer, n))
    g_atomic_int_inc (&self->wrong);
  hold (self, buffer);
  return GST_PAD_PROBE_OK;
}

/* Whoever is last says how many buffers he needs. */
static GstPadProbeReturn
on_query (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (probe);
  SoakPipe *self = data;
  guint n = (guint) g_atomic_int_get (&self->n_buffers);

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION || n == 0)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_pool (query, NULL, 0, n, 0);
  return GST_PAD_PROBE_HANDLED;
}

static GstBusSyncReply
on_message (GstBus *bus, GstMessage *message, gpointer data)
{
  SoakPipe *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree gchar *details = NULL;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_ERROR) {
    gst_message_parse_error (message, &error, &details);
    g_mutex_lock (&self->lock);
    if (self->error == NULL)
      self->error = g_strdup_printf ("%s: %s %s",
          GST_OBJECT_NAME (GST_MESSAGE_SRC (message)), error->message, details);
    g_mutex_unlock (&self->lock);
  } else if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_EOS) {
    gst_message_unref (message);
    return GST_BUS_DROP;
  }
  return GST_BUS_PASS;
}

/* A pipeline */

GstCaps *
soak_new_caps (GRand *random)
{
  static const gchar *const formats[] = { "RGBA", "NV12", "I420", "GBRA", "RGB",
    "BGRx", "P010_10LE", "Y444" };
  guint which = (guint) g_rand_int_range (random, 0, G_N_ELEMENTS (formats));

  return gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      formats[which], "width", G_TYPE_INT,
      g_rand_int_range (random, 1, MAX_SIZE), "height", G_TYPE_INT,
      g_rand_int_range (random, 1, MAX_SIZE), "framerate", GST_TYPE_FRACTION,
      30, 1, NULL);
}

static void
add_probes (SoakPipe *self)
{
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (self->pipeline), "sink");
  g_autoptr (GstPad) source = gst_element_get_static_pad (self->caps, "src");

  self->out = gst_element_get_static_pad (sink, "sink");
  gst_pad_add_probe (source, GST_PAD_PROBE_TYPE_BUFFER, on_source_frame, self,
      NULL);
  gst_pad_add_probe (self->out, GST_PAD_PROBE_TYPE_BUFFER, on_frame, self,
      NULL);
  gst_pad_add_probe (self->out,
      GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM | GST_PAD_PROBE_TYPE_PUSH, on_query,
      self, NULL);
}

SoakPipe *
soak_pipe_new (guint chain, GRand *random)
{
  SoakPipe *self = g_new0 (SoakPipe, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GstBus) bus = NULL;

  self->chain = chain % soak_pipe_n_chains ();
  self->pipeline = gst_parse_launch (chains[self->chain], &error);
  g_assert_no_error (error);
  g_mutex_init (&self->lock);
  self->source = gst_bin_get_by_name (GST_BIN (self->pipeline), "src");
  self->caps = gst_bin_get_by_name (GST_BIN (self->pipeline), "caps");
  self->flip = gst_bin_get_by_name (GST_BIN (self->pipeline), "flip");
  bus = gst_element_get_bus (self->pipeline);
  gst_bus_set_sync_handler (bus, on_message, self, NULL);
  add_probes (self);
  caps = soak_new_caps (random);
  g_object_set (self->caps, "caps", caps, NULL);
  return self;
}

static void
let_go (SoakPipe *self)
{
  g_mutex_lock (&self->lock);
  g_queue_clear_full (&self->held, (GDestroyNotify) gst_buffer_unref);
  g_mutex_unlock (&self->lock);
}

void
soak_pipe_free (SoakPipe *self)
{
  if (self == NULL)
    return;
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  let_go (self);
  gst_clear_caps (&self->new_caps);
  gst_object_unref (self->out);
  gst_object_unref (self->source);
  gst_object_unref (self->caps);
  gst_object_unref (self->flip);
  gst_object_unref (self->pipeline);
  g_mutex_clear (&self->lock);
  g_free (self->error);
  g_free (self);
}

void
soak_pipe_play (SoakPipe *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

gboolean
soak_pipe_end (SoakPipe *self, gint n)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);
  g_autoptr (GstMessage) message = NULL;
  gint64 end = g_get_monotonic_time () + GST_TIME_AS_USECONDS (PATIENCE);

  while (g_atomic_int_get (&self->frames) < n &&
      g_get_monotonic_time () < end && self->error == NULL)
    g_usleep (200);
  /* The event waits for a stream that an error may hold for ever. */
  if (self->error == NULL)
    gst_element_send_event (self->pipeline, gst_event_new_eos ());
  message = gst_bus_timed_pop_filtered (bus, PATIENCE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  return message != NULL && GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
}

gboolean
soak_pipe_run (SoakPipe *self, gint n)
{
  soak_pipe_play (self);
  return soak_pipe_end (self, n);
}

gchar *
soak_pipe_check (SoakPipe *self)
{
  gint wrong = g_atomic_int_get (&self->wrong);
  gchar *text = NULL;

  g_mutex_lock (&self->lock);
  if (self->error != NULL)
    text = g_strdup_printf ("chain %u: %s", self->chain, self->error);
  else if (wrong > 0)
    text = g_strdup_printf ("chain %u: %d frames of %d have not their mark",
        self->chain, wrong, g_atomic_int_get (&self->frames));
  g_mutex_unlock (&self->lock);
  return text;
}
