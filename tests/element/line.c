/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "line.h"

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/cuda/gstcudautils.h>

#include "devicetest.h"
#include "pipeline.h"
#include "pixels.h"

#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 48
#define HEIGHT 34
#define PATIENCE (30 * GST_SECOND)

static void
frame_init (const Line *self, guint n, RefFrame *frame)
{
  ref_frame_init (frame, FORMAT, WIDTH, HEIGHT, REF_TIGHT);
  ref_frame_fill_random (frame, self->seed + n);
}

static void
send (Line *self, guint n)
{
  g_auto (RefFrame) frame = { 0 };

  frame_init (self, n, &frame);
  g_assert_cmpint (gst_app_src_push_buffer (GST_APP_SRC (self->in),
                       pixel_buffer (&frame, TRUE)),
      ==, GST_FLOW_OK);
}

static void
check (Line *self, guint n, GstBuffer *buffer)
{
  g_auto (RefFrame) frame = { 0 };
  g_auto (RefFrame) expected = { 0 };
  g_autofree gchar *what =
      g_strdup_printf ("frame %u of device %d", n, self->device);

  frame_init (self, n, &frame);
  ref_frame_init_turned (&expected, &frame, GST_VIDEO_ORIENTATION_90R,
      REF_TIGHT);
  ref_frame_flip (&expected, &frame, GST_VIDEO_ORIENTATION_90R);
  pixel_assert (&expected, buffer, what);
}

/* Some are under way before the first one is looked at. */
static gpointer
run (gpointer data)
{
  Line *self = data;
  guint sent = 0;

  for (guint n = 0; n < self->n_frames; n++) {
    g_autoptr (GstSample) sample = NULL;

    while (sent < self->n_frames && sent < n + 5)
      send (self, sent++);
    sample = gst_app_sink_try_pull_sample (GST_APP_SINK (self->out), PATIENCE);
    g_assert_nonnull (sample);
    check (self, n, gst_sample_get_buffer (sample));
  }
  gst_app_src_end_of_stream (GST_APP_SRC (self->in));
  return NULL;
}

static GstPadProbeReturn
look (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstBuffer *buffer = GST_PAD_PROBE_INFO_BUFFER (info);
  Line *self = data;

  if (pixel_has_cuda (buffer)) {
    g_assert_cmpint (device_test_of (buffer), ==, self->device);
    g_atomic_int_inc (&self->n_seen);
  }
  return GST_PAD_PROBE_OK;
}

static void
look_at_all (const GValue *item, gpointer data)
{
  g_autoptr (GstPad) pad =
      gst_element_get_static_pad (g_value_get_object (item), "src");

  if (pad)
    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, look, data, NULL);
}

static void
give_context (GstElement *pipeline, GstCudaContext *context)
{
  g_autoptr (GstContext) given = gst_context_new_cuda_context (context);

  gst_element_set_context (pipeline, given);
}

void
line_start (Line *self, const gchar *chain, GstCudaContext *context,
    gint device, guint n_frames)
{
  g_autofree gchar *launch = g_strdup_printf (
      "appsrc name=in format=time ! %s ! appsink name=out sync=false", chain);
  g_autoptr (GstCaps) caps = pixel_caps (FORMAT, WIDTH, HEIGHT);
  GstIterator *elements;

  *self = (Line) { pipeline_new (launch), .device = device,
    .n_frames = n_frames, .seed = 1000 * pixel_seed () };
  self->in = gst_bin_get_by_name (GST_BIN (self->pipeline), "in");
  self->out = gst_bin_get_by_name (GST_BIN (self->pipeline), "out");
  gst_app_src_set_caps (GST_APP_SRC (self->in), caps);
  elements = gst_bin_iterate_elements (GST_BIN (self->pipeline));
  gst_iterator_foreach (elements, look_at_all, self);
  gst_iterator_free (elements);
  if (context)
    give_context (self->pipeline, context);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  self->thread = g_thread_new ("line", run, self);
}

void
line_finish (Line *self)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);

  g_thread_join (self->thread);
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));
  g_assert_cmpint (self->n_seen, >=, 2 * self->n_frames);
  gst_object_unref (self->in);
  gst_object_unref (self->out);
  pipeline_free (self->pipeline);
}
