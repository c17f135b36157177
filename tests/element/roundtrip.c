/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What goes up comes down: every sample of every format at awkward sizes and
 * strides. cases.md 1, 2, 3, 4, 11, 33, 37. */

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
  { 321, 3 },
  { 321, 241 },
  { 322, 242 },
};

static void
round_trip (GstHarness *h, GstVideoFormat format, gint width, gint height)
{
  chain_set_size (h, format, width, height);
  for (RefLayout layout = REF_TIGHT; layout <= REF_ODD_OFFSET; layout++) {
    g_auto (RefFrame) frame = { 0 };
    GstBuffer *out;

    ref_frame_init (&frame, format, width, height, layout);
    ref_frame_fill_random (&frame, pixel_seed ());
    out = chain_run (h, pixel_buffer (&frame, layout != REF_PADDED));
    g_assert_false (pixel_has_cuda (out));
    pixel_assert (&frame, out, ref_layout_name (layout));
    gst_buffer_unref (out);
  }
}

static void
test_format (gconstpointer data)
{
  GstVideoFormat format = GPOINTER_TO_INT (data);
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcdownload");
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++)
    round_trip (h, format, sizes[i].width, sizes[i].height);
  gst_harness_teardown (h);
}

/* cases.md 4: 1366 pixels are no multiple of any pitch. */
static void
test_1366 (void)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_RGBA,
    GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_RGB };
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcdownload");
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++)
    round_trip (h, formats[i], 1366, 768);
  gst_harness_teardown (h);
}

/* cases.md 4: rows of a few bytes, each in a row of the driver's pitch. */
static void
test_narrow (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcdownload");
  for (gint width = 1; width <= 70; width++)
    round_trip (h, GST_VIDEO_FORMAT_Y444, width, 3);
  gst_harness_teardown (h);
}

/* cases.md 37: without a meta strides are rounded up to 4. */
static void
test_no_meta (void)
{
  static const struct
  {
    GstVideoFormat format;
    Size size;
  } rows[] = {
    { GST_VIDEO_FORMAT_NV12, { 322, 11 } },
    { GST_VIDEO_FORMAT_I420, { 404, 710 } },
    { GST_VIDEO_FORMAT_RGB, { 301, 7 } },
    { GST_VIDEO_FORMAT_YUY2, { 321, 3 } },
  };
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcdownload");
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_auto (RefFrame) frame = { 0 };
    GstBuffer *out;

    ref_frame_init (&frame, rows[i].format, rows[i].size.width,
        rows[i].size.height, REF_TIGHT);
    ref_frame_fill_random (&frame, pixel_seed ());
    chain_set_size (h, frame.format, frame.width, frame.height);
    out = chain_run (h, pixel_buffer_default (&frame));
    pixel_assert (&frame, out, "no meta");
    gst_buffer_unref (out);
  }
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
    g_autofree gchar *path = g_strdup_printf ("/round-trip/%s",
        gst_video_format_to_string (formats[i]));

    g_test_add_data_func (path, GINT_TO_POINTER (formats[i]), test_format);
  }
  g_test_add_func ("/round-trip/1366x768", test_1366);
  g_test_add_func ("/round-trip/narrow", test_narrow);
  g_test_add_func ("/round-trip/no-meta", test_no_meta);
  return g_test_run ();
}
