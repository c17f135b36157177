/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* GStreamer's own upload and download run, unchanged, and give back each
 * pixel. */

#include "softcuda-panel.h"

#include <gst/check/gstharness.h>
#include <gst/video/video.h>

#define N_FRAMES 5
#define BIN "cudaupload ! video/x-raw(memory:CUDAMemory) ! cudadownload"

/* NV21 of odd height and YUY2, UYVY of odd width are wrong in nvcodec. */
typedef struct
{
  const char *format;
  int width, height;
} Case;

static const Case cases[] = {
  { "NV12", 320, 240 },
  { "NV12", 321, 241 },
  { "NV21", 322, 242 },
  { "I420", 321, 241 },
  { "YV12", 322, 242 },
  { "I420_10LE", 321, 241 },
  { "P010_10LE", 321, 241 },
  { "Y444", 17, 5 },
  { "Y444_16LE", 321, 3 },
  { "Y42B", 321, 241 },
  { "YUY2", 322, 241 },
  { "UYVY", 322, 241 },
  { "RGBA", 1366, 768 },
  { "BGR", 3, 5 },
  { "RGB10A2_LE", 33, 9 },
  { "GBR", 321, 241 },
  { "VUYA", 1, 1 },
};

static GstBuffer *
random_frame (const GstVideoInfo *info, GRand *dice)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < map.size; i++)
    map.data[i] = (guint8) g_rand_int (dice);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

/* Bytes of a row of @plane that hold samples. */
static gsize
row_bytes (const GstVideoFrame *frame, guint plane)
{
  const GstVideoFormatInfo *finfo = frame->info.finfo;
  gint component[GST_VIDEO_MAX_COMPONENTS];
  gsize width;

  gst_video_format_info_component (finfo, plane, component);
  width = (gsize) GST_VIDEO_FRAME_COMP_WIDTH (frame, component[0]);
  return width * (gsize) GST_VIDEO_FRAME_COMP_PSTRIDE (frame, component[0]);
}

static gint
rows (const GstVideoFrame *frame, guint plane)
{
  gint component[GST_VIDEO_MAX_COMPONENTS];

  gst_video_format_info_component (frame->info.finfo, plane, component);
  return GST_VIDEO_FRAME_COMP_HEIGHT (frame, component[0]);
}

static const guint8 *
row (const GstVideoFrame *frame, guint plane, gint y)
{
  return (const guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, plane) +
      (gssize) y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, plane);
}

static void
compare (const GstVideoInfo *info, GstBuffer *expected, GstBuffer *got)
{
  GstVideoFrame a, b;

  g_assert_true (gst_video_frame_map (&a, info, expected, GST_MAP_READ));
  g_assert_true (gst_video_frame_map (&b, info, got, GST_MAP_READ));
  for (guint plane = 0; plane < GST_VIDEO_FRAME_N_PLANES (&a); plane++)
    for (gint y = 0; y < rows (&a, plane); y++)
      g_assert_cmpmem (row (&a, plane, y), row_bytes (&a, plane),
          row (&b, plane, y), row_bytes (&b, plane));
  gst_video_frame_unmap (&b);
  gst_video_frame_unmap (&a);
}

static void
pass_frame (GstHarness *harness, const GstVideoInfo *info, GRand *dice)
{
  GstBuffer *sent = random_frame (info, dice);
  GstBuffer *got = gst_harness_push_and_pull (harness, gst_buffer_ref (sent));

  g_assert_nonnull (got);
  compare (info, sent, got);
  gst_buffer_unref (sent);
  gst_buffer_unref (got);
}

/* A copy a plane and frame each way, and nothing to complain of. */
static void
check_counters (const SoftcudaPanel *panel, const GstVideoInfo *info)
{
  guint64 copies = (guint64) N_FRAMES * GST_VIDEO_INFO_N_PLANES (info);
  SoftcudaCounters counters;

  panel->get_counters (&counters);
  g_assert_cmpuint (counters.uploads, ==, copies);
  g_assert_cmpuint (counters.downloads, ==, copies);
  g_assert_cmpuint (counters.errors, ==, 0);
}

static void
round_trip (const Case *c, const SoftcudaPanel *panel)
{
  GstVideoInfo info;
  GstHarness *harness = gst_harness_new_parse (BIN);
  g_autoptr (GRand) dice = g_rand_new_with_seed (1);
  GstCaps *caps;

  gst_video_info_set_format (&info, gst_video_format_from_string (c->format),
      (guint) c->width, (guint) c->height);
  caps = gst_video_info_to_caps (&info);
  gst_harness_set_caps (harness, gst_caps_ref (caps), caps);
  panel->reset_counters ();
  for (int i = 0; i < N_FRAMES; i++)
    pass_frame (harness, &info, dice);
  check_counters (panel, &info);
  gst_harness_teardown (harness);
}

static void
test_case (gconstpointer data)
{
  const SoftcudaPanel *panel = softcuda_panel ();

  if (!panel)
    g_test_skip ("needs the control panel of softcuda");
  else if (!gst_registry_check_feature_version (gst_registry_get (),
               "cudaupload", 1, 24, 0))
    g_test_skip ("nvcodec is not installed");
  else
    round_trip (data, panel);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* the scanner's process can't load a driver built with sanitizers */
  gst_registry_fork_set_enabled (FALSE);
  gst_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path = g_strdup_printf ("/softcuda/nvcodec/%s-%dx%d",
        cases[i].format, cases[i].width, cases[i].height);
    g_test_add_data_func (path, &cases[i], test_case);
  }
  return g_test_run ();
}
