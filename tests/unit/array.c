/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What an array says of pixels: type, shape, strides. cases.md 11, 41, 42. */

#include <gst/zc/zc.h>
#include <string.h>

/* Of a picture of 33x17: rows, elements of a row, channels of each plane. */
typedef struct
{
  GstVideoFormat format;
  const gchar *typestr;
  guint n_planes;
  gint64 shape[GST_ZC_MAX_PLANES][3];
  gint depth, shift;
} Row;

#define SEMI_PLANAR                                                            \
  2,                                                                           \
  {                                                                            \
    { 17, 33, 1 }, { 9, 17, 2 }                                                \
  }
#define PLANAR_420                                                             \
  3,                                                                           \
  {                                                                            \
    { 17, 33, 1 }, { 9, 17, 1 }, { 9, 17, 1 }                                  \
  }
#define PLANAR_422                                                             \
  3,                                                                           \
  {                                                                            \
    { 17, 33, 1 }, { 17, 17, 1 }, { 17, 17, 1 }                                \
  }
#define PLANAR_444                                                             \
  3,                                                                           \
  {                                                                            \
    { 17, 33, 1 }, { 17, 33, 1 }, { 17, 33, 1 }                                \
  }
#define PACKED(channels)                                                       \
  1,                                                                           \
  {                                                                            \
    {                                                                          \
      17, 33, channels                                                         \
    }                                                                          \
  }

/* clang-format off */
static const Row rows[] = {
  { GST_VIDEO_FORMAT_NV12, "|u1", SEMI_PLANAR, 8, 0 },
  { GST_VIDEO_FORMAT_NV21, "|u1", SEMI_PLANAR, 8, 0 },
  { GST_VIDEO_FORMAT_P010_10LE, "<u2", SEMI_PLANAR, 10, 6 },
  { GST_VIDEO_FORMAT_P012_LE, "<u2", SEMI_PLANAR, 12, 4 },
  { GST_VIDEO_FORMAT_P016_LE, "<u2", SEMI_PLANAR, 16, 0 },
  { GST_VIDEO_FORMAT_I420, "|u1", PLANAR_420, 8, 0 },
  { GST_VIDEO_FORMAT_YV12, "|u1", PLANAR_420, 8, 0 },
  { GST_VIDEO_FORMAT_I420_10LE, "<u2", PLANAR_420, 10, 0 },
  { GST_VIDEO_FORMAT_I420_12LE, "<u2", PLANAR_420, 12, 0 },
  { GST_VIDEO_FORMAT_Y42B, "|u1", PLANAR_422, 8, 0 },
  { GST_VIDEO_FORMAT_I422_10LE, "<u2", PLANAR_422, 10, 0 },
  { GST_VIDEO_FORMAT_I422_12LE, "<u2", PLANAR_422, 12, 0 },
  { GST_VIDEO_FORMAT_Y444, "|u1", PLANAR_444, 8, 0 },
  { GST_VIDEO_FORMAT_Y444_10LE, "<u2", PLANAR_444, 10, 0 },
  { GST_VIDEO_FORMAT_Y444_12LE, "<u2", PLANAR_444, 12, 0 },
  { GST_VIDEO_FORMAT_Y444_16LE, "<u2", PLANAR_444, 16, 0 },
  { GST_VIDEO_FORMAT_RGBP, "|u1", PLANAR_444, 8, 0 },
  { GST_VIDEO_FORMAT_BGRP, "|u1", PLANAR_444, 8, 0 },
  { GST_VIDEO_FORMAT_GBR, "|u1", PLANAR_444, 8, 0 },
  { GST_VIDEO_FORMAT_GBR_10LE, "<u2", PLANAR_444, 10, 0 },
  { GST_VIDEO_FORMAT_GBR_12LE, "<u2", PLANAR_444, 12, 0 },
  { GST_VIDEO_FORMAT_GBR_16LE, "<u2", PLANAR_444, 16, 0 },
  { GST_VIDEO_FORMAT_GBRA, "|u1", 4,
      { { 17, 33, 1 }, { 17, 33, 1 }, { 17, 33, 1 }, { 17, 33, 1 } }, 8, 0 },
  { GST_VIDEO_FORMAT_RGBA, "|u1", PACKED (4), 8, 0 },
  { GST_VIDEO_FORMAT_BGRA, "|u1", PACKED (4), 8, 0 },
  { GST_VIDEO_FORMAT_RGBx, "|u1", PACKED (4), 8, 0 },
  { GST_VIDEO_FORMAT_BGRx, "|u1", PACKED (4), 8, 0 },
  { GST_VIDEO_FORMAT_ARGB, "|u1", PACKED (4), 8, 0 },
  { GST_VIDEO_FORMAT_ABGR, "|u1", PACKED (4), 8, 0 },
  { GST_VIDEO_FORMAT_VUYA, "|u1", PACKED (4), 8, 0 },
  { GST_VIDEO_FORMAT_RGB, "|u1", PACKED (3), 8, 0 },
  { GST_VIDEO_FORMAT_BGR, "|u1", PACKED (3), 8, 0 },
  { GST_VIDEO_FORMAT_BGR10A2_LE, "<u4", PACKED (1), 10, 0 },
  { GST_VIDEO_FORMAT_RGB10A2_LE, "<u4", PACKED (1), 10, 0 },
  /* Macropixels of two pixels. */
  { GST_VIDEO_FORMAT_YUY2, "|u1", 1, { { 17, 17, 4 } }, 8, 0 },
  { GST_VIDEO_FORMAT_UYVY, "|u1", 1, { { 17, 17, 4 } }, 8, 0 },
};
/* clang-format on */

