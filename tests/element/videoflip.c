/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The same as the CPU's videoflip, at even sizes, for the formats that it has.
 * cases.md 24 (video-direction, never method), 34. */

#include <string.h>

#include "pixels.h"

#define WIDTH 322
#define HEIGHT 242

static gboolean
videoflip_has (GstVideoFormat format, GstVideoOrientationMethod orientation)
{
  g_autoptr (GstElement) flip = gst_element_factory_make ("videoflip", NULL);
  g_autoptr (GstCaps) caps = pixel_caps (format, WIDTH, HEIGHT);
  g_autoptr (GstPad) pad = NULL;

  if (flip == NULL)
    return FALSE;
  gst_object_ref_sink (flip);
  g_object_set (flip, "video-direction", orientation, NULL);
  pad = gst_element_get_static_pad (flip, "sink");
  return gst_pad_query_accept_caps (pad, caps);
}

static GstBuffer *
run (const gchar *before, GstVideoOrientationMethod orientation,
    const gchar *after, const RefFrame *frame)
{
  g_autofree gchar *chain =
      g_strdup_printf ("%s video-direction=%d%s", before, orientation, after);
  GstHarness *h = chain_new (chain);
  GstBuffer *out;

  chain_set_size (h, frame->format, frame->width, frame->height);
  /* videoflip 1.26 writes out of bounds where a GstVideoMeta tells an offset
   * of packed 4:2:2. */
  out = chain_run (h, pixel_buffer_default (frame));
  gst_harness_teardown (h);
  return out;
}

/* What videoflip made, as a frame to compare with. */
static RefFrame
from_buffer (GstBuffer *buffer, const RefFrame *in,
    GstVideoOrientationMethod orientation)
{
  GstVideoFrame frame;
  GstVideoInfo info;
  RefFrame result;

  ref_frame_init_turned (&result, in, orientation, REF_TIGHT);
  gst_video_info_set_format (&info, result.format, result.width, result.height);
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (guint i = 0; i < result.n_planes; i++) {
    RefPlane *plane = &result.plane[i];

    for (gint row = 0; row < plane->height; row++)
      memcpy (plane->data + row * plane->stride,
          (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (&frame, i) +
              row * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, i),
          ref_plane_row_bytes (plane));
  }
  gst_video_frame_unmap (&frame);
  return result;
}

static void
compare (GstVideoFormat format, GstVideoOrientationMethod orientation)
{
  g_auto (RefFrame) frame = { 0 }, expected = { 0 };
  GstBuffer *theirs, *ours;

  ref_frame_init (&frame, format, WIDTH, HEIGHT, REF_PADDED);
  ref_frame_fill_random (&frame, pixel_seed ());
  theirs = run ("videoflip", orientation, "", &frame);
  ours = run ("zcupload ! zcflip", orientation, " ! zcdownload", &frame);
  expected = from_buffer (theirs, &frame, orientation);
  pixel_assert (&expected, ours, ref_orientation_name (orientation));
  gst_buffer_unref (theirs);
  gst_buffer_unref (ours);
}

static void
test_format (gconstpointer data)
{
  GstVideoFormat format = GPOINTER_TO_INT (data);

  if (!have_device ())
    return;
  for (guint i = 1; i < N_ORIENTATIONS; i++) {
    if (ref_is_defined (format, i) && videoflip_has (format, i))
      compare (format, i);
  }
}

static void
test_missing (void)
{
  g_test_skip ("videoflip of GStreamer's good plugins is not there");
}

int
main (int argc, char **argv)
{
  const GstVideoFormat *formats;
  guint n_formats;

  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  formats = gst_zc_format_list (&n_formats);
  for (guint i = 0; i < n_formats; i++) {
    g_autofree gchar *path = g_strdup_printf ("/videoflip/%s",
        gst_video_format_to_string (formats[i]));

    if (videoflip_has (formats[i], GST_VIDEO_ORIENTATION_180))
      g_test_add_data_func (path, GINT_TO_POINTER (formats[i]), test_format);
  }
  if (!videoflip_has (GST_VIDEO_FORMAT_I420, GST_VIDEO_ORIENTATION_180))
    g_test_add_func ("/videoflip/missing", test_missing);
  return g_test_run ();
}
