/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Mouse and touch come back to where they were before the turn. cases.md 31:
 * a coordinate names a pixel, so that pixel 0 of a mirrored row of w pixels is
 * pixel w - 1, where videoflip says w. */

#include <string.h>

#include "pixels.h"

#define WIDTH 7
#define HEIGHT 4

typedef GstEvent *(*MakeEvent) (gdouble x, gdouble y);

static GstEvent *
mouse (gdouble x, gdouble y)
{
  return gst_navigation_event_new_mouse_move (x, y,
      GST_NAVIGATION_MODIFIER_NONE);
}

static GstEvent *
touch (gdouble x, gdouble y)
{
  return gst_navigation_event_new_touch_down (1, x, y, 1.0,
      GST_NAVIGATION_MODIFIER_NONE);
}

/* Where a pixel of the picture lies after the turn: the reference, asked with a
 * picture that is black but there. */
static void
find_turned (GstVideoOrientationMethod orientation, gint x, gint y, gint *out_x,
    gint *out_y)
{
  g_auto (RefFrame) in = { 0 }, out = { 0 };

  ref_frame_init (&in, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT, REF_TIGHT);
  for (gint row = 0; row < HEIGHT; row++)
    memset (in.plane[0].data + row * in.plane[0].stride, 0, WIDTH * 4);
  in.plane[0].data[y * in.plane[0].stride + x * 4] = 1;
  ref_frame_init_turned (&out, &in, orientation, REF_TIGHT);
  ref_frame_flip (&out, &in, orientation);

  for (gint i = 0; i < out.width * out.height; i++) {
    *out_x = i % out.width;
    *out_y = i / out.width;
    if (out.plane[0].data[*out_y * out.plane[0].stride + *out_x * 4] == 1)
      return;
  }
  g_assert_not_reached ();
}

static void
check (GstHarness *h, GstVideoOrientationMethod orientation, MakeEvent make,
    gint x, gint y)
{
  gint turned_x, turned_y;
  gdouble got_x, got_y;
  GstEvent *event;

  find_turned (orientation, x, y, &turned_x, &turned_y);
  g_assert_true (gst_harness_push_upstream_event (h,
      make (turned_x, turned_y)));
  do
    event = gst_harness_pull_upstream_event (h);
  while (GST_EVENT_TYPE (event) != GST_EVENT_NAVIGATION);
  g_assert_true (gst_navigation_event_get_coordinates (event, &got_x, &got_y));
  g_assert_cmpfloat (got_x, ==, x);
  g_assert_cmpfloat (got_y, ==, y);
  gst_event_unref (event);
}

static void
test_orientation (gconstpointer data)
{
  GstVideoOrientationMethod orientation = GPOINTER_TO_INT (data);
  GstHarness *h;

  if (!have_device ())
    return;
  h = gst_harness_new ("zcflip");
  g_object_set (h->element, "video-direction", orientation, NULL);
  gst_harness_play (h);
  gst_harness_set_src_caps (h,
      gst_caps_from_string (
          "video/x-raw(memory:CUDAMemory),format=RGBA,width=7,height=4,"
          "framerate=30/1"));
  for (gint y = 0; y < HEIGHT; y++) {
    for (gint x = 0; x < WIDTH; x++) {
      check (h, orientation, mouse, x, y);
      check (h, orientation, touch, x, y);
    }
  }
  gst_harness_teardown (h);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  for (guint i = 0; i < N_ORIENTATIONS; i++) {
    g_autofree gchar *path =
        g_strconcat ("/navigation/", ref_orientation_name (i), NULL);

    g_test_add_data_func (path, GINT_TO_POINTER (i), test_orientation);
  }
  return g_test_run ();
}
