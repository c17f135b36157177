/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* CV-CUDA's format codes, and images that go to its library and come back. */

#include <gst/cuda/gstcudamemory.h>
#include <stddef.h>
#include <string.h>

#include "foreignpicture.h"
#include "nvcvtypes.h"

/* The C structure that must be matched, for the offsets. */
typedef struct
{
  gint32 width, height, rowStride;
  unsigned char *basePtr;
} TheirPlane;

typedef struct
{
  guint64 format;
  enum
  {
    THEIR_NONE,
    THEIR_STRIDED_CUDA
  } bufferType;
  union
  {
    struct
    {
      gint32 numPlanes;
      TheirPlane planes[6];
    } strided;
  } buffer;
} TheirImageData;

static void
test_layout (void)
{
  g_assert_cmpuint (sizeof (GstZcNvcvImageData), ==, 168);
  g_assert_cmpuint (sizeof (TheirImageData), ==, 168);
  g_assert_cmpuint (offsetof (GstZcNvcvImageData, buffer_type), ==,
      offsetof (TheirImageData, bufferType));
  g_assert_cmpuint (offsetof (GstZcNvcvImageData, n_planes), ==,
      offsetof (TheirImageData, buffer.strided.numPlanes));
  g_assert_cmpuint (offsetof (GstZcNvcvImageData, plane), ==,
      offsetof (TheirImageData, buffer.strided.planes));
  g_assert_cmpuint (sizeof (GstZcNvcvPlane), ==, sizeof (TheirPlane));
  g_assert_cmpuint (offsetof (GstZcNvcvPlane, row_stride), ==,
      offsetof (TheirPlane, rowStride));
  g_assert_cmpuint (offsetof (GstZcNvcvPlane, data), ==,
      offsetof (TheirPlane, basePtr));
}

/* What CV-CUDA's own library calls the code; where there is a constant of its,
 * that name. */
typedef struct
{
  GstVideoFormat format;
  const gchar *name;
} Row;

#define YCBCR(rest) "NVCVImageFormat(YCbCr,BT601," rest ")"
#define RGB(rest)                                                              \
  "NVCVImageFormat(RGB,UNDEFINED,PITCH_LINEAR,UNSIGNED," rest ")"
#define PL "PITCH_LINEAR,UNSIGNED,"

/* clang-format off */
static const Row rows[] = {
  { GST_VIDEO_FORMAT_NV12, "NVCV_IMAGE_FORMAT_NV12" },
  { GST_VIDEO_FORMAT_NV21, YCBCR ("4:2:0," PL "XZY0,ASSOCIATED,X8,X8_Y8") },
  { GST_VIDEO_FORMAT_P010_10LE,
      YCBCR ("4:2:0," PL "XYZ0,ASSOCIATED,X10b6,X10b6_Y10b6") },
  { GST_VIDEO_FORMAT_P012_LE,
      YCBCR ("4:2:0," PL "XYZ0,ASSOCIATED,X12b4,X12b4_Y12b4") },
  { GST_VIDEO_FORMAT_P016_LE,
      YCBCR ("4:2:0," PL "XYZ0,ASSOCIATED,X16,X16_Y16") },
  { GST_VIDEO_FORMAT_I420, YCBCR ("4:2:0," PL "XYZ0,ASSOCIATED,X8,X8,X8") },
  { GST_VIDEO_FORMAT_YV12, YCBCR ("4:2:0," PL "XZY0,ASSOCIATED,X8,X8,X8") },
  { GST_VIDEO_FORMAT_I420_10LE,
      YCBCR ("4:2:0," PL "XYZ0,ASSOCIATED,b6X10,b6X10,b6X10") },
  { GST_VIDEO_FORMAT_I420_12LE,
      YCBCR ("4:2:0," PL "XYZ0,ASSOCIATED,b4X12,b4X12,b4X12") },
  { GST_VIDEO_FORMAT_Y42B, YCBCR ("4:2:2," PL "XYZ0,ASSOCIATED,X8,X8,X8") },
  { GST_VIDEO_FORMAT_I422_10LE,
      YCBCR ("4:2:2," PL "XYZ0,ASSOCIATED,b6X10,b6X10,b6X10") },
  { GST_VIDEO_FORMAT_I422_12LE,
      YCBCR ("4:2:2," PL "XYZ0,ASSOCIATED,b4X12,b4X12,b4X12") },
  { GST_VIDEO_FORMAT_Y444, "NVCV_IMAGE_FORMAT_YUV8p" },
  { GST_VIDEO_FORMAT_Y444_10LE,
      YCBCR ("4:4:4," PL "XYZ1,ASSOCIATED,b6X10,b6X10,b6X10") },
  { GST_VIDEO_FORMAT_Y444_12LE,
      YCBCR ("4:4:4," PL "XYZ1,ASSOCIATED,b4X12,b4X12,b4X12") },
  { GST_VIDEO_FORMAT_Y444_16LE,
      YCBCR ("4:4:4," PL "XYZ1,ASSOCIATED,X16,X16,X16") },
  { GST_VIDEO_FORMAT_RGBP, RGB ("XYZ0,ASSOCIATED,X8,X8,X8") },
  { GST_VIDEO_FORMAT_BGRP, RGB ("ZYX1,ASSOCIATED,X8,X8,X8") },
  { GST_VIDEO_FORMAT_RGBA, "NVCV_IMAGE_FORMAT_RGBA8" },
  { GST_VIDEO_FORMAT_BGRA, "NVCV_IMAGE_FORMAT_BGRA8" },
  { GST_VIDEO_FORMAT_ARGB, RGB ("YZWX,ASSOCIATED,X8_Y8_Z8_W8") },
  { GST_VIDEO_FORMAT_ABGR, RGB ("WZYX,ASSOCIATED,X8_Y8_Z8_W8") },
  { GST_VIDEO_FORMAT_VUYA,
      YCBCR ("4:4:4," PL "ZYXW,ASSOCIATED,X8_Y8_Z8_W8") },
  { GST_VIDEO_FORMAT_RGB, "NVCV_IMAGE_FORMAT_RGB8" },
  { GST_VIDEO_FORMAT_BGR, "NVCV_IMAGE_FORMAT_BGR8" },
  { GST_VIDEO_FORMAT_BGR10A2_LE, RGB ("YZWX,ASSOCIATED,X2Y10Z10W10") },
  { GST_VIDEO_FORMAT_RGB10A2_LE, RGB ("WZYX,ASSOCIATED,X2Y10Z10W10") },
  { GST_VIDEO_FORMAT_YUY2, "NVCV_IMAGE_FORMAT_YUYV" },
  { GST_VIDEO_FORMAT_UYVY, "NVCV_IMAGE_FORMAT_UYVY" },
};
/* clang-format on */

