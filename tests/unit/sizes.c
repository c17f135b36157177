/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Strides, heights and sizes at 2^31, 2^32, 2^63 and beyond: no number runs over
 * unseen. Nothing here is allocated. */

#include <gst/zc/gstzcimage-private.h>
#include <gst/zc/gstzclayout.h>
#include <gst/zc/gstzcwraplayout.h>

#define ADDRESS G_GUINT64_CONSTANT (0x700000000000)
#define GIB (G_GUINT64_CONSTANT (1) << 30)

/* Images */

typedef struct
{
  const gchar *name;
  gint width, height; /* of RGBA */
  guint64 data;
  gint64 stride;
  guint64 extent; /* 0: refused */
} Plane;

static const Plane planes[] = {
  { "2-gib", 1, 2, ADDRESS, 2 * GIB, 2 * GIB + 4 },
  { "6-gib", 4, 4, ADDRESS, 2 * GIB, 6 * GIB + 16 },
  { "bottom-up", 4, 4, ADDRESS, -2 * (gint64) GIB, 6 * GIB + 16 },
  { "most-rows", 1, G_MAXINT, ADDRESS, 4, 8 * GIB - 4 },
  { "widest", G_MAXINT, 1, ADDRESS, 8 * GIB, 8 * GIB - 4 },
  /* 2^62 and more, from an address below 2^63 */
  { "2-62", 1, G_MAXINT, ADDRESS, 2 * GIB, (2 * GIB - 2) * 2 * GIB + 4 },
  { "2-63", 1, G_MAXINT, ADDRESS, 5 * GIB, 0 },
  { "2-64", 1, 5, ADDRESS, G_MAXINT64, 0 },
  { "least-stride", 1, 1, ADDRESS, G_MININT64, 0 },
  { "greatest-stride", 1, 1, ADDRESS, G_MAXINT64, 4 },
  { "past-the-end", 4, 2, G_MAXUINT64 - 31, 16, 0 },
  { "to-the-end", 4, 2, G_MAXUINT64 - 32, 16, 32 },
  { "before-the-start", 4, 3, 31, -16, 0 },
  { "to-the-start", 4, 3, 33, -16, 48 },
};

static void
test_plane (gconstpointer data)
{
  const Plane *row = data;
  const guint64 address[GST_ZC_MAX_PLANES] = { row->data };
  const gint64 stride[GST_ZC_MAX_PLANES] = { row->stride };
  g_autoptr (GError) error = NULL;
  GstZcImage image;
  gboolean ok = gst_zc_image_init (&image, GST_VIDEO_FORMAT_RGBA, row->width,
      row->height, 0, address, stride, &error);

  if (row->extent == 0) {
    g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
    g_assert_nonnull (strstr (error->message, "Plane 0"));
    return;
  }
  g_assert_no_error (error);
  g_assert_true (ok);
  g_assert_cmpuint (gst_zc_plane_extent (&image.plane[0]), ==, row->extent);
}

