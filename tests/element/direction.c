/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The property video-direction. cases.md 24, 28. */

#include "cudapanel.h"
#include "pipeline.h"
#include "pixels.h"

static void
assert_turned (GstHarness *h, GstVideoOrientationMethod orientation)
{
  g_auto (RefFrame) frame = { 0 }, expected = { 0 };
  GstBuffer *out;

  ref_frame_init (&frame, GST_VIDEO_FORMAT_RGBA, 5, 3, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  ref_frame_init_turned (&expected, &frame, orientation, REF_TIGHT);
  ref_frame_flip (&expected, &frame, orientation);
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  pixel_assert (&expected, out, ref_orientation_name (orientation));
  gst_buffer_unref (out);
}

static GstHarness *
chain_with_flip (GstElement *flip)
{
  GstElement *bin = gst_bin_new (NULL);
  GstElement *upload = gst_element_factory_make ("zcupload", NULL);
  GstElement *download = gst_element_factory_make ("zcdownload", NULL);
  g_autoptr (GstPad) sink = gst_element_get_static_pad (upload, "sink");
  g_autoptr (GstPad) src = gst_element_get_static_pad (download, "src");
  GstHarness *h;

  gst_bin_add_many (GST_BIN (bin), upload, flip, download, NULL);
  g_assert_true (gst_element_link_many (upload, flip, download, NULL));
  gst_element_add_pad (bin, gst_ghost_pad_new ("sink", sink));
  gst_element_add_pad (bin, gst_ghost_pad_new ("src", src));
  h = gst_harness_new_with_element (bin, "sink", "src");
  gst_object_unref (bin);
  gst_harness_play (h);
  chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 5, 3);
  return h;
}

static void
test_launch_line (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcflip video-direction=180 ! zcdownload");
  chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 5, 3);
  assert_turned (h, GST_VIDEO_ORIENTATION_180);
  gst_harness_teardown (h);
}

static void
test_construct (void)
{
  GstElement *flip;
  GstHarness *h;

  if (!have_device ())
    return;
  flip = gst_element_factory_make_full ("zcflip", "video-direction",
      GST_VIDEO_ORIENTATION_90L, NULL);
  h = chain_with_flip (flip);
  assert_turned (h, GST_VIDEO_ORIENTATION_90L);
  gst_harness_teardown (h);
}

static void
test_set_before (void)
{
  GstElement *flip;
  GstHarness *h;

  if (!have_device ())
    return;
  flip = gst_element_factory_make ("zcflip", NULL);
  g_object_set (flip, "video-direction", GST_VIDEO_ORIENTATION_UL_LR, NULL);
  h = chain_with_flip (flip);
  assert_turned (h, GST_VIDEO_ORIENTATION_UL_LR);
  gst_harness_teardown (h);
}

static void
test_set_after (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcflip ! zcdownload");
  chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 5, 3);
  for (guint i = 0; i < 3 * N_ORIENTATIONS; i++) {
    GstVideoOrientationMethod orientation = i * 3 % N_ORIENTATIONS;

    g_object_set (chain_find (h, "zcflip"), "video-direction", orientation,
        NULL);
    assert_turned (h, orientation);
  }
  gst_harness_teardown (h);
}

/* An allocation while playing waits for the whole device: none for a direction
 * that needs no other buffers. cases.md 70 */
static void
test_no_allocation (gconstpointer data)
{
  const GstVideoOrientationMethod *pair = data;
  SoftcudaCounters before, after;
  const SoftcudaPanel *panel;
  GstHarness *h;

  if (!have_device () || !(panel = cuda_test_panel ()))
    return;
  h = chain_new ("zcupload ! zcflip ! zcdownload");
  chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 5, 3);
  for (guint i = 0; i < 12; i++) {
    if (i == 4)
      panel->get_counters (&before);
    g_object_set (chain_find (h, "zcflip"), "video-direction", pair[i % 2],
        NULL);
    assert_turned (h, pair[i % 2]);
  }
  panel->get_counters (&after);
  g_assert_cmpuint (after.allocations, ==, before.allocations);
  g_assert_cmpuint (after.host_allocations, ==, before.host_allocations);
  gst_harness_teardown (h);
}

/* Kept through all states. */
static void
test_restart (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcflip video-direction=vert ! zcdownload");
  for (guint i = 0; i < 3; i++) {
    chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 5, 3);
    assert_turned (h, GST_VIDEO_ORIENTATION_VERT);
    gst_element_set_state (h->element, GST_STATE_NULL);
    gst_harness_play (h);
    gst_harness_push_event (h, gst_event_new_flush_start ());
    gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
    gst_harness_push_event (h, gst_event_new_stream_start ("again"));
  }
  gst_harness_teardown (h);
}

