/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The worked example of the README: GStreamer's own convertscale, compiled by
 * the stand-in for NVRTC, races with its upload where a tee gives it streams of
 * its own; the same pipeline of zc elements does not. */

#include "softcuda-panel.h"

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#define SOURCE                                                                 \
  "videotestsrc num-buffers=60 ! video/x-raw,format=NV12,width=64,height=48 "  \
  "! "
#define BRANCH(flip, download) "queue ! " flip " ! " download " ! fakesink "
#define TEE(upload, flip, download)                                            \
  SOURCE upload                                                                \
      " ! video/x-raw(memory:CUDAMemory) ! tee name=t ! " BRANCH (flip,        \
          download) "t. ! " BRANCH (flip, download)

#define WIDTH 34
#define HEIGHT 20
#define HALF_TURN                                                              \
  "cudaupload ! cudaconvertscale video-direction=180 ! cudadownload"

/* NULL, and the test is skipped, where something is missing. */
static const SoftcudaPanel *
get_panel (void)
{
  const SoftcudaPanel *panel = softcuda_panel ();

  if (!panel)
    g_test_skip ("needs the control panel of softcuda");
  else if (!gst_registry_check_feature_version (gst_registry_get (),
               "cudaconvertscale", 1, 24, 0))
    g_test_skip ("there is no cudaconvertscale: no nvcodec or no g++");
  else
    return panel;
  return NULL;
}

static void
run (const char *description)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (description, &error);
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstMessage) message = NULL;

  g_assert_no_error (error);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static guint64
races_of (const SoftcudaPanel *panel, const char *description)
{
  guint64 before = panel->race_count (), races;

  run (description);
  races = panel->race_count () - before;
  g_test_message ("%" G_GUINT64_FORMAT " races", races);
  return races;
}

static void
test_caught (void)
{
  const SoftcudaPanel *panel = get_panel ();

  if (!panel)
    return;
  panel->set_policy ("eager");
  g_assert_cmpuint (races_of (panel,
                        TEE ("cudaupload",
                            "cudaconvertscale video-direction=180",
                            "cudadownload")),
      >, 0);
  panel->set_policy ("lazy");
}

static void
test_clean (void)
{
  const SoftcudaPanel *panel = get_panel ();

  if (!panel)
    return;
  g_assert_cmpuint (races_of (panel,
                        TEE ("zcupload", "zcflip video-direction=180",
                            "zcdownload")),
      ==, 0);
}

static void
compare_turned (GstBuffer *sent, GstBuffer *got)
{
  GstMapInfo a, b;

  g_assert_true (gst_buffer_map (sent, &a, GST_MAP_READ));
  g_assert_true (gst_buffer_map (got, &b, GST_MAP_READ));
  g_assert_cmpuint (a.size, ==, b.size);
  for (gsize i = 0; i < a.size / 4; i++)
    g_assert_cmpmem (a.data + 4 * i, 4, b.data + b.size - 4 * (i + 1), 4);
  gst_buffer_unmap (sent, &a);
  gst_buffer_unmap (got, &b);
}

/* What the stand-in compiled computes what it should. */
static void
test_pixels (void)
{
  GstBuffer *sent, *got;
  GstHarness *harness;
  GstMapInfo map;

  if (!get_panel ())
    return;
  harness = gst_harness_new_parse (HALF_TURN);
  gst_harness_set_caps_str (harness,
      "video/x-raw,format=RGBA,width=34,height=20,framerate=30/1",
      "video/x-raw,format=RGBA,width=34,height=20,framerate=30/1");
  sent = gst_buffer_new_allocate (NULL, 4 * WIDTH * HEIGHT, NULL);
  g_assert_true (gst_buffer_map (sent, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = (guint8) (i * 7 + i / 256);
  gst_buffer_unmap (sent, &map);
  got = gst_harness_push_and_pull (harness, gst_buffer_ref (sent));
  g_assert_nonnull (got);
  compare_turned (sent, got);
  gst_buffer_unref (sent);
  gst_buffer_unref (got);
  gst_harness_teardown (harness);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_registry_fork_set_enabled (FALSE);
  gst_init (&argc, &argv);
  g_test_add_func ("/softcuda/worked-example/caught", test_caught);
  g_test_add_func ("/softcuda/worked-example/clean", test_clean);
  g_test_add_func ("/softcuda/worked-example/pixels", test_pixels);
  return g_test_run ();
}
