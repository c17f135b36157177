/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Which 90, and what two turns make: six colours, by table and by chains.
 * cases.md 73. */

#include <string.h>

#include "pixels.h"

/* The pixels of a 3 x 2 picture and what becomes of them, row by row. */
static const gchar *const results[N_ORIENTATIONS] = {
  [GST_VIDEO_ORIENTATION_IDENTITY] = "abc"
                                     "def",
  [GST_VIDEO_ORIENTATION_90R] = "da"
                                "eb"
                                "fc",
  [GST_VIDEO_ORIENTATION_180] = "fed"
                                "cba",
  [GST_VIDEO_ORIENTATION_90L] = "cf"
                                "be"
                                "ad",
  [GST_VIDEO_ORIENTATION_HORIZ] = "cba"
                                  "fed",
  [GST_VIDEO_ORIENTATION_VERT] = "def"
                                 "abc",
  [GST_VIDEO_ORIENTATION_UL_LR] = "ad"
                                  "be"
                                  "cf",
  [GST_VIDEO_ORIENTATION_UR_LL] = "fc"
                                  "eb"
                                  "da",
};

/* A colour a letter: four different bytes. */
static void
paint (guint8 *pixel, gchar letter)
{
  const guint8 colour[4] = { letter, letter + 32, 255 - letter, letter * 2 };

  memcpy (pixel, colour, 4);
}

static RefFrame
letters (const gchar *text, gint width, gint height)
{
  RefFrame frame;

  ref_frame_init (&frame, GST_VIDEO_FORMAT_RGBA, width, height, REF_TIGHT);
  for (gint i = 0; i < width * height; i++)
    paint (frame.plane[0].data + i / width * frame.plane[0].stride +
            i % width * 4,
        text[i]);
  return frame;
}

static void
assert_result (const gchar *chain, GstVideoOrientationMethod result)
{
  gboolean swap = ref_is_transposing (result);
  g_auto (RefFrame) in = letters ("abcdef", 3, 2);
  g_auto (RefFrame) expected =
      letters (results[result], swap ? 2 : 3, swap ? 3 : 2);
  GstHarness *h = chain_new (chain);
  GstBuffer *out;

  chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 3, 2);
  out = chain_run (h, pixel_buffer (&in, TRUE));
  pixel_assert (&expected, out, chain);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

static void
test_one (gconstpointer data)
{
  GstVideoOrientationMethod orientation = GPOINTER_TO_INT (data);
  g_autofree gchar *chain =
      g_strdup_printf ("zcupload ! zcflip video-direction=%d ! zcdownload",
          orientation);

  if (have_device ())
    assert_result (chain, orientation);
}

typedef struct
{
  const gchar *first;
  const gchar *second;
  GstVideoOrientationMethod result;
} Law;

static const Law laws[] = {
  { "90r", "90r", GST_VIDEO_ORIENTATION_180 },
  { "90r", "90l", GST_VIDEO_ORIENTATION_IDENTITY },
  { "90l", "90l", GST_VIDEO_ORIENTATION_180 },
  { "180", "180", GST_VIDEO_ORIENTATION_IDENTITY },
  { "180", "90r", GST_VIDEO_ORIENTATION_90L },
  { "horiz", "vert", GST_VIDEO_ORIENTATION_180 },
  { "vert", "horiz", GST_VIDEO_ORIENTATION_180 },
  { "horiz", "horiz", GST_VIDEO_ORIENTATION_IDENTITY },
  { "90r", "horiz", GST_VIDEO_ORIENTATION_UL_LR },
  { "90r", "vert", GST_VIDEO_ORIENTATION_UR_LL },
  { "vert", "90r", GST_VIDEO_ORIENTATION_UL_LR },
  { "horiz", "90r", GST_VIDEO_ORIENTATION_UR_LL },
  { "ul-lr", "ul-lr", GST_VIDEO_ORIENTATION_IDENTITY },
  { "ur-ll", "ur-ll", GST_VIDEO_ORIENTATION_IDENTITY },
  { "ul-lr", "ur-ll", GST_VIDEO_ORIENTATION_180 },
};

static void
test_law (gconstpointer data)
{
  const Law *law = data;
  g_autofree gchar *chain =
      g_strdup_printf ("zcupload ! zcflip video-direction=%s ! zcflip "
                       "video-direction=%s ! "
                       "zcdownload",
          law->first, law->second);

  if (have_device ())
    assert_result (chain, law->result);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  for (guint i = 0; i < N_ORIENTATIONS; i++) {
    g_autofree gchar *path =
        g_strconcat ("/laws/one/", ref_orientation_name (i), NULL);

    g_test_add_data_func (path, GINT_TO_POINTER (i), test_one);
  }
  for (guint i = 0; i < G_N_ELEMENTS (laws); i++) {
    g_autofree gchar *path =
        g_strdup_printf ("/laws/%s-then-%s", laws[i].first, laws[i].second);

    g_test_add_data_func (path, &laws[i], test_law);
  }
  return g_test_run ();
}