static const GstVideoFormat without[] = { GST_VIDEO_FORMAT_RGBx,
  GST_VIDEO_FORMAT_BGRx, GST_VIDEO_FORMAT_GBR, GST_VIDEO_FORMAT_GBR_10LE,
  GST_VIDEO_FORMAT_GBR_12LE, GST_VIDEO_FORMAT_GBR_16LE, GST_VIDEO_FORMAT_GBRA };

static guint64
code_of (GstVideoFormat format, const gchar *colorimetry)
{
  g_autoptr (GError) error = NULL;
  GstVideoColorimetry parsed;
  guint64 code = 0;

  if (colorimetry)
    g_assert_true (gst_video_colorimetry_from_string (&parsed, colorimetry));
  gst_zc_nvcv_format (format, colorimetry ? &parsed : NULL, &code, &error);
  g_assert_no_error (error);
  return code;
}

/* Numbers out of CV-CUDA's headers. */
static void
test_constants (void)
{
  g_assert_cmphex (code_of (GST_VIDEO_FORMAT_NV12, NULL), ==, 0x180254a1a0083);
  g_assert_cmphex (code_of (GST_VIDEO_FORMAT_NV12, "bt601"), ==,
      0x180254a1a0083);
  g_assert_cmphex (code_of (GST_VIDEO_FORMAT_RGBA, NULL), ==, 0x3c000110084);
  g_assert_cmphex (code_of (GST_VIDEO_FORMAT_RGBA, "sRGB"), ==, 0x3c000110084);
  g_assert_cmphex (code_of (GST_VIDEO_FORMAT_RGB, NULL), ==, 0x2800011008b);
  g_assert_cmphex (code_of (GST_VIDEO_FORMAT_NV21, NULL), !=, 0x180254a1a0083);
}

static void
test_refused (void)
{
  guint n_formats;

  gst_zc_format_list (&n_formats);
  g_assert_cmpuint (n_formats, ==,
      G_N_ELEMENTS (rows) + G_N_ELEMENTS (without));
  for (guint i = 0; i < G_N_ELEMENTS (without); i++) {
    g_autoptr (GError) error = NULL;
    guint64 code;

    g_assert_false (gst_zc_nvcv_format (without[i], NULL, &code, &error));
    g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED);
    g_assert_nonnull (strstr (error->message,
        gst_video_format_to_string (without[i])));
  }
}