/* Planes with strides that are multiples of 512, or tight. */
static void
init_image (GstZcImage *image, GstVideoFormat format, gint width, gint height,
    gboolean padded)
{
  guint64 data[GST_ZC_MAX_PLANES];
  gint64 stride[GST_ZC_MAX_PLANES];
  guint64 next = 0x10000;
  GstZcImage shape;

  g_assert_true (gst_zc_image_init_packed (&shape, format, width, height, 0,
      next, NULL, NULL));
  for (guint i = 0; i < GST_ZC_MAX_PLANES; i++) {
    stride[i] = shape.plane[i].row_stride;
    data[i] = shape.plane[i].data;
    if (!padded)
      continue;
    data[i] = next;
    stride[i] = 512;
    next += 512 * (guint64) shape.plane[i].height;
  }
  g_assert_true (gst_zc_image_init (image, format, width, height, 0, data,
      stride, NULL));
}

static void
check_plane (const Row *row, const GstZcImage *image, guint plane)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstZcArray) array = gst_zc_image_get_array (image, plane, &error);
  gint item = row->typestr[2] - '0';

  g_assert_no_error (error);
  g_assert_cmpstr (array->typestr, ==, row->typestr);
  g_assert_cmpuint (array->n_dims, ==, 3);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpint (array->shape[i], ==, row->shape[plane][i]);
  g_assert_cmpint (array->strides[0], ==, 512);
  g_assert_cmpint (array->strides[1], ==, row->shape[plane][2] * item);
  g_assert_cmpint (array->strides[2], ==, item);
  g_assert_cmphex (array->data, ==, image->plane[plane].data);
  g_assert_cmpint (array->depth, ==, row->depth);
  g_assert_cmpint (array->shift, ==, row->shift);
  g_assert_cmpint (array->device, ==, 0);
  g_assert_true (array->cai_stream == GST_ZC_CAI_NO_STREAM);
  g_assert_null (array->stream);
}

