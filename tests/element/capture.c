/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A program captures a stream into a CUDA graph while frames flow: the frames
 * are right and the capture is not broken. From the first frame on, so that what
 * elements allocate is allocated meanwhile. */

#include <gst/cuda/gstcudautils.h>

#include "capturer.h"
#include "pixels.h"

#define N_FRAMES 12
#define CUDA "video/x-raw(memory:CUDAMemory)"

/* Nobody need tell of a capture where only these are. */
static const gchar *const own_chains[] = {
  "zcupload ! zcflip video-direction=180 ! zcflip video-direction=180 ! "
  "zcdownload",
  "zcupload ! queue ! zcflip video-direction=180 ! queue ! "
  "zcflip video-direction=180 ! queue ! zcdownload",
};

/* They read frames of our pools, we read theirs. Their own calls break captures of mode
 * global: they wait and allocate as nobody should meanwhile. */
static const gchar *const mixed_chains[] = {
  "zcupload ! " CUDA " ! identity drop-allocation=true ! cudadownload ! "
  "capsfilter caps=video/x-raw",
  "cudaupload ! " CUDA " ! zcflip video-direction=180 ! "
  "zcflip video-direction=180 ! cudadownload ! capsfilter caps=video/x-raw",
};

static GstHarness *
chain_in (GstCudaContext *context, const gchar *chain)
{
  g_autoptr (GstContext) given = gst_context_new_cuda_context (context);
  GstHarness *h = gst_harness_new_parse (chain);

  g_assert_nonnull (h);
  gst_element_set_context (h->element, given);
  gst_harness_play (h);
  return h;
}

static void
push (GstHarness *h)
{
  g_auto (RefFrame) frame = { 0 };
  GstBuffer *out;

  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, 64, 48, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  g_assert_cmpint (gst_harness_push (h, pixel_buffer (&frame, TRUE)), ==,
      GST_FLOW_OK);
  out = gst_harness_pull (h);
  pixel_assert (&frame, out, "while a stream is captured");
  gst_buffer_unref (out);
}

static void
run (const Capturer *capturer, const gchar *chain)
{
  GstCudaContext *context = gst_zc_context_new (0, NULL);
  CapturerRun *capture = capturer_begin (capturer, context);
  GstHarness *h = chain_in (context, chain);

  chain_set_size (h, GST_VIDEO_FORMAT_NV12, 64, 48);
  for (guint i = 0; i < N_FRAMES; i++)
    push (h);
  g_assert_true (capturer_end (capture));
  push (h);
  gst_harness_teardown (h);
  gst_object_unref (context);
}

static void
test_own (gconstpointer data)
{
  Capturer capturer;

  if (!have_device ())
    return;
  capturer = *(const Capturer *) data;
  capturer.declared = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (own_chains); i++)
    run (&capturer, own_chains[i]);
}

static void
test_mixed (gconstpointer data)
{
  if (!have_nvcodec ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (mixed_chains); i++)
    run (data, mixed_chains[i]);
}

static void
add (const gchar *name, const Capturer *capturer, GTestDataFunc test)
{
  g_autofree gchar *path =
      g_strdup_printf ("/capture/%s/%s", name, capturer->name);

  g_test_add_data_func (path, capturer, test);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  for (guint i = 0; i < n_capturers; i++) {
    add ("own", &capturers[i], test_own);
    if (capturers[i].mode != 0)
      add ("mixed", &capturers[i], test_mixed);
  }
  return g_test_run ();
}
