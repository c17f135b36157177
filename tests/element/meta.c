/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What is said of a picture goes with it, and turns with it. cases.md 9, 32. */

#include <string.h>
#include <gst/video/gstvideoaffinetransformationmeta.h>
#include <gst/video/video-overlay-composition.h>

#include "pixels.h"

#define WIDTH 32
#define HEIGHT 24
#define UPRIGHT "zcupload ! zcdownload"

static const GstVideoRectangle box = { 4, 6, 10, 8 };

static GstHarness *
new_chain (const gchar *chain)
{
  GstHarness *h = chain_new (chain);

  chain_set_size (h, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  return h;
}

static GstHarness *
new_turning_chain (GstVideoOrientationMethod orientation)
{
  g_autofree gchar *chain =
      g_strdup_printf ("zcupload ! zcflip video-direction=%d ! zcdownload",
          orientation);

  return new_chain (chain);
}

static RefFrame
random_frame (gint width, gint height)
{
  RefFrame frame;

  ref_frame_init (&frame, GST_VIDEO_FORMAT_RGBA, width, height, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  return frame;
}

/* A frame that is 0 but in the box, where it is 1. */
static RefFrame
painted_frame (void)
{
  RefFrame frame = random_frame (WIDTH, HEIGHT);
  RefPlane *plane = &frame.plane[0];

  for (gint y = 0; y < HEIGHT; y++) {
    for (gint x = 0; x < WIDTH * 4; x++)
      plane->data[y * plane->stride + x] = y >= box.y && y < box.y + box.h &&
          x / 4 >= box.x && x / 4 < box.x + box.w;
  }
  return frame;
}

/* The picture of @buffer must be 1 in the rectangle and 0 outside. */
static void
assert_painted (GstBuffer *buffer, gint width, gint height, guint left,
    guint top, guint w, guint h)
{
  GstVideoFrame frame;
  GstVideoInfo info;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, width, height);
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (guint y = 0; y < (guint) height; y++) {
    const guint8 *row = GST_VIDEO_FRAME_PLANE_DATA (&frame, 0);

    row += y * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);
    for (guint x = 0; x < (guint) width; x++)
      g_assert_cmpint (row[x * 4], ==,
          x >= left && x < left + w && y >= top && y < top + h);
  }
  gst_video_frame_unmap (&frame);
}

static void
get_turned_size (GstVideoOrientationMethod orientation, gint *width,
    gint *height)
{
  gboolean swap = ref_is_transposing (orientation);

  *width = swap ? HEIGHT : WIDTH;
  *height = swap ? WIDTH : HEIGHT;
}

