/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Starting, stopping and all in between. cases.md 8, 18. */

#include "pipeline.h"
#include "pixels.h"
#include "softcuda-panel.h"

#define CHAIN "zcupload ! zcflip video-direction=90r ! zcdownload"

static GstHarness *
new_chain (gint width, gint height)
{
  GstHarness *h = chain_new (CHAIN);

  chain_set_size (h, GST_VIDEO_FORMAT_NV12, width, height);
  return h;
}

static void
run_frame (GstHarness *h, GstVideoFormat format, gint width, gint height)
{
  g_auto (RefFrame) frame = { 0 }, expected = { 0 };
  GstBuffer *out;

  ref_frame_init (&frame, format, width, height, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  ref_frame_init_turned (&expected, &frame, GST_VIDEO_ORIENTATION_90R,
      REF_TIGHT);
  ref_frame_flip (&expected, &frame, GST_VIDEO_ORIENTATION_90R);
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  pixel_assert (&expected, out, "turned");
  gst_buffer_unref (out);
}

/* New sizes and formats between frames, with and without the old ones around. */
static void
test_renegotiate (void)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_NV12,
    GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_I420_10LE };
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain (16, 8);
  for (guint i = 0; i < 30; i++) {
    GstVideoFormat format = formats[i % G_N_ELEMENTS (formats)];
    gint width = 16 + i % 7, height = 8 + i % 5;

    chain_set_size (h, format, width, height);
    run_frame (h, format, width, height);
    run_frame (h, format, width, height);
  }
  gst_harness_teardown (h);
}

static void
test_flush (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain (16, 8);
  for (guint i = 0; i < 10; i++) {
    GstSegment segment;

    run_frame (h, GST_VIDEO_FORMAT_NV12, 16, 8);
    g_assert_true (gst_harness_push_event (h, gst_event_new_flush_start ()));
    g_assert_true (gst_harness_push_event (h, gst_event_new_flush_stop (TRUE)));
    gst_segment_init (&segment, GST_FORMAT_TIME);
    g_assert_true (gst_harness_push_event (h,
        gst_event_new_segment (&segment)));
  }
  gst_harness_teardown (h);
}

static void
test_drain (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain (16, 8);
  for (guint i = 0; i < 10; i++) {
    g_autoptr (GstQuery) query = gst_query_new_drain ();

    run_frame (h, GST_VIDEO_FORMAT_NV12, 16, 8);
    gst_pad_peer_query (h->srcpad, query);
  }
  gst_harness_teardown (h);
}

/* A drained element holds nothing of upstream's. */
static void
count_release (gpointer data)
{
  g_atomic_int_inc ((gint *) data);
}

static void
test_drain_releases (void)
{
  g_auto (RefFrame) frame = { 0 };
  gint released = 0;
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload");
  chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 64, 64);
  ref_frame_init (&frame, GST_VIDEO_FORMAT_RGBA, 64, 64, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  for (gint i = 1; i <= 10; i++) {
    g_autoptr (GstQuery) query = gst_query_new_drain ();
    const RefPlane *plane = &frame.plane[0];
    GstBuffer *in = gst_buffer_new ();

    gst_buffer_append_memory (in,
        gst_memory_new_wrapped (GST_MEMORY_FLAG_READONLY, plane->memory,
            plane->size, plane->data - plane->memory, 64 * 64 * 4, &released,
            count_release));
    gst_buffer_unref (chain_run (h, in));
    gst_pad_peer_query (h->srcpad, query);
    g_assert_cmpint (g_atomic_int_get (&released), ==, i);
  }
  gst_harness_teardown (h);
}

static void
test_states (gconstpointer data)
{
  GstState low = GPOINTER_TO_INT (data);
  GstElement *pipeline;

  if (!have_device ())
    return;
  pipeline = pipeline_new ("videotestsrc num-buffers=5 ! " CHAIN " ! fakesink");
  for (guint i = 0; i < 10; i++) {
    pipeline_play (pipeline);
    g_assert_cmpint (gst_element_set_state (pipeline, low), ==,
        GST_STATE_CHANGE_SUCCESS);
  }
  pipeline_free (pipeline);
}

