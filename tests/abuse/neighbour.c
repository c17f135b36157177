/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "neighbour.h"

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/zc/zc.h>

#include "pixels.h"

#define LAUNCH                                                                 \
  "appsrc name=src format=time ! zcupload ! zcflip video-direction=180 ! "     \
  "zcdownload ! appsink name=sink sync=false"
#define WIDTH 32
#define HEIGHT 24
#define PATIENCE (10 * G_TIME_SPAN_SECOND)
#define LOOK_EVERY (2 * GST_MSECOND)

void
neighbour_init (Neighbour *self)
{
  g_autoptr (GstCaps) caps = pixel_caps (GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  g_autoptr (GError) error = NULL;

  *self = (Neighbour) { .pipeline = gst_parse_launch (LAUNCH, &error) };
  g_assert_no_error (error);
  self->src = gst_bin_get_by_name (GST_BIN (self->pipeline), "src");
  self->sink = gst_bin_get_by_name (GST_BIN (self->pipeline), "sink");
  g_object_set (self->src, "caps", caps, NULL);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

void
neighbour_clear (Neighbour *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_clear_object (&self->src);
  gst_clear_object (&self->sink);
  gst_clear_object (&self->pipeline);
}

/* What elements of ours have said, a line each. */
static gchar *
take_errors (Neighbour *self)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);
  g_autoptr (GString) lines = g_string_new (NULL);
  GstMessage *message;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR)) != NULL) {
    g_autoptr (GError) error = NULL;

    gst_message_parse_error (message, &error, NULL);
    if (GST_IS_ZC_FILTER (GST_MESSAGE_SRC (message)))
      g_string_append_printf (lines, "%s\n", error->message);
    gst_message_unref (message);
  }
  return lines->len > 0 ? g_string_free (g_steal_pointer (&lines), FALSE)
                        : NULL;
}

static GstSample *
wait_for_sample (Neighbour *self, gchar **error)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;
  GstSample *sample = NULL;

  while (sample == NULL && *error == NULL && g_get_monotonic_time () < end) {
    sample =
        gst_app_sink_try_pull_sample (GST_APP_SINK (self->sink), LOOK_EVERY);
    *error = take_errors (self);
  }
  return sample;
}

gboolean
neighbour_exchange (Neighbour *self, gchar **error)
{
  g_auto (RefFrame) frame = { 0 }, expected = { 0 };
  GstBuffer *buffer;
  GstSample *sample;
  gboolean right;

  *error = NULL;
  ref_frame_init (&frame, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT, REF_TIGHT);
  ref_frame_init (&expected, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT, REF_TIGHT);
  ref_frame_fill_random (&frame, self->n);
  ref_frame_flip (&expected, &frame, GST_VIDEO_ORIENTATION_180);
  buffer = pixel_buffer_default (&frame);
  GST_BUFFER_PTS (buffer) = self->n++ * GST_MSECOND;
  gst_app_src_push_buffer (GST_APP_SRC (self->src), buffer);
  sample = wait_for_sample (self, error);
  if (sample == NULL)
    return FALSE;
  right = pixel_equal (&expected, gst_sample_get_buffer (sample));
  gst_sample_unref (sample);
  return right;
}

gchar *
neighbour_restart_error (Neighbour *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_element_set_state (self->pipeline, GST_STATE_READY);
  return take_errors (self);
}