static void
test_refused_colours (void)
{
  /* HLG; the matrix of RGB; of FCC; the primaries of film. */
  static const gchar *const bad[] = { "bt2100-hlg", "1:1:0:0", "2:2:0:0",
    "2:4:16:6" };

  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_autoptr (GError) error = NULL;
    GstVideoColorimetry colorimetry;
    guint64 code;

    g_assert_true (gst_video_colorimetry_from_string (&colorimetry, bad[i]));
    g_assert_false (gst_zc_nvcv_format (GST_VIDEO_FORMAT_NV12, &colorimetry,
        &code, &error));
    g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED);
    g_assert_nonnull (strstr (error->message, "colorimetry"));
  }
}

static void
test_names (void)
{
  const Nvcv *nvcv = nvcv_load ();

  if (!nvcv)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    g_assert_cmpstr (nvcv->ImageFormatGetName (code_of (rows[i].format, NULL)),
        ==, rows[i].name);
}

/* Colours, and what CV-CUDA calls them. */
static const struct
{
  const gchar *colorimetry;
  const gchar *name;
} colours[] = {
  { "bt601", "NVCV_COLOR_SPEC_BT601" },
  { "1:4:16:4", "NVCV_COLOR_SPEC_BT601_ER" },
  { "bt709", "NVCV_COLOR_SPEC_BT709" },
  { "1:3:5:1", "NVCV_COLOR_SPEC_BT709_ER" },
  { "2:3:1:1", "NVCV_COLOR_SPEC_BT709_LINEAR" },
  { "bt2020", "NVCV_COLOR_SPEC_BT2020" },
  { "bt2020-10", "NVCV_COLOR_SPEC_BT2020" },
  { "bt2100-pq", "NVCV_COLOR_SPEC_BT2020_PQ" },
  { "1:6:14:7", "NVCV_COLOR_SPEC_BT2020_PQ_ER" },
  { "smpte240m", "NVCV_COLOR_SPEC_SMPTE240M" },
};

static void
test_colours (void)
{
  const Nvcv *nvcv = nvcv_load ();

  if (!nvcv)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (colours); i++) {
    gint spec;

    g_assert_cmpint (
        nvcv->ImageFormatGetColorSpec (code_of (GST_VIDEO_FORMAT_P010_10LE,
                                           colours[i].colorimetry),
            &spec),
        ==, 0);
    g_assert_cmpstr (nvcv->ColorSpecGetName (spec), ==, colours[i].name);
  }
  g_assert_cmpstr (nvcv->ImageFormatGetName (code_of (GST_VIDEO_FORMAT_NV12,
                       "1:4:16:4")),
      ==, "NVCV_IMAGE_FORMAT_NV12_ER");
}

static void
init_image (GstZcImage *image, GstVideoFormat format, gint width, gint height)
{
  gst_zc_image_init_packed (image, format, width, height, 0, 0x10000, NULL,
      NULL);
  for (guint i = 0; i < image->n_planes; i++)
    image->plane[i].row_stride += 64;
}

/* Planes are as large as CV-CUDA computes them. */
static void
test_sizes (void)
{
  const Nvcv *nvcv = nvcv_load ();
  g_autoptr (GError) error = NULL;

  for (guint i = 0; nvcv && i < G_N_ELEMENTS (rows); i++) {
    GstZcNvcvImageData data;
    GstZcImage image;
    gint32 n_planes;

    init_image (&image, rows[i].format, 33, 17);
    gst_zc_image_to_nvcv (&image, NULL, &data, &error);
    g_assert_no_error (error);
    nvcv->ImageFormatGetNumPlanes (data.format, &n_planes);
    g_assert_cmpint (data.n_planes, ==, n_planes);
    for (gint32 p = 0; p < n_planes; p++) {
      gint32 width, height;

      nvcv->ImageFormatGetPlaneSize (data.format, p, 33, 17, &width, &height);
      g_assert_cmpint (data.plane[p].width, ==, width);
      g_assert_cmpint (data.plane[p].height, ==, height);
    }
  }
}

static void
assert_same_image (const GstZcImage *a, const GstZcImage *b)
{
  g_assert_cmpint (a->format, ==, b->format);
  g_assert_cmpint (a->width, ==, b->width);
  g_assert_cmpint (a->height, ==, b->height);
  g_assert_cmpint (a->device, ==, b->device);
  g_assert_cmpmem (a->plane, a->n_planes * sizeof (GstZcPlane), b->plane,
      b->n_planes * sizeof (GstZcPlane));
}

