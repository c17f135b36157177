/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* All orientations of all formats against the plain reference. cases.md 11, 33,
 * 34; 28 too, since the direction changes between two frames. */

#include "pixels.h"

typedef struct
{
  gint width;
  gint height;
} Size;

static const Size sizes[] = {
  { 1, 1 },
  { 2, 2 },
  { 3, 5 },
  { 17, 31 },
  { 321, 241 },
  { 322, 242 },
};

static void
flip (GstHarness *h, const RefFrame *frame,
    GstVideoOrientationMethod orientation)
{
  g_auto (RefFrame) expected = { 0 };
  GstBuffer *out;

  ref_frame_init_turned (&expected, frame, orientation, REF_TIGHT);
  ref_frame_flip (&expected, frame, orientation);
  g_object_set (chain_find (h, "zcflip"), "video-direction", orientation, NULL);
  out = chain_run (h, pixel_buffer (frame, TRUE));
  pixel_assert (&expected, out, ref_orientation_name (orientation));
  gst_buffer_unref (out);
}

static void
flip_all (GstHarness *h, GstVideoFormat format, gint width, gint height)
{
  chain_set_size (h, format, width, height);
  for (guint i = 0; i < N_ORIENTATIONS; i++) {
    g_auto (RefFrame) frame = { 0 };

    if (!ref_is_defined (format, i))
      continue;
    ref_frame_init (&frame, format, width, height, i % (REF_ODD_OFFSET + 1));
    ref_frame_fill_random (&frame, pixel_seed ());
    flip (h, &frame, i);
  }
}

static void
test_format (gconstpointer data)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcflip ! zcdownload");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    flip_all (h, GPOINTER_TO_INT (data), sizes[i].width, sizes[i].height);
  gst_harness_teardown (h);
}

static void
test_1366 (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcflip ! zcdownload");
  flip_all (h, GST_VIDEO_FORMAT_RGBA, 1366, 768);
  flip_all (h, GST_VIDEO_FORMAT_NV12, 1366, 768);
  gst_harness_teardown (h);
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
    g_autofree gchar *path =
        g_strdup_printf ("/flip/%s", gst_video_format_to_string (formats[i]));

    g_test_add_data_func (path, GINT_TO_POINTER (formats[i]), test_format);
  }
  g_test_add_func ("/flip/1366x768", test_1366);
  return g_test_run ();
}
