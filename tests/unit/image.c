/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Image descriptors: sizes of planes, strides, what is refused and how. */

#include <gst/zc/zc.h>

#define ADDRESS G_GUINT64_CONSTANT (0x700000000000)

/* Bytes of a picture without padding, counted by hand. */
static const struct
{
  GstVideoFormat format;
  gint width, height;
  gsize size;
} packed[] = {
  { GST_VIDEO_FORMAT_NV12, 4, 2, 8 + 4 },
  { GST_VIDEO_FORMAT_NV12, 3, 3, 9 + 2 * 4 },
  { GST_VIDEO_FORMAT_NV21, 1, 1, 1 + 2 },
  { GST_VIDEO_FORMAT_NV12, 322, 241, 322 * 241 + 322 * 121 },
  { GST_VIDEO_FORMAT_P010_10LE, 2, 2, 8 + 4 },
  { GST_VIDEO_FORMAT_P016_LE, 3, 1, 6 + 8 },
  { GST_VIDEO_FORMAT_I420, 3, 3, 9 + 4 + 4 },
  { GST_VIDEO_FORMAT_YV12, 5, 1, 5 + 3 + 3 },
  { GST_VIDEO_FORMAT_I420_10LE, 3, 3, 18 + 8 + 8 },
  { GST_VIDEO_FORMAT_Y42B, 3, 2, 6 + 4 + 4 },
  { GST_VIDEO_FORMAT_I422_12LE, 3, 2, 12 + 8 + 8 },
  { GST_VIDEO_FORMAT_Y444, 3, 2, 18 },
  { GST_VIDEO_FORMAT_GBR_16LE, 3, 2, 36 },
  { GST_VIDEO_FORMAT_GBRA, 3, 2, 24 },
  { GST_VIDEO_FORMAT_RGB, 5, 2, 30 },
  { GST_VIDEO_FORMAT_VUYA, 5, 2, 40 },
  { GST_VIDEO_FORMAT_BGR10A2_LE, 5, 2, 40 },
  { GST_VIDEO_FORMAT_YUY2, 1, 1, 4 },
  { GST_VIDEO_FORMAT_UYVY, 321, 3, 644 * 3 },
  { GST_VIDEO_FORMAT_YUY2, 320, 3, 640 * 3 },
  /* Beyond what 32 bits count. */
  { GST_VIDEO_FORMAT_RGBA, 65536, 65536, G_GUINT64_CONSTANT (1) << 34 },
};

static void
test_packed (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (packed); i++) {
    guint64 end = ADDRESS;
    GstZcImage image;
    gsize size;

    g_test_message ("%s %dx%d", gst_video_format_to_string (packed[i].format),
        packed[i].width, packed[i].height);
    g_assert_true (gst_zc_image_init_packed (&image, packed[i].format,
        packed[i].width, packed[i].height, 3, ADDRESS, &size, NULL));
    g_assert_cmpuint (size, ==, packed[i].size);
    g_assert_cmpint (image.device, ==, 3);
    for (guint p = 0; p < image.n_planes; p++) {
      g_assert_cmpuint (image.plane[p].data, ==, end);
      g_assert_cmpint (image.plane[p].row_stride, ==,
          gst_zc_plane_row_bytes (&image.plane[p]));
      end += gst_zc_plane_extent (&image.plane[p]);
    }
    g_assert_cmpuint (end, ==, ADDRESS + size);
  }
}