/* 2^31 by 2^31 pixels of 4 bytes are 2^64 bytes. */
static void
test_packed (void)
{
  g_autoptr (GError) error = NULL;
  GstZcImage image;

  g_assert_false (gst_zc_image_init_packed (&image, GST_VIDEO_FORMAT_RGBA,
      G_MAXINT, G_MAXINT, 0, ADDRESS, NULL, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
}

/* Planes in memory of known size */

static void
test_available (void)
{
  const ZcPlaneSize size = { .width = 1, .height = G_MAXINT, .row_bytes = 4 };
  const gsize needed = ((gsize) G_MAXINT - 1) * G_MAXINT + 4;
  g_autoptr (GError) error = NULL;

  g_assert_true (zc_plane_size_check (&size, 0, G_MAXINT, needed, "buffer",
      &error));
  g_assert_no_error (error);
  g_assert_false (zc_plane_size_check (&size, 0, G_MAXINT, needed - 1, "buffer",
      &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
}

static void
test_start (void)
{
  GstVideoInfo info;

  g_assert_true (gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, 4,
      4));
  /* A crop of 2^31 rows and more, as many bytes apart. */
  g_assert_cmpuint (zc_layout_start (&info, 0, 0, G_MAXUINT, 0, G_MAXINT), ==,
      (gsize) G_MAXUINT * G_MAXINT);
  g_assert_cmpuint (zc_layout_start (&info, 0, G_MAXUINT, 1, 7, 16), ==,
      16 + (gsize) G_MAXUINT * 4 + 7);
  g_assert_cmpuint (zc_layout_start (&info, 0, 1, 1, G_MAXSIZE - 1, 16), ==,
      G_MAXSIZE);
}

/* GstVideoInfo has offsets of any size, but a packed one of 2 GiB at most. */
static void
test_layouts (void)
{
  g_autoptr (GError) error = NULL;
  GstVideoInfo info, layout;

  g_assert_true (gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, 32768,
      30000));
  zc_layout_pitched (&layout, &info, 4 * 32768);
  g_assert_cmpuint (layout.size, ==, (gsize) 4 * 32768 * 30000);
  g_assert_false (zc_layout_packed (&layout, &info, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
}

/* Whoever fills an info himself can have any size: 2^31 by 2^31 pixels of four
 * bytes in three planes, which is beyond 2^64. */
static void
test_layouts_beyond (void)
{
  g_autoptr (GError) error = NULL;
  GstVideoInfo info, layout;

  g_assert_true (gst_video_info_set_format (&info, GST_VIDEO_FORMAT_Y444_16LE,
      16, 16));
  info.width = info.height = G_MAXINT;
  zc_layout_pitched (&layout, &info, 4 * GIB);
  g_assert_cmpuint (layout.size, ==, G_MAXSIZE);
  g_assert_false (zc_layout_packed (&layout, &info, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
  g_assert_cmpuint (layout.size, ==, G_MAXSIZE);
}

/* Foreign planes */

static void
init_444 (GstZcImage *image, gint width, gint height, const gint64 *stride)
{
  g_autoptr (GError) error = NULL;
  guint64 data[GST_ZC_MAX_PLANES] = { ADDRESS };

  for (guint i = 1; i < 3; i++)
    data[i] = data[i - 1] + stride[i - 1] * height;
  gst_zc_image_init (image, GST_VIDEO_FORMAT_Y444, width, height, 0, data,
      stride, &error);
  g_assert_no_error (error);
}

/* Together 3.7 GiB, of strides that are no grid: one row of all is more than
 * gst-cuda's int says. */
static void
test_wrapped (void)
{
  const gint64 stride[GST_ZC_MAX_PLANES] = { 32768, 32832, 32768 };
  ZcAllocation allocation[3];
  g_autoptr (GError) error = NULL;
  ZcWrapLayout layout;
  GstZcImage image;

  for (guint i = 0; i < 3; i++)
    allocation[i] = (ZcAllocation) { ADDRESS, ADDRESS + 8 * GIB };
  init_444 (&image, 32768, 40000, stride);
  g_assert_true (zc_wrap_layout_init (&layout, &image, allocation, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (layout.n_memory, ==, 3);
  for (guint i = 0; i < 3; i++) {
    g_assert_cmpuint (layout.memory[i].rows.pitch, ==, (gsize) stride[i]);
    g_assert_cmpuint (layout.memory[i].rows.height, ==, 40000);
  }
  /* A tenth of it is one memory, as ever. */
  init_444 (&image, 32768, 4000, stride);
  g_assert_true (zc_wrap_layout_init (&layout, &image, allocation, &error));
  g_assert_cmpuint (layout.n_memory, ==, 1);
}

/* Planes of one row, whose strides nobody has to look at: taken or refused, and
 * no number runs over, as UBSan sees. */
static void
test_wrapped_row (gconstpointer data)
{
  const gint64 *stride = data;
  const guint64 address[GST_ZC_MAX_PLANES] = { ADDRESS, ADDRESS + 512,
    ADDRESS + 4096 };
  ZcAllocation allocation[3];
  g_autoptr (GError) error = NULL;
  ZcWrapLayout layout;
  GstZcImage image;

  for (guint i = 0; i < 3; i++)
    allocation[i] = (ZcAllocation) { ADDRESS, ADDRESS + GIB };
  gst_zc_image_init (&image, GST_VIDEO_FORMAT_Y444, 4, 1, 0, address, stride,
      &error);
  g_assert_no_error (error);
  if (zc_wrap_layout_init (&layout, &image, allocation, &error))
    g_assert_no_error (error);
  else
    g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
}

static const gint64 row_strides[][GST_ZC_MAX_PLANES] = {
  { 4, 4, 4 },
  { G_MAXINT64, G_MAXINT64, G_MAXINT64 },
  { G_MAXINT64, 4, 4 },
  { 4, G_MAXINT64 / 2, 512 },
};

static void
test_too_large (void)
{
  const gint64 stride[GST_ZC_MAX_PLANES] = { 65536, 65536, 65536 };
  ZcAllocation allocation[3];
  g_autoptr (GError) error = NULL;
  ZcWrapLayout layout;
  GstZcImage image;

  for (guint i = 0; i < 3; i++)
    allocation[i] = (ZcAllocation) { ADDRESS, ADDRESS + 16 * GIB };
  init_444 (&image, 65536, 65536, stride);
  g_assert_false (zc_wrap_layout_init (&layout, &image, allocation, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
  g_assert_nonnull (strstr (error->message, "4 GiB"));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (planes); i++) {
    g_autofree gchar *path =
        g_strconcat ("/sizes/plane/", planes[i].name, NULL);

    g_test_add_data_func (path, &planes[i], test_plane);
  }
  g_test_add_func ("/sizes/packed", test_packed);
  g_test_add_func ("/sizes/available", test_available);
  g_test_add_func ("/sizes/start", test_start);
  g_test_add_func ("/sizes/layouts", test_layouts);
  g_test_add_func ("/sizes/wrapped", test_wrapped);
  g_test_add_func ("/sizes/layouts-beyond", test_layouts_beyond);
  for (guint i = 0; i < G_N_ELEMENTS (row_strides); i++) {
    g_autofree gchar *path = g_strdup_printf ("/sizes/wrapped-row/%u", i);

    g_test_add_data_func (path, row_strides[i], test_wrapped_row);
  }
  g_test_add_func ("/sizes/too-large", test_too_large);
  return g_test_run ();
}
