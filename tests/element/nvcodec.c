/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Next to GStreamer's own CUDA elements. cases.md 1, 2, 6, 66. */

#include "pixels.h"

#define CUDA "video/x-raw(memory:CUDAMemory)"

static const gchar *const chains[] = {
  "cudaupload ! " CUDA " ! zcdownload",
  "zcupload ! " CUDA " ! cudadownload",
  "cudaupload ! " CUDA " ! zcflip video-direction=180 ! "
  "zcflip video-direction=180 ! cudadownload",
  "zcupload ! zcdownload ! cudaupload ! " CUDA " ! cudadownload",
  "cudaupload ! " CUDA " ! cudadownload ! zcupload ! zcdownload",
  "cudaupload ! " CUDA " ! zcupload ! " CUDA " ! cudadownload",
};

static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_NV12,
  GST_VIDEO_FORMAT_I420, GST_VIDEO_FORMAT_RGBA, GST_VIDEO_FORMAT_P010_10LE,
  GST_VIDEO_FORMAT_Y444_16LE };

static void
run (GstHarness *h, GstVideoFormat format, gint width, gint height,
    const gchar *what)
{
  g_auto (RefFrame) frame = { 0 };

  chain_set_size (h, format, width, height);
  for (guint i = 0; i < 5; i++) {
    GstBuffer *out;

    ref_frame_clear (&frame);
    ref_frame_init (&frame, format, width, height, i % 2);
    ref_frame_fill_random (&frame, pixel_seed ());
    out = chain_run (h, pixel_buffer (&frame, TRUE));
    pixel_assert (&frame, out, what);
    gst_buffer_unref (out);
  }
}

static void
test_chain (gconstpointer data)
{
  GstHarness *h;

  if (!have_nvcodec ())
    return;
  h = chain_new (data);
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    run (h, formats[i], 320, 240, data);
    run (h, formats[i], 321, 241, data);
  }
  gst_harness_teardown (h);
}

/* cases.md 6: what leaves zcdownload is host memory, whatever hid in what came
 * in. */
static void
test_hidden (void)
{
  g_auto (RefFrame) frame = { 0 };
  GstHarness *h;
  GstBuffer *out;

  if (!have_nvcodec ())
    return;
  h = chain_new ("cudaupload ! " CUDA " ! cudadownload ! zcdownload");
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, 64, 48);
  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, 64, 48, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  g_assert_false (pixel_has_cuda (out));
  pixel_assert (&frame, out, "hidden");
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

/* ... and zcupload takes it for what it is: nothing is copied. */
static void
test_hidden_upload (void)
{
  g_auto (RefFrame) frame = { 0 };
  GstStructure *stats;
  guint64 frames;
  GstHarness *h;
  GstBuffer *out;

  if (!have_nvcodec ())
    return;
  h = chain_new ("cudaupload ! " CUDA " ! cudadownload ! zcupload");
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, 64, 48);
  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, 64, 48, REF_TIGHT);
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  g_assert_true (pixel_has_cuda (out));
  g_object_get (chain_find (h, "zcupload"), "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, "frames", &frames));
  g_assert_cmpuint (frames, ==, 0);
  gst_structure_free (stats);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

/* The premise of the two tests above. */
static void
test_hides (void)
{
  g_auto (RefFrame) frame = { 0 };
  GstHarness *h;
  GstBuffer *out;

  if (!have_nvcodec ())
    return;
  h = chain_new ("cudaupload ! " CUDA " ! cudadownload");
  gst_harness_add_propose_allocation_meta (h, GST_VIDEO_META_API_TYPE, NULL);
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, 64, 48);
  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, 64, 48, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  if (!pixel_has_cuda (out))
    g_test_skip ("this cudadownload hides no CUDA memory");
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

/* One context for all, whichever element made it. */
static GstCudaContext *
context_of (GstElement *element)
{
  g_autoptr (GstQuery) query = gst_query_new_context ("gst.cuda.context");
  GstContext *context = NULL;

  g_assert_true (gst_element_query (element, query));
  gst_query_parse_context (query, &context);
  g_assert_nonnull (context);
  return g_value_get_object (gst_structure_get_value (
      gst_context_get_structure (context), "gst.cuda.context"));
}

static void
test_one_context (gconstpointer data)
{
  g_autoptr (GstElement) first = NULL, last = NULL;
  GstElement *pipeline;

  if (!have_nvcodec ())
    return;
  pipeline = gst_parse_launch (data, NULL);
  gst_element_set_state (pipeline, GST_STATE_PAUSED);
  gst_element_get_state (pipeline, NULL, NULL, GST_CLOCK_TIME_NONE);
  first = gst_bin_get_by_name (GST_BIN (pipeline), "first");
  last = gst_bin_get_by_name (GST_BIN (pipeline), "last");
  g_assert_true (gst_zc_context_same (context_of (first), context_of (last)));
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (chains); i++) {
    g_autofree gchar *path = g_strdup_printf ("/nvcodec/chain/%u", i);

    g_test_add_data_func (path, chains[i], test_chain);
  }
  g_test_add_func ("/nvcodec/hides", test_hides);
  g_test_add_func ("/nvcodec/hidden", test_hidden);
  g_test_add_func ("/nvcodec/hidden-upload", test_hidden_upload);
  g_test_add_data_func ("/nvcodec/one-context/theirs",
      "videotestsrc ! zcupload name=first ! cudadownload name=last ! fakesink",
      test_one_context);
  g_test_add_data_func ("/nvcodec/one-context/ours",
      "videotestsrc ! cudaupload name=first ! zcdownload name=last ! fakesink",
      test_one_context);
  return g_test_run ();
}
