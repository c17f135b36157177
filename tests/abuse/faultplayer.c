/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "faultplayer.h"

#include <gst/app/gstappsink.h>
#include <gst/cuda/gstcudaloader.h>
#include <gst/cuda/gstcudautils.h>
#include <gst/zc/zc.h>

#include "pixels.h"

#define PATIENCE (10 * GST_SECOND)
#define SEEK_TO 2

G_GNUC_PRINTF (2, 3)
static void
note_wrong (FaultPlayer *self, const gchar *format, ...)
{
  va_list args;

  g_mutex_lock (&self->lock);
  if (self->wrong == NULL) {
    va_start (args, format);
    self->wrong = g_strdup_vprintf (format, args);
    va_end (args);
  }
  g_mutex_unlock (&self->lock);
}

static void
compare (FaultPlayer *self, guint sink, GstBuffer *buffer)
{
  guint number = fault_number_of (GST_BUFFER_PTS (buffer));
  g_auto (RefFrame) expected = { 0 };

  fault_pipe_expect (self->pipe, sink, number, &expected);
  if (!pixel_equal (&expected, buffer))
    note_wrong (self, "frame %u has wrong pixels at s%u", number, sink);
}

/* The far end */

static void
check_number (FaultSink *self, GstBuffer *buffer)
{
  guint number = fault_number_of (GST_BUFFER_PTS (buffer));

  if (number != self->next && !self->player->pipe->seeks)
    note_wrong (self->player, "frame %u came to s%u, not %u", number,
        self->index, self->next);
  self->next = number + 1;
  self->n++;
}

static GstFlowReturn
take (GstAppSink *sink, gpointer data)
{
  FaultSink *self = data;
  FaultPlayer *player = self->player;
  GstSample *sample = gst_app_sink_pull_sample (sink);
  GstBuffer *buffer;

  if (sample == NULL)
    return GST_FLOW_EOS;
  buffer = gst_sample_get_buffer (sample);
  check_number (self, buffer);
  if (pixel_has_cuda (buffer)) {
    g_mutex_lock (&player->lock);
    g_ptr_array_add (player->stash, gst_sample_ref (sample));
    g_mutex_unlock (&player->lock);
  } else {
    compare (player, self->index, buffer);
  }
  gst_sample_unref (sample);
  return GST_FLOW_OK;
}

static void
add_sink (FaultPlayer *self, guint index)
{
  static const GstAppSinkCallbacks callbacks = { .new_sample = take };
  static const gchar *const names[] = { "s0", "s1" };
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (self->pipeline), names[index]);

  self->sink[index] = (FaultSink) { self, index };
  if (sink != NULL)
    gst_app_sink_set_callbacks (GST_APP_SINK (sink),
        (GstAppSinkCallbacks *) &callbacks, &self->sink[index], NULL);
}

/* What elements say */

static GstBusSyncReply
on_message (GstBus *bus, GstMessage *message, gpointer data)
{
  FaultPlayer *self = data;
  GstObject *from = GST_MESSAGE_SRC (message);
  g_autoptr (GError) error = NULL;

  if (GST_MESSAGE_TYPE (message) != GST_MESSAGE_ERROR)
    return GST_BUS_PASS;
  gst_message_parse_error (message, &error, NULL);
  g_mutex_lock (&self->lock);
  g_ptr_array_add (GST_IS_ZC_FILTER (from) ? self->errors : self->others,
      g_strdup_printf ("%s: %s", GST_OBJECT_NAME (from), error->message));
  g_mutex_unlock (&self->lock);
  return GST_BUS_PASS;
}

/* On the way */

static GstPadProbeReturn
on_flip (GstPad *pad, GstPadProbeInfo *probe, gpointer data)
{
  g_autoptr (GstElement) flip = gst_pad_get_parent_element (pad);
  guint number =
      fault_number_of (GST_BUFFER_PTS (GST_PAD_PROBE_INFO_BUFFER (probe)));

  g_object_set (flip, "video-direction",
      number >= FAULT_CHANGE ? GST_VIDEO_ORIENTATION_90L
                             : GST_VIDEO_ORIENTATION_IDENTITY,
      NULL);
  return GST_PAD_PROBE_OK;
}

static void
change_direction (FaultPlayer *self)
{
  g_autoptr (GstElement) flip =
      gst_bin_get_by_name (GST_BIN (self->pipeline), "flip");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (flip, "sink");

  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, on_flip, NULL, NULL);
}