static void
test_back (void)
{
  g_autoptr (GError) error = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    GstVideoColorimetry colorimetry, sent;
    gboolean yuv =
        GST_VIDEO_FORMAT_INFO_IS_YUV (gst_video_format_get_info (rows[i]
                .format));
    GstZcNvcvImageData data;
    GstZcImage image, back;

    gst_video_colorimetry_from_string (&sent, yuv ? "bt709" : "sRGB");
    init_image (&image, rows[i].format, 33, 17);
    gst_zc_image_to_nvcv (&image, &sent, &data, &error);
    gst_zc_image_init_from_nvcv (&back, &colorimetry, &data, 0, &error);
    g_assert_no_error (error);
    assert_same_image (&image, &back);
    g_assert_true (gst_video_colorimetry_is_equal (&colorimetry, &sent));
  }
}

static void
test_colours_back (void)
{
  static const gchar *const names[] = { "bt601", "bt709", "bt2020", "smpte240m",
    "bt2100-pq" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree gchar *got = NULL;
    GstVideoColorimetry sent, back;
    GstZcNvcvImageData data;
    GstZcImage image;

    gst_video_colorimetry_from_string (&sent, names[i]);
    init_image (&image, GST_VIDEO_FORMAT_P010_10LE, 64, 48);
    g_assert_true (gst_zc_image_to_nvcv (&image, &sent, &data, NULL));
    g_assert_true (gst_zc_image_init_from_nvcv (&image, &back, &data, 0, NULL));
    got = gst_video_colorimetry_to_string (&back);
    g_assert_cmpstr (got, ==, names[i]);
  }
}

static void
refuse (const GstZcNvcvImageData *data, GstZcError code, const gchar *word)
{
  g_autoptr (GError) error = NULL;
  GstZcImage image;

  g_assert_false (gst_zc_image_init_from_nvcv (&image, NULL, data, 0, &error));
  g_assert_error (error, GST_ZC_ERROR, (gint) code);
  g_assert_nonnull (strstr (error->message, word));
}