static void
test_custom (void)
{
  GstElement *pipeline = pipeline_new ("zcflip name=flip ! fakesink");
  g_autoptr (GstElement) flip =
      gst_bin_get_by_name (GST_BIN (pipeline), "flip");
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) warning = NULL;
  GstVideoOrientationMethod direction;

  g_object_set (flip, "video-direction", GST_VIDEO_ORIENTATION_HORIZ, NULL);
  g_object_set (flip, "video-direction", GST_VIDEO_ORIENTATION_CUSTOM, NULL);
  g_object_get (flip, "video-direction", &direction, NULL);
  g_assert_cmpint (direction, ==, GST_VIDEO_ORIENTATION_HORIZ);
  warning = gst_bus_pop_filtered (bus, GST_MESSAGE_WARNING);
  g_assert_nonnull (warning);
  pipeline_free (pipeline);
}

/* Changed by another thread at any moment, on square frames, where a half-turned
 * one would not even have the wrong size: each frame is turned as a whole. */
static gpointer
change_often (gpointer data)
{
  GstElement *flip = data;

  for (guint i = 0; g_object_get_data (G_OBJECT (flip), "stop") == NULL; i++) {
    g_object_set (flip, "video-direction", i * 5 % N_ORIENTATIONS, NULL);
    g_usleep (50);
  }
  return NULL;
}

static gboolean
is_one_of (GstBuffer *buffer, const RefFrame *frame)
{
  for (guint i = 0; i < N_ORIENTATIONS; i++) {
    g_auto (RefFrame) turned = { 0 };

    ref_frame_init_turned (&turned, frame, i, REF_TIGHT);
    ref_frame_flip (&turned, frame, i);
    if (pixel_equal (&turned, buffer))
      return TRUE;
  }
  return FALSE;
}

static void
test_any_thread (void)
{
  g_auto (RefFrame) frame = { 0 };
  GThread *thread;
  GstElement *flip;
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcflip ! zcdownload");
  flip = chain_find (h, "zcflip");
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, 32, 32);
  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, 32, 32, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  thread = g_thread_new ("change", change_often, flip);
  for (guint i = 0; i < 300; i++) {
    GstBuffer *out = chain_run (h, pixel_buffer (&frame, TRUE));

    g_assert_true (is_one_of (out, &frame));
    gst_buffer_unref (out);
  }
  g_object_set_data (G_OBJECT (flip), "stop", flip);
  g_thread_join (thread);
  gst_harness_teardown (h);
}

/* cases.md 28: identity is the same buffer. */
static GstBuffer *
device_frame (GstHarness *upload)
{
  g_auto (RefFrame) frame = { 0 };

  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, 16, 16, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  return chain_run (upload, pixel_buffer (&frame, TRUE));
}

static void
test_identity (void)
{
  GstHarness *upload, *h;

  if (!have_device ())
    return;
  upload = chain_new ("zcupload");
  chain_set_size (upload, GST_VIDEO_FORMAT_NV12, 16, 16);
  h = gst_harness_new ("zcflip");
  gst_harness_play (h);

  for (guint i = 0; i < 100; i++) {
    gboolean turn = i % 2;
    GstBuffer *in = device_frame (upload), *out;

    if (i == 0)
      gst_harness_set_src_caps (h, gst_pad_get_current_caps (upload->sinkpad));
    g_object_set (h->element, "video-direction",
        turn ? GST_VIDEO_ORIENTATION_90R : GST_VIDEO_ORIENTATION_IDENTITY,
        NULL);
    out = chain_run (h, gst_buffer_ref (in));
    g_assert_cmpint (out == in, ==, !turn);
    gst_buffer_unref (in);
    gst_buffer_unref (out);
  }
  gst_harness_teardown (h);
  gst_harness_teardown (upload);
}

/* What others are told of a picture: where it is, and after whose work. */
static GstZcArray *
told (GstBuffer *buffer)
{
  GstZcArrayMeta *meta = gst_zc_buffer_get_array_meta (buffer);
  g_autoptr (GError) error = NULL;
  GstZcArray *array;

  g_assert_nonnull (meta);
  array = gst_zc_array_meta_get_array (meta, 0, GST_MAP_READ, &error);
  g_assert_no_error (error);
  return array;
}