static void
test_planes (gconstpointer data)
{
  const Row *row = data;
  g_autoptr (GError) error = NULL;
  GstZcImage image;

  init_image (&image, row->format, 33, 17, TRUE);
  g_assert_cmpuint (image.n_planes, ==, row->n_planes);
  for (guint i = 0; i < row->n_planes; i++)
    check_plane (row, &image, i);
  g_assert_null (gst_zc_image_get_array (&image, row->n_planes, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
}

/* Each format of the library has its row. */
static void
test_all_formats (void)
{
  guint n_formats;
  const GstVideoFormat *formats = gst_zc_format_list (&n_formats);

  g_assert_cmpuint (n_formats, ==, G_N_ELEMENTS (rows));
  for (guint i = 0; i < n_formats; i++) {
    guint k = 0;

    while (k < G_N_ELEMENTS (rows) && rows[k].format != formats[i])
      k++;
    g_assert_cmpuint (k, <, G_N_ELEMENTS (rows));
  }
}

/* Bottom-up. */
static void
test_negative_stride (void)
{
  const guint64 data[GST_ZC_MAX_PLANES] = { 0x20000 };
  const gint64 stride[GST_ZC_MAX_PLANES] = { -640 };
  g_autoptr (GstZcArray) array = NULL;
  GstZcImage image;

  g_assert_true (gst_zc_image_init (&image, GST_VIDEO_FORMAT_RGBA, 160, 4, 3,
      data, stride, NULL));
  array = gst_zc_image_get_array (&image, 0, NULL);
  g_assert_cmphex (array->data, ==, 0x20000);
  g_assert_cmpint (array->strides[0], ==, -640);
  g_assert_cmpint (array->device, ==, 3);
}

static void
expect_stacked (const GstZcImage *image, gint64 height, gint64 width,
    gint64 stride, gint item)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstZcArray) array =
      gst_zc_image_get_array (image, GST_ZC_ARRAY_STACKED, &error);

  g_assert_no_error (error);
  g_assert_cmphex (array->data, ==, image->plane[0].data);
  g_assert_cmpuint (array->n_dims, ==, 3);
  g_assert_cmpint (array->shape[0], ==, height);
  g_assert_cmpint (array->shape[1], ==, width);
  g_assert_cmpint (array->shape[2], ==, 1);
  g_assert_cmpint (array->strides[0], ==, stride);
  g_assert_cmpint (array->strides[1], ==, item);
  g_assert_cmpint (array->strides[2], ==, item);
}

static void
test_stacked (void)
{
  GstZcImage image;

  init_image (&image, GST_VIDEO_FORMAT_NV12, 64, 48, TRUE);
  expect_stacked (&image, 72, 64, 512, 1);
  init_image (&image, GST_VIDEO_FORMAT_NV12, 64, 48, FALSE);
  expect_stacked (&image, 72, 64, 64, 1);
  init_image (&image, GST_VIDEO_FORMAT_P010_10LE, 64, 50, TRUE);
  expect_stacked (&image, 75, 64, 512, 2);
  init_image (&image, GST_VIDEO_FORMAT_NV21, 62, 46, TRUE);
  expect_stacked (&image, 69, 62, 512, 1);
  init_image (&image, GST_VIDEO_FORMAT_I420, 64, 48, FALSE);
  expect_stacked (&image, 72, 64, 64, 1);
}

static void
expect_not_stacked (const GstZcImage *image)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gst_zc_image_get_array (image, GST_ZC_ARRAY_STACKED, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
  g_assert_nonnull (strstr (error->message,
      gst_video_format_to_string (image->format)));
}

static void
test_not_stacked (void)
{
  GstZcImage image;

  init_image (&image, GST_VIDEO_FORMAT_NV12, 64, 47, TRUE);
  expect_not_stacked (&image);
  init_image (&image, GST_VIDEO_FORMAT_NV12, 63, 48, TRUE);
  expect_not_stacked (&image);
  init_image (&image, GST_VIDEO_FORMAT_RGBA, 64, 48, TRUE);
  expect_not_stacked (&image);
  init_image (&image, GST_VIDEO_FORMAT_Y42B, 64, 48, FALSE);
  expect_not_stacked (&image);
  /* Padding between the chroma rows. */
  init_image (&image, GST_VIDEO_FORMAT_I420, 64, 48, TRUE);
  expect_not_stacked (&image);
  /* A gap, as decoders leave; another stride. */
  init_image (&image, GST_VIDEO_FORMAT_NV12, 64, 48, TRUE);
  image.plane[1].data += 512;
  expect_not_stacked (&image);
  init_image (&image, GST_VIDEO_FORMAT_NV12, 64, 48, TRUE);
  image.plane[1].row_stride = 256;
  expect_not_stacked (&image);
}