/* One of its own for each, beside the primary one. */
static void
give_context (const GValue *item, gpointer data)
{
  GstElement *element = g_value_get_object (item);
  g_autoptr (GstContext) context = NULL;
  GstCudaContext *made;

  if (!GST_IS_ZC_FILTER (element))
    return;
  gst_cuda_load_library ();
  made = gst_cuda_context_new (0);
  g_assert_nonnull (made);
  context = gst_context_new_cuda_context (made);
  gst_element_set_context (element, context);
  g_ptr_array_add (data, made);
}

static void
give_contexts (FaultPlayer *self)
{
  g_autoptr (GstIterator) elements =
      gst_bin_iterate_elements (GST_BIN (self->pipeline));

  gst_iterator_foreach (elements, give_context, self->contexts);
}

/* A player */

void
fault_player_init (FaultPlayer *self, const FaultPipe *pipe)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBus) bus = NULL;

  *self = (FaultPlayer) { .pipe = pipe };
  g_mutex_init (&self->lock);
  self->stash = g_ptr_array_new_with_free_func ((gpointer) gst_sample_unref);
  self->errors = g_ptr_array_new_with_free_func (g_free);
  self->others = g_ptr_array_new_with_free_func (g_free);
  self->contexts = g_ptr_array_new_with_free_func (gst_object_unref);
  self->pipeline = gst_parse_launch (pipe->launch, &error);
  g_assert_no_error (error);
  bus = gst_element_get_bus (self->pipeline);
  gst_bus_set_sync_handler (bus, on_message, self, NULL);
  add_sink (self, 0);
  add_sink (self, 1);
  if (pipe->changes)
    change_direction (self);
  if (pipe->contexts)
    give_contexts (self);
  fault_source_init (&self->source, pipe);
}

void
fault_player_clear (FaultPlayer *self, gboolean lost)
{
  g_ptr_array_unref (self->stash);
  gst_object_unref (self->pipeline);
  fault_source_clear (&self->source, lost);
  g_ptr_array_unref (self->contexts);
  g_ptr_array_unref (self->errors);
  g_ptr_array_unref (self->others);
  g_free (self->wrong);
  g_mutex_clear (&self->lock);
}

void
fault_player_reset (FaultPlayer *self)
{
  for (guint i = 0; i < FAULT_SINKS; i++)
    self->sink[i].next = self->sink[i].n = 0;
  g_ptr_array_set_size (self->stash, 0);
  g_ptr_array_set_size (self->errors, 0);
  g_ptr_array_set_size (self->others, 0);
  g_clear_pointer (&self->wrong, g_free);
}

void
fault_player_fill (FaultPlayer *self)
{
  fault_source_fill (&self->source, self->pipeline);
}

static gboolean
seek (FaultPlayer *self)
{
  if (gst_element_set_state (self->pipeline, GST_STATE_PAUSED) ==
          GST_STATE_CHANGE_FAILURE ||
      gst_element_get_state (self->pipeline, NULL, NULL, PATIENCE) !=
          GST_STATE_CHANGE_SUCCESS)
    return FALSE;
  gst_element_seek_simple (self->pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
      fault_time_of (SEEK_TO));
  return TRUE;
}

Played
fault_player_play (FaultPlayer *self)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);
  g_autoptr (GstMessage) message = NULL;

  if (!self->pipe->seeks || seek (self))
    gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, PATIENCE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  if (message == NULL)
    return PLAYED_STUCK;
  return GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS ? PLAYED_TO_END
                                                       : PLAYED_TO_ERROR;
}

gboolean
fault_player_stop (FaultPlayer *self)
{
  return gst_element_set_state (self->pipeline, GST_STATE_NULL) ==
      GST_STATE_CHANGE_SUCCESS;
}

void
fault_player_look (FaultPlayer *self)
{
  for (guint i = 0; i < self->stash->len; i++)
    compare (self, 0,
        gst_sample_get_buffer (g_ptr_array_index (self->stash, i)));
  g_ptr_array_set_size (self->stash, 0);
}

gboolean
fault_player_is_whole (const FaultPlayer *self)
{
  if (self->wrong != NULL)
    return FALSE;
  if (self->pipe->seeks)
    return self->sink[0].n > 0;
  return self->sink[0].n == FAULT_FRAMES &&
      (self->pipe->threads < 3 || self->sink[1].n == FAULT_FRAMES);
}
