/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Foreign device memory pushed into pipelines by an application: no upload, the
 * pixels of a producer that is late, each picture given back once. */

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>
#include <gst/cuda/gstcudamemory.h>

#include "foreignpicture.h"
#include "pipeline.h"
#include "pixels.h"

#define N_FRAMES 5
#define DELAY_MS 20

#define SOURCE "appsrc name=src format=time ! "
#define SINK " ! appsink name=sink sync=false"

typedef struct
{
  const gchar *name;
  const gchar *launch;
  GstVideoOrientationMethod orientation;
} Chain;

static const Chain chains[] = {
  { "download", SOURCE "zcdownload" SINK, GST_VIDEO_ORIENTATION_IDENTITY },
  { "flip", SOURCE "zcflip video-direction=90r ! zcdownload" SINK,
      GST_VIDEO_ORIENTATION_90R },
  { "queues",
      SOURCE "queue ! zcflip video-direction=180 ! queue ! zcdownload" SINK,
      GST_VIDEO_ORIENTATION_180 },
};

/* An application: pictures, and the pipeline that they go through. */
typedef struct
{
  GstElement *pipeline;
  GstAppSrc *src;
  GstAppSink *sink;
  GstCudaContext *context;
  GstZcStream *producer;
  ForeignPicture picture[N_FRAMES];
  RefFrame frame[N_FRAMES];
} App;

static void
app_init (App *self, const gchar *launch)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstCaps) caps =
      pixel_caps (foreign_one.format, foreign_one.width, foreign_one.height);

  gst_caps_set_features (caps, 0,
      gst_caps_features_new_single ("memory:CUDAMemory"));
  self->pipeline = pipeline_new (launch);
  self->src =
      GST_APP_SRC (gst_bin_get_by_name (GST_BIN (self->pipeline), "src"));
  self->sink =
      GST_APP_SINK (gst_bin_get_by_name (GST_BIN (self->pipeline), "sink"));
  gst_app_src_set_caps (self->src, caps);
  self->context = gst_zc_context_new (0, &error);
  g_assert_no_error (error);
  self->producer = gst_zc_stream_new (self->context, &error);
  g_assert_no_error (error);
}

static void
app_clear (App *self)
{
  gst_object_unref (self->src);
  gst_object_unref (self->sink);
  pipeline_free (self->pipeline);
  for (guint i = 0; i < N_FRAMES; i++) {
    foreign_picture_wait_for_notify (&self->picture[i]);
    g_assert_cmpuint (self->picture[i].n_notify, ==, 1);
    foreign_picture_clear (&self->picture[i]);
    ref_frame_clear (&self->frame[i]);
  }
  gst_zc_stream_unref (self->producer);
  gst_object_unref (self->context);
}

static void
app_push (App *self, guint i)
{
  const ForeignLayout *layout = i % 2 ? &foreign_two : &foreign_one;
  GstZcProducer producer = { GST_ZC_PRODUCER_STREAM,
    gst_zc_stream_get_handle (self->producer) };
  GstBuffer *buffer;

  foreign_picture_init (&self->picture[i], self->context, layout);
  ref_frame_init (&self->frame[i], layout->format, layout->width,
      layout->height, REF_TIGHT);
  ref_frame_fill_random (&self->frame[i], pixel_seed ());
  cuda_test_delay (self->producer, DELAY_MS);
  foreign_picture_queue_write (&self->picture[i], self->producer,
      &self->frame[i]);
  buffer = foreign_picture_wrap (&self->picture[i], &producer);
  GST_BUFFER_PTS (buffer) = i * GST_SECOND / 30;
  g_assert_cmpint (gst_app_src_push_buffer (self->src, buffer), ==,
      GST_FLOW_OK);
}

static void
expect (App *self, guint i, GstVideoOrientationMethod orientation)
{
  g_auto (RefFrame) expected = { 0 };
  g_autoptr (GstSample) sample = gst_app_sink_pull_sample (self->sink);

  g_assert_nonnull (sample);
  ref_frame_init_turned (&expected, &self->frame[i], orientation, REF_TIGHT);
  ref_frame_flip (&expected, &self->frame[i], orientation);
  pixel_assert (&expected, gst_sample_get_buffer (sample), "a wrapped picture");
}

static void
test_chain (gconstpointer data)
{
  const Chain *chain = data;
  App app = { 0 };

  if (!have_device ())
    return;
  app_init (&app, chain->launch);
  gst_element_set_state (app.pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < N_FRAMES; i++)
    app_push (&app, i);
  for (guint i = 0; i < N_FRAMES; i++)
    expect (&app, i, chain->orientation);
  app_clear (&app);
}

/* Nobody takes the pictures out: they are in queues, in work, in the sink. */
static void
test_stopped (gconstpointer data)
{
  const Chain *chain = data;
  App app = { 0 };

  if (!have_device ())
    return;
  app_init (&app, chain->launch);
  gst_element_set_state (app.pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < N_FRAMES; i++)
    app_push (&app, i);
  app_clear (&app);
}

static void
test_flushed (gconstpointer data)
{
  const Chain *chain = data;
  App app = { 0 };

  if (!have_device ())
    return;
  app_init (&app, chain->launch);
  gst_element_set_state (app.pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i + 1 < N_FRAMES; i++)
    app_push (&app, i);
  g_assert_true (gst_element_send_event (GST_ELEMENT (app.src),
      gst_event_new_flush_start ()));
  g_assert_true (gst_element_send_event (GST_ELEMENT (app.src),
      gst_event_new_flush_stop (TRUE)));
  app_push (&app, N_FRAMES - 1);
  app_clear (&app);
}

static void
add (const gchar *name, GTestDataFunc test)
{
  for (guint i = 0; i < G_N_ELEMENTS (chains); i++) {
    g_autofree gchar *path =
        g_strdup_printf ("/foreign/%s/%s", name, chains[i].name);

    g_test_add_data_func (path, &chains[i], test);
  }
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

  add ("chain", test_chain);
  add ("stopped", test_stopped);
  add ("flushed", test_flushed);
  return g_test_run ();
}
