/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Orientation from tags. cases.md 29, 30. */

#include "pipeline.h"
#include "pixels.h"

#define AUTO_CHAIN "zcupload ! zcflip video-direction=auto ! zcdownload"

static const gchar *const values[N_ORIENTATIONS] = {
  [GST_VIDEO_ORIENTATION_IDENTITY] = "rotate-0",
  [GST_VIDEO_ORIENTATION_90R] = "rotate-90",
  [GST_VIDEO_ORIENTATION_180] = "rotate-180",
  [GST_VIDEO_ORIENTATION_90L] = "rotate-270",
  [GST_VIDEO_ORIENTATION_HORIZ] = "flip-rotate-0",
  [GST_VIDEO_ORIENTATION_VERT] = "flip-rotate-180",
  [GST_VIDEO_ORIENTATION_UL_LR] = "flip-rotate-270",
  [GST_VIDEO_ORIENTATION_UR_LL] = "flip-rotate-90",
};

static void
push_tags (GstHarness *h, GstTagScope scope, const gchar *orientation)
{
  GstTagList *tags = gst_tag_list_new (GST_TAG_TITLE, "a title", NULL);

  gst_tag_list_set_scope (tags, scope);
  if (orientation != NULL)
    gst_tag_list_add (tags, GST_TAG_MERGE_REPLACE, GST_TAG_IMAGE_ORIENTATION,
        orientation, NULL);
  g_assert_true (gst_harness_push_event (h, gst_event_new_tag (tags)));
}

static void
push_stream (GstHarness *h, const gchar *stream_id)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->srcpad);

  gst_harness_push_event (h, gst_event_new_stream_start (stream_id));
  if (caps != NULL)
    gst_harness_push_event (h, gst_event_new_caps (caps));
}

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
new_chain (const gchar *chain)
{
  GstHarness *h = chain_new (chain);

  chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 5, 3);
  return h;
}

/* The last orientation tag that came out. (transfer full) (nullable) */
static gchar *
take_tag (GstHarness *h)
{
  gchar *last = NULL;
  GstEvent *event;

  while ((event = gst_harness_try_pull_event (h)) != NULL) {
    GstTagList *tags;
    gchar *value;

    if (GST_EVENT_TYPE (event) == GST_EVENT_TAG) {
      gst_event_parse_tag (event, &tags);
      if (gst_tag_list_get_string (tags, GST_TAG_IMAGE_ORIENTATION, &value)) {
        g_free (last);
        last = value;
      }
    }
    gst_event_unref (event);
  }
  return last;
}

static void
test_value (gconstpointer data)
{
  GstVideoOrientationMethod orientation = GPOINTER_TO_INT (data);
  g_autofree gchar *tag = NULL;
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain (AUTO_CHAIN);
  push_tags (h, GST_TAG_SCOPE_STREAM, values[orientation]);
  assert_turned (h, orientation);
  tag = take_tag (h);
  g_assert_cmpstr (tag, ==, "rotate-0");
  gst_harness_teardown (h);
}

/* cases.md 29: four cases of scope. */
static void
test_stream_wins (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain (AUTO_CHAIN);
  push_tags (h, GST_TAG_SCOPE_STREAM, "rotate-90");
  push_tags (h, GST_TAG_SCOPE_GLOBAL, "rotate-180");
  assert_turned (h, GST_VIDEO_ORIENTATION_90R);
  gst_harness_teardown (h);
}

static void
test_global_first (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain (AUTO_CHAIN);
  push_tags (h, GST_TAG_SCOPE_GLOBAL, "rotate-180");
  assert_turned (h, GST_VIDEO_ORIENTATION_180);
  push_tags (h, GST_TAG_SCOPE_STREAM, "rotate-90");
  assert_turned (h, GST_VIDEO_ORIENTATION_90R);
  gst_harness_teardown (h);
}

static void
test_stream_without (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain (AUTO_CHAIN);
  push_tags (h, GST_TAG_SCOPE_GLOBAL, "rotate-180");
  push_tags (h, GST_TAG_SCOPE_STREAM, "rotate-90");
  push_tags (h, GST_TAG_SCOPE_STREAM, NULL);
  assert_turned (h, GST_VIDEO_ORIENTATION_180);
  gst_harness_teardown (h);
}

static void
test_global_without (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain (AUTO_CHAIN);
  push_tags (h, GST_TAG_SCOPE_GLOBAL, "rotate-180");
  push_tags (h, GST_TAG_SCOPE_GLOBAL, NULL);
  assert_turned (h, GST_VIDEO_ORIENTATION_IDENTITY);
  push_tags (h, GST_TAG_SCOPE_STREAM, "flip-rotate-0");
  push_tags (h, GST_TAG_SCOPE_GLOBAL, NULL);
  assert_turned (h, GST_VIDEO_ORIENTATION_HORIZ);
  gst_harness_teardown (h);
}