static void
test_planes (void)
{
  static const guint64 data[] = { ADDRESS, ADDRESS + 7, 0, 0 };
  static const gint64 stride[] = { 512, -1024, 0, 0 };
  GstZcImage image;

  g_assert_true (gst_zc_image_init (&image, GST_VIDEO_FORMAT_P010_10LE, 5, 3, 1,
      data, stride, NULL));
  g_assert_cmpuint (image.n_planes, ==, 2);
  g_assert_cmpint (image.format, ==, GST_VIDEO_FORMAT_P010_10LE);
  g_assert_cmpint (image.width, ==, 5);
  g_assert_cmpint (image.height, ==, 3);

  g_assert_cmpint (image.plane[0].width, ==, 5);
  g_assert_cmpint (image.plane[0].height, ==, 3);
  g_assert_cmpint (image.plane[0].pixel_stride, ==, 2);
  g_assert_cmpuint (gst_zc_plane_extent (&image.plane[0]), ==, 512 * 2 + 10);

  g_assert_cmpint (image.plane[1].width, ==, 3);
  g_assert_cmpint (image.plane[1].height, ==, 2);
  g_assert_cmpint (image.plane[1].pixel_stride, ==, 4);
  g_assert_cmpint (image.plane[1].n_channels, ==, 2);
  g_assert_cmpint (image.plane[1].channel_bytes, ==, 2);
  g_assert_cmpint (image.plane[1].row_stride, ==, -1024);
  g_assert_cmpuint (image.plane[1].data, ==, ADDRESS + 7);
  g_assert_cmpuint (gst_zc_plane_extent (&image.plane[1]), ==, 1024 + 12);
}

typedef struct
{
  const gchar *name;
  GstVideoFormat format;
  gint width, height;
  guint64 data[GST_ZC_MAX_PLANES];
  gint64 stride[GST_ZC_MAX_PLANES];
  GstZcError code;
  const gchar *message; /* has to hold this */
} Refused;

static const Refused refused[] = {
  { "format", GST_VIDEO_FORMAT_GRAY8, 4, 4, { ADDRESS }, { 4 },
      GST_ZC_ERROR_UNSUPPORTED, "GRAY8" },
  { "unknown-format", GST_VIDEO_FORMAT_UNKNOWN, 4, 4, { ADDRESS }, { 4 },
      GST_ZC_ERROR_UNSUPPORTED, "UNKNOWN" },
  { "width", GST_VIDEO_FORMAT_RGBA, 0, 4, { ADDRESS }, { 4 },
      GST_ZC_ERROR_LAYOUT, "0x4" },
  { "height", GST_VIDEO_FORMAT_RGBA, 4, -1, { ADDRESS }, { 16 },
      GST_ZC_ERROR_LAYOUT, "4x-1" },
  { "address", GST_VIDEO_FORMAT_NV12, 4, 4, { ADDRESS, 0 }, { 4, 4 },
      GST_ZC_ERROR_LAYOUT, "Plane 1" },
  { "stride", GST_VIDEO_FORMAT_NV12, 5, 4, { ADDRESS, ADDRESS }, { 5, 5 },
      GST_ZC_ERROR_LAYOUT, "Plane 1" },
  { "negative-stride", GST_VIDEO_FORMAT_RGBA, 5, 4, { ADDRESS }, { -19 },
      GST_ZC_ERROR_LAYOUT, "-19" },
  { "packed-422-stride", GST_VIDEO_FORMAT_YUY2, 3, 4, { ADDRESS }, { 6 },
      GST_ZC_ERROR_LAYOUT, "8 bytes" },
};

static void
test_refused (gconstpointer data)
{
  const Refused *r = data;
  g_autoptr (GError) error = NULL;
  GstZcImage image;

  g_assert_false (gst_zc_image_init (&image, r->format, r->width, r->height, 0,
      r->data, r->stride, &error));
  g_assert_error (error, GST_ZC_ERROR, (gint) r->code);
  g_assert_nonnull (strstr (error->message, r->message));
}

static void
test_refused_packed (void)
{
  g_autoptr (GError) error = NULL;
  GstZcImage image;

  g_assert_false (gst_zc_image_init_packed (&image, GST_VIDEO_FORMAT_NV12, 4, 4,
      0, 0, NULL, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/image/packed", test_packed);
  g_test_add_func ("/image/planes", test_planes);
  g_test_add_func ("/image/refused/packed", test_refused_packed);
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autofree gchar *path =
        g_strconcat ("/image/refused/", refused[i].name, NULL);

    g_test_add_data_func (path, &refused[i], test_refused);
  }
  return g_test_run ();
}