/* cases.md 32: the box still holds the pixels that it held. */
static void
test_region (gconstpointer data)
{
  GstVideoOrientationMethod orientation = GPOINTER_TO_INT (data);
  GstVideoRegionOfInterestMeta *region;
  g_auto (RefFrame) frame = { 0 };
  gint width, height;
  GstHarness *h;
  GstBuffer *out;

  if (!have_device ())
    return;
  h = new_turning_chain (orientation);
  frame = painted_frame ();
  out = pixel_buffer (&frame, TRUE);
  region = gst_buffer_add_video_region_of_interest_meta (out, "face", box.x,
      box.y, box.w, box.h);
  region->id = 7;
  gst_video_region_of_interest_meta_add_param (region,
      gst_structure_new ("p", "n", G_TYPE_INT, 5, NULL));

  out = chain_run (h, out);
  region = (GstVideoRegionOfInterestMeta *) gst_buffer_get_meta (out,
      GST_VIDEO_REGION_OF_INTEREST_META_API_TYPE);
  g_assert_nonnull (region);
  g_assert_cmpint (region->id, ==, 7);
  g_assert_nonnull (gst_video_region_of_interest_meta_get_param (region, "p"));
  get_turned_size (orientation, &width, &height);
  assert_painted (out, width, height, region->x, region->y, region->w,
      region->h);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

static void
set_crop (GstBuffer *buffer, gint x, gint y, gint width, gint height)
{
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

  crop->x = x;
  crop->y = y;
  crop->width = width;
  crop->height = height;
}

/* cases.md 9: a crop inside the picture is downstream's business. */
static void
test_crop (gconstpointer data)
{
  GstVideoOrientationMethod orientation = GPOINTER_TO_INT (data);
  g_auto (RefFrame) frame = { 0 };
  GstVideoCropMeta *crop;
  gint width, height;
  GstHarness *h;
  GstBuffer *out;

  if (!have_device ())
    return;
  h = new_turning_chain (orientation);
  frame = painted_frame ();
  out = pixel_buffer (&frame, TRUE);
  set_crop (out, box.x, box.y, box.w, box.h);
  out = chain_run (h, out);
  crop = gst_buffer_get_video_crop_meta (out);
  g_assert_nonnull (crop);
  get_turned_size (orientation, &width, &height);
  assert_painted (out, width, height, crop->x, crop->y, crop->width,
      crop->height);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

/* A part of @whole as a frame of its own. */
static RefFrame
cut (const RefFrame *whole, gint x, gint y, gint width, gint height)
{
  RefFrame part;

  ref_frame_init (&part, whole->format, width, height, REF_TIGHT);
  for (guint i = 0; i < part.n_planes; i++) {
    RefPlane *to = &part.plane[i];
    const RefPlane *from = &whole->plane[i];
    gint w_sub = whole->width / from->width,
         h_sub = whole->height / from->height;

    for (gint row = 0; row < to->height; row++)
      memcpy (to->data + row * to->stride,
          from->data + (row + y / h_sub) * from->stride +
              x / w_sub * from->bytes,
          ref_plane_row_bytes (to));
  }
  return part;
}

/* cases.md 9: a decoder's buffer larger than its caps: cropped once, and nobody
 * crops again. */
static void
test_crop_applied (gconstpointer data)
{
  GstVideoFormat format = GPOINTER_TO_INT (data);
  g_auto (RefFrame) whole = { 0 }, part = { 0 };
  GstHarness *h;
  GstBuffer *out;

  if (!have_device ())
    return;
  h = chain_new (UPRIGHT);
  chain_set_size (h, format, 20, 12);
  ref_frame_init (&whole, format, 32, 20, REF_PADDED);
  ref_frame_fill_random (&whole, pixel_seed ());
  part = cut (&whole, 8, 4, 20, 12);

  out = pixel_buffer (&whole, TRUE);
  set_crop (out, 8, 4, 20, 12);
  out = chain_run (h, out);
  pixel_assert (&part, out, "cropped");
  g_assert_null (gst_buffer_get_video_crop_meta (out));
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

static void
add_overlay (GstBuffer *buffer)
{
  g_autoptr (GstBuffer) pixels = gst_buffer_new_allocate (NULL, 4, NULL);
  GstVideoOverlayComposition *composition;
  GstVideoOverlayRectangle *rectangle;

  gst_buffer_add_video_meta (pixels, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_OVERLAY_COMPOSITION_FORMAT_RGB, 1, 1);
  rectangle = gst_video_overlay_rectangle_new_raw (pixels, 2, 3, 1, 1,
      GST_VIDEO_OVERLAY_FORMAT_FLAG_NONE);
  composition = gst_video_overlay_composition_new (rectangle);
  gst_buffer_add_video_overlay_composition_meta (buffer, composition);
  gst_video_overlay_rectangle_unref (rectangle);
  gst_video_overlay_composition_unref (composition);
}

/* cases.md 32: what can't be turned is dropped by a turn, and only by one. */
static void
run_with_others (GstHarness *h, gboolean turned)
{
  g_auto (RefFrame) frame = random_frame (WIDTH, HEIGHT);
  GstBuffer *out = pixel_buffer (&frame, TRUE);

  add_overlay (out);
  gst_buffer_add_video_affine_transformation_meta (out);
  gst_buffer_add_reference_timestamp_meta (out,
      gst_static_caps_get (&(GstStaticCaps) GST_STATIC_CAPS ("timestamp/x-a")),
      5, 6);
  out = chain_run (h, out);
  g_assert_cmpint (turned, ==,
      gst_buffer_get_video_overlay_composition_meta (out) == NULL);
  g_assert_cmpint (turned, ==,
      gst_buffer_get_video_affine_transformation_meta (out) == NULL);
  g_assert_nonnull (gst_buffer_get_reference_timestamp_meta (out, NULL));
  gst_buffer_unref (out);
}

static void
test_others (gconstpointer data)
{
  GstVideoOrientationMethod orientation = GPOINTER_TO_INT (data);
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_turning_chain (orientation);
  run_with_others (h, orientation != GST_VIDEO_ORIENTATION_IDENTITY);
  gst_harness_teardown (h);
}

static void
test_others_upright (void)
{
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain (UPRIGHT);
  run_with_others (h, FALSE);
  gst_harness_teardown (h);
}

static void
test_times_and_flags (void)
{
  const GstBufferFlags flags = GST_BUFFER_FLAG_DISCONT |
      GST_BUFFER_FLAG_CORRUPTED | GST_BUFFER_FLAG_MARKER | GST_BUFFER_FLAG_GAP;
  g_auto (RefFrame) frame = { 0 };
  GstHarness *h;
  GstBuffer *out;

  if (!have_device ())
    return;
  h = new_turning_chain (GST_VIDEO_ORIENTATION_VERT);
  frame = random_frame (WIDTH, HEIGHT);
  out = pixel_buffer (&frame, TRUE);
  GST_BUFFER_PTS (out) = 1000;
  GST_BUFFER_DTS (out) = 900;
  GST_BUFFER_DURATION (out) = 40;
  GST_BUFFER_OFFSET (out) = 17;
  GST_BUFFER_FLAG_SET (out, flags);
  out = chain_run (h, out);
  g_assert_cmpuint (GST_BUFFER_PTS (out), ==, 1000);
  g_assert_cmpuint (GST_BUFFER_DTS (out), ==, 900);
  g_assert_cmpuint (GST_BUFFER_DURATION (out), ==, 40);
  g_assert_cmpuint (GST_BUFFER_OFFSET (out), ==, 17);
  g_assert_true (GST_BUFFER_FLAG_IS_SET (out, flags));
  g_assert_cmpuint (GST_BUFFER_FLAGS (out) & flags, ==, flags);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

static void
add_orientations (const gchar *name, GTestDataFunc func)
{
  for (guint i = 0; i < N_ORIENTATIONS; i++) {
    g_autofree gchar *path =
        g_strdup_printf ("/meta/%s/%s", name, ref_orientation_name (i));

    g_test_add_data_func (path, GINT_TO_POINTER (i), func);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_orientations ("region", test_region);
  add_orientations ("crop", test_crop);
  g_test_add_data_func ("/meta/crop-applied/NV12",
      GINT_TO_POINTER (GST_VIDEO_FORMAT_NV12), test_crop_applied);
  g_test_add_data_func ("/meta/crop-applied/RGB",
      GINT_TO_POINTER (GST_VIDEO_FORMAT_RGB), test_crop_applied);
  g_test_add_data_func ("/meta/crop-applied/YUY2",
      GINT_TO_POINTER (GST_VIDEO_FORMAT_YUY2), test_crop_applied);
  add_orientations ("others", test_others);
  g_test_add_func ("/meta/others/upright", test_others_upright);
  g_test_add_func ("/meta/times-and-flags", test_times_and_flags);
  return g_test_run ();
}