static void
test_bad (void)
{
  g_autoptr (GError) error = NULL;
  GstZcNvcvImageData data, good;
  GstZcImage image;

  init_image (&image, GST_VIDEO_FORMAT_NV12, 64, 48);
  g_assert_true (gst_zc_image_to_nvcv (&image, NULL, &good, NULL));
  data = good;
  data.buffer_type = 2;
  refuse (&data, GST_ZC_ERROR_UNSUPPORTED, "type 2");
  data = good;
  data.format = 0x1234;
  refuse (&data, GST_ZC_ERROR_UNSUPPORTED, "0x1234");
  data = good;
  data.n_planes = 3;
  refuse (&data, GST_ZC_ERROR_LAYOUT, "3 planes");
  data = good;
  data.plane[1].height = 48;
  refuse (&data, GST_ZC_ERROR_LAYOUT, "Plane 1");
  data = good;
  data.plane[1].data = 0;
  refuse (&data, GST_ZC_ERROR_LAYOUT, "Plane 1");
  data = good;
  data.plane[0].width = 0;
  refuse (&data, GST_ZC_ERROR_LAYOUT, "0x48");

  image.plane[0].row_stride = -128;
  g_assert_false (gst_zc_image_to_nvcv (&image, NULL, &data, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
}

/* The way there and back, with pictures in device memory. */

static void
count (gpointer n_cleanups, gconstpointer data)
{
  ++*(guint *) n_cleanups;
}

typedef struct
{
  GstCudaContext *context;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstZcStream *stream;
  GstZcFrame frame;
} Fixture;

static gboolean
fixture_init (Fixture *self, GstVideoFormat format)
{
  g_autoptr (GError) error = NULL;

  self->context = cuda_test_context (0);
  if (!self->context)
    return FALSE;
  self->pool = cuda_test_pool (self->context, format, 62, 46, &self->info);
  self->buffer = cuda_test_acquire (self->pool);
  self->stream = gst_zc_stream_new (self->context, &error);
  gst_zc_frame_map (&self->frame, self->buffer, &self->info, GST_MAP_WRITE,
      self->stream, &error);
  g_assert_no_error (error);
  cuda_test_fill (self->stream, &self->frame.image, 0x5a);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  gst_zc_frame_unmap (&self->frame, NULL);
  gst_clear_buffer (&self->buffer);
  gst_buffer_pool_set_active (self->pool, FALSE);
  gst_object_unref (self->pool);
  gst_zc_stream_unref (self->stream);
  gst_object_unref (self->context);
}

static NvcvHandle
wrap (const Nvcv *nvcv, Fixture *self, guint *n_cleanups)
{
  g_autoptr (GError) error = NULL;
  GstZcNvcvImageData data;
  NvcvHandle image;
  gint32 width, height;

  gst_zc_image_to_nvcv (&self->frame.image, &self->info.colorimetry, &data,
      &error);
  g_assert_no_error (error);
  g_assert_cmpint (nvcv->ImageWrapDataConstruct (&data, count, n_cleanups,
                       &image),
      ==, 0);
  g_assert_cmpint (nvcv->ImageGetSize (image, &width, &height), ==, 0);
  g_assert_cmpint (width, ==, 62);
  g_assert_cmpint (height, ==, 46);
  return image;
}

/* Buffer to image to buffer: the same addresses, given back once. */
static void
test_wrap (gconstpointer format)
{
  const Nvcv *nvcv = nvcv_load ();
  g_autoptr (GError) error = NULL;
  GstZcProducer producer = { GST_ZC_PRODUCER_STREAM };
  GstZcNvcvImageData data;
  guint n_cleanups = 0;
  NvcvHandle image;
  GstZcImage back;
  GstBuffer *again;
  Fixture self;

  if (!nvcv || !fixture_init (&self, GPOINTER_TO_INT (format)))
    return;
  image = wrap (nvcv, &self, &n_cleanups);
  memset (&data, 0xff, sizeof (data));
  g_assert_cmpint (nvcv->ImageExportData (image, &data), ==, 0);
  gst_zc_image_init_from_nvcv (&back, NULL, &data, 0, &error);
  g_assert_no_error (error);
  assert_same_image (&back, &self.frame.image);

  producer.handle = gst_zc_stream_get_handle (self.stream);
  again = gst_zc_buffer_new_wrapped (self.context, &back, &producer, NULL, NULL,
      &error);
  g_assert_no_error (error);
  gst_buffer_unref (again);
  nvcv->ImageDecRef (image, NULL);
  g_assert_cmpuint (n_cleanups, ==, 1);
  fixture_clear (&self);
}

/* A tensor of CV-CUDA as an array: (1, rows, width, channels). */
static void
test_tensor (void)
{
  const Nvcv *nvcv = nvcv_load ();
  g_autoptr (GError) error = NULL;
  NvcvHandle image, tensor;
  guint n_cleanups = 0;
  NvcvTensor data;
  GstZcArray *array;
  GstBuffer *again;
  Fixture self;

  if (!nvcv || !fixture_init (&self, GST_VIDEO_FORMAT_RGBA))
    return;
  image = wrap (nvcv, &self, &n_cleanups);
  g_assert_cmpint (nvcv->TensorWrapImageConstruct (image, &tensor), ==, 0);
  g_assert_cmpint (nvcv->TensorExportData (tensor, &data), ==, 0);
  g_assert_cmpint (data.rank, ==, 4);
  g_assert_cmpstr (data.layout, ==, "NHWC");
  g_assert_cmphex (data.data, ==, self.frame.image.plane[0].data);
  array =
      gst_zc_array_new (data.data, "|u1", data.rank, data.shape, data.strides,
          (gint64) (gsize) gst_zc_stream_get_handle (self.stream), &error);
  again = gst_zc_buffer_new_from_arrays (NULL, &self.info, &array, 1, NULL,
      NULL, &error);
  g_assert_no_error (error);
  gst_buffer_unref (again);
  gst_zc_array_free (array);
  nvcv->TensorDecRef (tensor, NULL);
  nvcv->ImageDecRef (image, NULL);
  g_assert_cmpuint (n_cleanups, ==, 1);
  fixture_clear (&self);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

  g_test_add_func ("/nvcv/layout", test_layout);
  g_test_add_func ("/nvcv/constants", test_constants);
  g_test_add_func ("/nvcv/refused", test_refused);
  g_test_add_func ("/nvcv/refused-colours", test_refused_colours);
  g_test_add_func ("/nvcv/names", test_names);
  g_test_add_func ("/nvcv/colours", test_colours);
  g_test_add_func ("/nvcv/sizes", test_sizes);
  g_test_add_func ("/nvcv/back", test_back);
  g_test_add_func ("/nvcv/colours-back", test_colours_back);
  g_test_add_func ("/nvcv/bad", test_bad);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *path = g_strdup_printf ("/nvcv/wrap/%s",
        gst_video_format_to_string (rows[i].format));

    g_test_add_data_func (path, GINT_TO_POINTER (rows[i].format), test_wrap);
  }
  g_test_add_func ("/nvcv/tensor", test_tensor);
  return g_test_run ();
}