static void
test_pause (void)
{
  GstElement *pipeline;

  if (!have_device ())
    return;
  pipeline =
      pipeline_new ("videotestsrc num-buffers=100 ! " CHAIN " ! fakesink");
  for (guint i = 0; i < 10; i++) {
    gst_element_set_state (pipeline,
        i % 2 ? GST_STATE_PLAYING : GST_STATE_PAUSED);
    g_assert_cmpint (gst_element_get_state (pipeline, NULL, NULL,
                         10 * GST_SECOND),
        ==, GST_STATE_CHANGE_SUCCESS);
  }
  pipeline_play (pipeline);
  pipeline_free (pipeline);
}

/* Stopped in the middle, at any moment. */
static void
test_stop_anywhere (void)
{
  GstElement *pipeline;

  if (!have_device ())
    return;
  pipeline = pipeline_new ("videotestsrc is-live=false ! queue ! " CHAIN
                           " ! queue ! fakesink");
  for (guint i = 0; i < 20; i++) {
    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    g_usleep (i * 500);
    g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_NULL), ==,
        GST_STATE_CHANGE_SUCCESS);
  }
  pipeline_free (pipeline);
}

static void
test_seek (void)
{
  GstElement *pipeline;

  if (!have_device ())
    return;
  pipeline =
      pipeline_new ("videotestsrc num-buffers=60 ! " CHAIN " ! fakesink");
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  for (guint i = 0; i < 10; i++) {
    gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
    g_assert_true (gst_element_seek_simple (pipeline, GST_FORMAT_TIME,
        GST_SEEK_FLAG_FLUSH, i * 100 * GST_MSECOND));
  }
  pipeline_play (pipeline);
  pipeline_free (pipeline);
}

/* cases.md 8: no pool is too small for two branches with full queues. */
static void
test_queues (void)
{
  if (!have_device ())
    return;
  pipeline_run ("videotestsrc num-buffers=500 ! "
                "video/x-raw,format=NV12,width=64,height=48 ! zcupload ! "
                "queue max-size-buffers=20 ! tee name=t "
                "t. ! queue max-size-buffers=20 ! zcflip video-direction=90l ! "
                "fakesink t. ! queue ! zcdownload ! fakesink");
}

/* cases.md 18: the last buffer goes when all else is gone, elsewhere. */
static gpointer
drop (gpointer buffer)
{
  gst_buffer_unref (buffer);
  return NULL;
}

static void
test_last_buffer (void)
{
  g_auto (RefFrame) frame = { 0 };
  GstHarness *h;
  GstBuffer *out;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcflip video-direction=90r");
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, 64, 48);
  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, 64, 48, REF_TIGHT);
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  gst_harness_teardown (h);
  g_thread_join (g_thread_new ("drop", drop, out));
}

/* Nothing is held back, and frames that come too late are left out. */
static void
test_latency (void)
{
  static const gchar *const factories[] = { "zcupload", "zcflip",
    "zcdownload" };
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain (16, 8);
  g_assert_cmpuint (gst_harness_query_latency (h), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    gboolean qos;

    g_object_get (chain_find (h, factories[i]), "qos", &qos, NULL);
    g_assert_true (qos);
  }
  gst_harness_teardown (h);
}

static void
test_qos (void)
{
  g_auto (RefFrame) frame = { 0 };
  GstHarness *h;
  GstBuffer *in;

  if (!have_device ())
    return;
  h = chain_new ("zcupload");
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, 16, 8);
  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, 16, 8, REF_TIGHT);
  gst_harness_push_upstream_event (h,
      gst_event_new_qos (GST_QOS_TYPE_UNDERFLOW, 2.0, GST_SECOND, GST_SECOND));
  in = pixel_buffer (&frame, TRUE);
  GST_BUFFER_PTS (in) = GST_SECOND / 2;
  g_assert_cmpint (gst_harness_push (h, in), ==, GST_FLOW_OK);
  g_assert_null (gst_harness_try_pull (h));
  gst_harness_teardown (h);
}

static gboolean
is_no_more (const SoftcudaOutstanding *after, const SoftcudaOutstanding *before)
{
  return after->device_allocations <= before->device_allocations &&
      after->pinned_allocations <= before->pinned_allocations &&
      after->streams <= before->streams && after->events <= before->events &&
      after->modules <= before->modules;
}

/* Whatever a run takes it gives back, if not at once: what is in use is let go
 * of later, and a free need not wait for that. */