/* cases.md 28: a picture that passes is still the work of who wrote it. */
static void
test_identity_writer (void)
{
  GstZcArray *before, *passed, *turned;
  GstBuffer *in, *out;
  GstHarness *upload, *h;

  if (!have_device ())
    return;
  upload = chain_new ("zcupload");
  chain_set_size (upload, GST_VIDEO_FORMAT_NV12, 16, 16);
  in = device_frame (upload);
  before = told (in);
  h = gst_harness_new ("zcflip");
  gst_harness_play (h);
  gst_harness_set_src_caps (h, gst_pad_get_current_caps (upload->sinkpad));

  out = chain_run (h, gst_buffer_ref (in));
  passed = told (out);
  g_assert_cmphex (passed->data, ==, before->data);
  g_assert_cmpint (passed->cai_stream, ==, before->cai_stream);
  gst_buffer_unref (out);

  g_object_set (h->element, "video-direction", GST_VIDEO_ORIENTATION_90R, NULL);
  out = chain_run (h, in);
  turned = told (out);
  g_assert_cmphex (turned->data, !=, before->data);
  g_assert_cmpint (turned->cai_stream, !=, before->cai_stream);
  gst_buffer_unref (out);
  gst_zc_array_free (before);
  gst_zc_array_free (passed);
  gst_zc_array_free (turned);
  gst_harness_teardown (h);
  gst_harness_teardown (upload);
}

/* Identity asks downstream for the pools that upstream uses. */
static void
test_identity_allocation (void)
{
  g_autoptr (GstQuery) query = NULL;
  g_autoptr (GstCaps) caps = NULL;
  GstHarness *h;

  if (!have_device ())
    return;
  h = gst_harness_new ("zcflip");
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  gst_harness_play (h);
  caps = gst_caps_from_string ("video/x-raw(memory:CUDAMemory),format=NV12,"
                               "width=16,height=16,framerate=30/1");
  gst_harness_set_src_caps (h, gst_caps_ref (caps));
  query = gst_query_new_allocation (caps, TRUE);
  g_assert_true (gst_pad_peer_query (h->srcpad, query));
  g_assert_cmpuint (gst_query_get_n_allocation_pools (query), ==, 0);
  g_assert_cmpuint (gst_query_get_n_allocation_metas (query), ==, 1);
  gst_harness_teardown (h);
}

static GstPadProbeReturn
turn_when_asked (GstPad *pad, GstPadProbeInfo *probe, gpointer flip)
{
  if (GST_QUERY_TYPE (GST_PAD_PROBE_INFO_QUERY (probe)) == GST_QUERY_CAPS)
    g_object_set (flip, "video-direction", GST_VIDEO_ORIENTATION_90R, NULL);
  return GST_PAD_PROBE_OK;
}

/* A query is answered for one direction, whatever comes while the peer is asked:
 * caps are turned there and back, and nothing was left of them. */
static void
test_changes_while_asked (void)
{
  g_autoptr (GstCaps) filter = NULL, caps = NULL;
  GstHarness *h;

  if (!have_device ())
    return;
  h = gst_harness_new ("zcflip");
  filter = gst_caps_from_string ("video/x-raw(memory:CUDAMemory),format=NV12,"
                                 "width=16,height=32,framerate=30/1");
  gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM,
      turn_when_asked, h->element, NULL);
  caps = gst_pad_peer_query_caps (h->srcpad, filter);
  g_assert_true (gst_caps_is_subset (filter, caps));
  gst_harness_teardown (h);
}

static const GstVideoOrientationMethod upright[] = { GST_VIDEO_ORIENTATION_180,
  GST_VIDEO_ORIENTATION_VERT };
static const GstVideoOrientationMethod lying[] = { GST_VIDEO_ORIENTATION_90L,
  GST_VIDEO_ORIENTATION_UL_LR };

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/direction/launch-line", test_launch_line);
  g_test_add_func ("/direction/construct", test_construct);
  g_test_add_func ("/direction/set-before", test_set_before);
  g_test_add_func ("/direction/set-after", test_set_after);
  g_test_add_func ("/direction/restart", test_restart);
  g_test_add_func ("/direction/custom", test_custom);
  g_test_add_func ("/direction/any-thread", test_any_thread);
  g_test_add_func ("/direction/identity", test_identity);
  g_test_add_func ("/direction/identity-writer", test_identity_writer);
  g_test_add_data_func ("/direction/no-allocation/upright", upright,
      test_no_allocation);
  g_test_add_data_func ("/direction/no-allocation/lying", lying,
      test_no_allocation);
  g_test_add_func ("/direction/identity-allocation", test_identity_allocation);
  g_test_add_func ("/direction/changes-while-asked", test_changes_while_asked);
  return g_test_run ();
}