static void
test_new_stream (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain (AUTO_CHAIN);
  push_stream (h, "one");
  push_tags (h, GST_TAG_SCOPE_STREAM, "rotate-90");
  assert_turned (h, GST_VIDEO_ORIENTATION_90R);
  push_stream (h, "one");
  assert_turned (h, GST_VIDEO_ORIENTATION_90R);
  push_stream (h, "two");
  assert_turned (h, GST_VIDEO_ORIENTATION_IDENTITY);
  gst_harness_teardown (h);
}

/* Tags do not outlive a stop, the property does. */
static void
test_stop (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain (AUTO_CHAIN);
  push_tags (h, GST_TAG_SCOPE_STREAM, "rotate-90");
  assert_turned (h, GST_VIDEO_ORIENTATION_90R);
  gst_element_set_state (h->element, GST_STATE_READY);
  gst_harness_play (h);
  push_stream (h, "again");
  gst_harness_push_event (h, gst_event_new_flush_stop (TRUE));
  chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 5, 3);
  assert_turned (h, GST_VIDEO_ORIENTATION_IDENTITY);
  gst_harness_teardown (h);
}

/* Whoever does not turn by tags leaves them as they are. */
static void
test_not_automatic (void)
{
  g_autofree gchar *tag = NULL;
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain ("zcupload ! zcflip video-direction=horiz ! zcdownload");
  push_tags (h, GST_TAG_SCOPE_STREAM, "rotate-90");
  assert_turned (h, GST_VIDEO_ORIENTATION_HORIZ);
  tag = take_tag (h);
  g_assert_cmpstr (tag, ==, "rotate-90");
  gst_harness_teardown (h);
}

/* Nobody turns what has been turned. */
static void
test_twice (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain (AUTO_CHAIN " ! videoflip video-direction=auto");
  push_tags (h, GST_TAG_SCOPE_STREAM, "rotate-90");
  assert_turned (h, GST_VIDEO_ORIENTATION_90R);
  gst_harness_teardown (h);
}

/* A tee's branches share the event and its list. */
static void
assert_branch (GstElement *pipeline, const gchar *name)
{
  g_autoptr (GstCaps) caps = pipeline_caps (pipeline, name, "sink");
  g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), name);
  g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
  g_autoptr (GstEvent) event = gst_pad_get_sticky_event (pad, GST_EVENT_TAG, 0);
  g_autofree gchar *value = NULL;
  GstTagList *tags;
  gint width;

  g_assert_true (gst_structure_get_int (gst_caps_get_structure (caps, 0),
      "width", &width));
  g_assert_cmpint (width, ==, 240);
  gst_event_parse_tag (event, &tags);
  g_assert_true (gst_tag_list_get_string (tags, GST_TAG_IMAGE_ORIENTATION,
      &value));
  g_assert_cmpstr (value, ==, "rotate-0");
}

static void
test_tee (void)
{
  GstElement *pipeline;

  if (!have_device ())
    return;
  pipeline = pipeline_new (
      "videotestsrc num-buffers=10 ! "
      "video/x-raw,width=320,height=240 ! "
      "taginject tags=\"image-orientation=rotate-90\" ! zcupload ! tee name=t "
      "t. ! queue ! zcflip video-direction=auto ! zcdownload ! fakesink name=a "
      "t. ! queue ! zcflip video-direction=auto ! zcdownload ! fakesink "
      "name=b");
  pipeline_play (pipeline);
  assert_branch (pipeline, "a");
  assert_branch (pipeline, "b");
  pipeline_free (pipeline);
}

/* cases.md 29: a tagged stream, then one without. */
static void
test_concat (void)
{
  g_autoptr (GstCaps) caps = NULL;
  GstElement *pipeline;
  gint width;

  if (!have_device ())
    return;
  pipeline = pipeline_new (
      "concat name=c ! zcupload ! "
      "zcflip video-direction=auto ! zcdownload ! fakesink name=sink "
      "videotestsrc num-buffers=3 ! video/x-raw,width=320,height=240 ! "
      "taginject tags=\"image-orientation=rotate-90\" ! c. "
      "videotestsrc num-buffers=3 ! video/x-raw,width=320,height=240 ! c. ");
  pipeline_play (pipeline);
  caps = pipeline_caps (pipeline, "sink", "sink");
  gst_structure_get_int (gst_caps_get_structure (caps, 0), "width", &width);
  g_assert_cmpint (width, ==, 320);
  pipeline_free (pipeline);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  for (guint i = 0; i < N_ORIENTATIONS; i++) {
    g_autofree gchar *path = g_strconcat ("/tags/value/", values[i], NULL);

    g_test_add_data_func (path, GINT_TO_POINTER (i), test_value);
  }
  g_test_add_func ("/tags/stream-wins", test_stream_wins);
  g_test_add_func ("/tags/global-first", test_global_first);
  g_test_add_func ("/tags/stream-without", test_stream_without);
  g_test_add_func ("/tags/global-without", test_global_without);
  g_test_add_func ("/tags/new-stream", test_new_stream);
  g_test_add_func ("/tags/stop", test_stop);
  g_test_add_func ("/tags/not-automatic", test_not_automatic);
  g_test_add_func ("/tags/twice", test_twice);
  g_test_add_func ("/tags/tee", test_tee);
  g_test_add_func ("/tags/concat", test_concat);
  return g_test_run ();
}