static void
test_new (void)
{
  const gint64 shape[] = { 4, 5, 3 };
  const gint64 strides[] = { 64, 6, 2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GstZcArray) plain =
      gst_zc_array_new (0x1000, "<u2", 3, shape, NULL, 7, &error);
  g_autoptr (GstZcArray) padded = gst_zc_array_new (0x1000, "<u2", 3, shape,
      strides, GST_ZC_CAI_NONE, &error);
  g_autoptr (GstZcArray) copy = NULL;
  guint n_dims;

  g_assert_no_error (error);
  g_assert_cmpint (plain->strides[0], ==, 30);
  g_assert_cmpint (plain->strides[1], ==, 6);
  g_assert_cmpint (plain->strides[2], ==, 2);
  g_assert_true (plain->cai_stream == 7);
  g_assert_cmpint (padded->strides[0], ==, 64);
  g_assert_cmpint (padded->device, ==, -1);

  copy = gst_zc_array_copy (padded);
  g_assert_cmpstr (gst_zc_array_get_typestr (copy), ==, "<u2");
  g_assert_cmpint (gst_zc_array_get_shape (copy, &n_dims)[1], ==, 5);
  g_assert_cmpuint (n_dims, ==, 3);
  g_assert_cmpint (gst_zc_array_get_strides (copy, &n_dims)[0], ==, 64);
}

/* What is wrong, and the field that the message must name. */
typedef struct
{
  guint64 data;
  const gchar *typestr;
  guint n_dims;
  gint64 shape[GST_ZC_ARRAY_MAX_DIMS];
  gint64 cai_stream;
  GstZcError code;
  const gchar *field;
} Bad;

static void
test_bad (void)
{
  static const Bad bad[] = {
    { 0, "|u1", 2, { 4, 4 }, 1, GST_ZC_ERROR_LAYOUT, "data" },
    { 1, NULL, 2, { 4, 4 }, 1, GST_ZC_ERROR_UNSUPPORTED, "typestr" },
    { 1, "", 2, { 4, 4 }, 1, GST_ZC_ERROR_UNSUPPORTED, "typestr" },
    { 1, "u1", 2, { 4, 4 }, 1, GST_ZC_ERROR_UNSUPPORTED, "typestr" },
    { 1, "|u0", 2, { 4, 4 }, 1, GST_ZC_ERROR_UNSUPPORTED, "typestr" },
    { 1, "|u1111111111", 2, { 4, 4 }, 1, GST_ZC_ERROR_UNSUPPORTED, "typestr" },
    { 1, "|u1", 0, { 4, 4 }, 1, GST_ZC_ERROR_LAYOUT, "shape" },
    { 1, "|u1", 5, { 4, 4 }, 1, GST_ZC_ERROR_LAYOUT, "shape" },
    { 1, "|u1", 2, { 4, 0 }, 1, GST_ZC_ERROR_LAYOUT, "shape[1]" },
    { 1, "|u1", 2, { -4, 4 }, 1, GST_ZC_ERROR_LAYOUT, "shape[0]" },
    { 1, "|u1", 2, { G_MAXINT64, 4 }, 1, GST_ZC_ERROR_LAYOUT, "shape[0]" },
    { 1, "|u1", 2, { 4, 4 }, -2, GST_ZC_ERROR_UNSUPPORTED, "stream" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    const Bad *b = &bad[i];
    g_autoptr (GError) error = NULL;

    g_assert_null (gst_zc_array_new (b->data, b->typestr, b->n_dims, b->shape,
        NULL, b->cai_stream, &error));
    g_assert_error (error, GST_ZC_ERROR, (gint) b->code);
    g_assert_true (g_str_has_prefix (error->message, b->field));
  }
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *path = g_strdup_printf ("/array/planes/%s",
        gst_video_format_to_string (rows[i].format));

    g_test_add_data_func (path, &rows[i], test_planes);
  }
  g_test_add_func ("/array/all-formats", test_all_formats);
  g_test_add_func ("/array/negative-stride", test_negative_stride);
  g_test_add_func ("/array/stacked", test_stacked);
  g_test_add_func ("/array/not-stacked", test_not_stacked);
  g_test_add_func ("/array/new", test_new);
  g_test_add_func ("/array/bad", test_bad);
  return g_test_run ();
}