static void
test_baseline (void)
{
  const SoftcudaPanel *panel = softcuda_panel ();
  SoftcudaOutstanding before, after;
  GstElement *pipeline;

  if (!have_device ())
    return;
  if (panel == NULL) {
    g_test_skip ("needs the control panel of softcuda");
    return;
  }
  pipeline =
      pipeline_new ("videotestsrc num-buffers=20 ! " CHAIN " ! fakesink");
  for (guint i = 0; i < 4; i++) {
    pipeline_play (pipeline);
    gst_element_set_state (pipeline, GST_STATE_NULL);
    panel->get_outstanding (i == 0 ? &before : &after);
  }
  for (guint i = 0; i < 200 && !is_no_more (&after, &before); i++) {
    g_usleep (10000);
    panel->get_outstanding (&after);
  }
  g_assert_true (is_no_more (&after, &before));
  pipeline_free (pipeline);
}

#define N_STOPS 400

typedef struct
{
  GstElement *pipeline;
  gint done; /* atomic */
} Asker;

static void
ask_for_allocation (GstElement *pipeline, const gchar *name)
{
  g_autoptr (GstElement) element =
      gst_bin_get_by_name (GST_BIN (pipeline), name);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (element, "sink");
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);
  g_autoptr (GstQuery) query = NULL;

  if (caps == NULL)
    return;
  query = gst_query_new_allocation (caps, TRUE);
  gst_pad_query (pad, query);
}

static gpointer
ask_all (gpointer data)
{
  Asker *self = data;

  while (!g_atomic_int_get (&self->done)) {
    ask_for_allocation (self->pipeline, "up");
    ask_for_allocation (self->pipeline, "flip");
    ask_for_allocation (self->pipeline, "down");
  }
  return NULL;
}

/* GStreamer lets such queries through to elements that are being stopped. */
static void
test_asked_while_stopping (void)
{
  const SoftcudaPanel *panel = softcuda_panel ();
  SoftcudaOutstanding before = { 0 }, after = { 0 };
  Asker asker = { 0 };
  GThread *thread;

  if (panel == NULL) {
    g_test_skip ("needs the control panel of softcuda");
    return;
  }
  asker.pipeline =
      pipeline_new ("videotestsrc ! zcupload name=up ! zcflip name=flip "
                    "video-direction=180 ! zcdownload name=down ! fakesink");
  panel->get_outstanding (&before);
  thread = g_thread_new ("asker", ask_all, &asker);
  for (guint i = 0; i < N_STOPS; i++) {
    gst_element_set_state (asker.pipeline, GST_STATE_PLAYING);
    gst_element_get_state (asker.pipeline, NULL, NULL, GST_SECOND);
    gst_element_set_state (asker.pipeline, GST_STATE_READY);
  }
  g_atomic_int_set (&asker.done, TRUE);
  g_thread_join (thread);
  pipeline_free (asker.pipeline);
  panel->get_outstanding (&after);
  for (guint i = 0; i < 200 && !is_no_more (&after, &before); i++) {
    g_usleep (10000);
    panel->get_outstanding (&after);
  }
  g_assert_true (is_no_more (&after, &before));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/lifecycle/renegotiate", test_renegotiate);
  g_test_add_func ("/lifecycle/flush", test_flush);
  g_test_add_func ("/lifecycle/drain", test_drain);
  g_test_add_func ("/lifecycle/drain-releases", test_drain_releases);
  g_test_add_data_func ("/lifecycle/states/ready",
      GINT_TO_POINTER (GST_STATE_READY), test_states);
  g_test_add_data_func ("/lifecycle/states/null",
      GINT_TO_POINTER (GST_STATE_NULL), test_states);
  g_test_add_func ("/lifecycle/pause", test_pause);
  g_test_add_func ("/lifecycle/stop-anywhere", test_stop_anywhere);
  g_test_add_func ("/lifecycle/seek", test_seek);
  g_test_add_func ("/lifecycle/queues", test_queues);
  g_test_add_func ("/lifecycle/last-buffer", test_last_buffer);
  g_test_add_func ("/lifecycle/latency", test_latency);
  g_test_add_func ("/lifecycle/qos", test_qos);
  g_test_add_func ("/lifecycle/baseline", test_baseline);
  g_test_add_func ("/lifecycle/asked-while-stopping",
      test_asked_while_stopping);
  return g_test_run ();
}
