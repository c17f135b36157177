/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcnvcv.h"

#include "gstzcnvcvcolor.h"

_Static_assert (sizeof (GstZcNvcvImageData) == 168,
    "the size of NVCVImageData");

/* How the channels of a pixel are taken from those in memory: the names are
 * CV-CUDA's, the numbers of its NVCVSwizzle. Three, and its number for none. */
typedef enum
{
  NO_CODE = 0,
  XYZ0 = 3,
  XYZW = 4,
  ZYXW = 7,
  WZYX = 9,
  YZWX = 10,
  XYZ1 = 11,
  ZYX1 = 15,
  XZY0 = 35,
} Swizzle;

/* What GstZcFormat does not say. Formats without a row have no code: their order
 * of channels, or a fourth one without meaning, is none of CV-CUDA's. */
typedef struct
{
  GstVideoFormat format;
  Swizzle swizzle;
} Row;

/* Planes in the order of GstVideoInfo: YV12's second is V. */
static const Row rows[] = {
  { GST_VIDEO_FORMAT_NV12, XYZ0 },
  { GST_VIDEO_FORMAT_NV21, XZY0 },
  { GST_VIDEO_FORMAT_P010_10LE, XYZ0 },
  { GST_VIDEO_FORMAT_P012_LE, XYZ0 },
  { GST_VIDEO_FORMAT_P016_LE, XYZ0 },
  { GST_VIDEO_FORMAT_I420, XYZ0 },
  { GST_VIDEO_FORMAT_YV12, XZY0 },
  { GST_VIDEO_FORMAT_I420_10LE, XYZ0 },
  { GST_VIDEO_FORMAT_I420_12LE, XYZ0 },
  { GST_VIDEO_FORMAT_Y42B, XYZ0 },
  { GST_VIDEO_FORMAT_I422_10LE, XYZ0 },
  { GST_VIDEO_FORMAT_I422_12LE, XYZ0 },
  { GST_VIDEO_FORMAT_Y444, XYZ1 },
  { GST_VIDEO_FORMAT_Y444_10LE, XYZ1 },
  { GST_VIDEO_FORMAT_Y444_12LE, XYZ1 },
  { GST_VIDEO_FORMAT_Y444_16LE, XYZ1 },
  { GST_VIDEO_FORMAT_RGBP, XYZ0 },
  { GST_VIDEO_FORMAT_BGRP, ZYX1 },
  { GST_VIDEO_FORMAT_RGBA, XYZW },
  { GST_VIDEO_FORMAT_BGRA, ZYXW },
  { GST_VIDEO_FORMAT_ARGB, YZWX },
  { GST_VIDEO_FORMAT_ABGR, WZYX },
  { GST_VIDEO_FORMAT_VUYA, ZYXW },
  { GST_VIDEO_FORMAT_RGB, XYZ1 },
  { GST_VIDEO_FORMAT_BGR, ZYX1 },
  /* From the word's highest bit down: alpha first in both. */
  { GST_VIDEO_FORMAT_BGR10A2_LE, YZWX },
  { GST_VIDEO_FORMAT_RGB10A2_LE, WZYX },
  { GST_VIDEO_FORMAT_YUY2, XYZ1 },
  { GST_VIDEO_FORMAT_UYVY, XYZ1 },
};

static Swizzle
swizzle_of (GstVideoFormat format)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    if (rows[i].format == format)
      return rows[i].swizzle;
  }
  return NO_CODE;
}

/* What an element of a plane is: bits, channels, and which of CV-CUDA's ways to
 * have so many of these in so many. */
typedef struct
{
  guint bits;
  guint channels;
  guint way;
} Packing;

/* Of samples in words of 16 bits, whole or of the @depth highest or lowest. */
static guint
way_of_samples (const GstZcFormat *format, guint channels)
{
  guint way;

  if (format->depth == 16)
    return 0;
  way = format->depth == 10 ? 1 : 3;
  /* One channel may be low or high, two of them are high. */
  if (channels == 2)
    return (way + 1) / 2;
  return way + (format->shift > 0);
}

static Packing
packing_of (const GstZcFormat *format, guint plane)
{
  const GstZcFormatPlane *p = &format->plane[plane];
  Packing packing = { 8u * p->n_channels * p->channel_bytes, p->n_channels, 0 };

  if (format->flags & GST_ZC_FORMAT_PACKED_422)
    return (Packing) { 16, 4, format->format == GST_VIDEO_FORMAT_UYVY ? 6 : 5 };
  if (format->flags & GST_ZC_FORMAT_BITFIELD)
    return (Packing) { 32, 4, 1 };
  if (packing.bits == 8)
    packing.way = 4;
  if (p->channel_bytes == 2)
    packing.way = way_of_samples (format, p->n_channels);
  return packing;
}

static guint
bits_code (guint bits)
{
  return bits <= 8 ? 0 : bits / 8 - 1;
}

/* The first plane has room for more than the others. */
static guint64
packing_code (const Packing *packing, guint plane)
{
  guint channel_bits = plane == 0 ? 2 : 1;
  guint64 code = packing->way | ((guint64) packing->channels - 1) << 3 |
      (guint64) bits_code (packing->bits) << (3 + channel_bits);

  return code << (plane == 0 ? 35 : 44 + 7 * (plane - 1));
}

/* 4:4:4, 4:2:2, 4:2:0. */
static guint64
subsampling_code (const GstZcFormat *format)
{
  const GstZcFormatPlane *chroma = &format->plane[format->n_planes > 1 ? 1 : 0];

  if (!chroma->w_sub)
    return 0;
  return chroma->h_sub ? 5 : 1;
}

static gboolean
is_ycbcr (GstVideoFormat format)
{
  return GST_VIDEO_FORMAT_INFO_IS_YUV (gst_video_format_get_info (format));
}

/* All but the colours. */
static guint64
layout_code (const GstZcFormat *format)
{
  guint64 code = swizzle_of (format->format) | 1u << 7;

  if (is_ycbcr (format->format))
    code |= subsampling_code (format) << 17;
  else
    code |= 1u << 16;
  for (guint i = 0; i < format->n_planes; i++) {
    Packing packing = packing_of (format, i);

    code |= packing_code (&packing, i);
  }
  return code;
}

#define SPEC_SHIFT 20
#define SPEC_MASK (((guint64) 0x7fff) << SPEC_SHIFT)

gboolean
gst_zc_nvcv_format (GstVideoFormat format,
    const GstVideoColorimetry *colorimetry, guint64 *code, GError **error)
{
  const GstZcFormat *row = gst_zc_format_get (format);
  guint spec;

  g_return_val_if_fail (code != NULL, FALSE);

  if (!row || swizzle_of (format) == NO_CODE) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "CV-CUDA has no code for %s: convert to another format, for instance "
        "RGBA",
        gst_video_format_to_string (format));
    return FALSE;
  }
  if (!is_ycbcr (format))
    spec = zc_nvcv_spec_of_rgb (colorimetry);
  else if (!zc_nvcv_spec_of_ycbcr (colorimetry, &spec, error))
    return FALSE;
  *code = layout_code (row) | (guint64) spec << SPEC_SHIFT;
  return TRUE;
}

/* There a plane of packed 4:2:2 counts pixels. */
static gint
nvcv_width (const GstZcImage *image, guint plane)
{
  const GstZcFormat *format = gst_zc_format_get (image->format);

  return format->flags & GST_ZC_FORMAT_PACKED_422 ? image->width
                                                  : image->plane[plane].width;
}

gboolean
gst_zc_image_to_nvcv (const GstZcImage *image,
    const GstVideoColorimetry *colorimetry, GstZcNvcvImageData *data,
    GError **error)
{
  g_return_val_if_fail (image != NULL, FALSE);
  g_return_val_if_fail (data != NULL, FALSE);

  memset (data, 0, sizeof (*data));
  if (!gst_zc_nvcv_format (image->format, colorimetry, &data->format, error))
    return FALSE;
  data->buffer_type = GST_ZC_NVCV_BUFFER_STRIDED_CUDA;
  data->n_planes = image->n_planes;
  for (guint i = 0; i < image->n_planes; i++) {
    const GstZcPlane *plane = &image->plane[i];

    if (plane->row_stride < 1 || plane->row_stride > G_MAXINT32) {
      g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
          "Plane %u has a stride of %" G_GINT64_FORMAT " bytes; CV-CUDA takes "
          "1 to %d: copy the picture",
          i, plane->row_stride, G_MAXINT32);
      return FALSE;
    }
    data->plane[i] = (GstZcNvcvPlane) { .width = nvcv_width (image, i),
      .height = plane->height,
      .row_stride = plane->row_stride,
      .data = plane->data };
  }
  return TRUE;
}

/* The row whose code @code is, whatever the colours. */
static const GstZcFormat *
find_format (guint64 code)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const GstZcFormat *format = gst_zc_format_get (rows[i].format);

    if (layout_code (format) == (code & ~SPEC_MASK))
      return format;
  }
  return NULL;
}

static const GstZcFormat *
check_data (const GstZcNvcvImageData *data, GError **error)
{
  const GstZcFormat *format = find_format (data->format);

  if (data->buffer_type != GST_ZC_NVCV_BUFFER_STRIDED_CUDA)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "The CV-CUDA image has a buffer of type %d: only %d, strided device "
        "memory, can be taken",
        data->buffer_type, GST_ZC_NVCV_BUFFER_STRIDED_CUDA);
  else if (!format)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "CV-CUDA format 0x%" G_GINT64_MODIFIER
        "x is none of those that are served: convert it, for instance to RGBA",
        data->format);
  else if (data->n_planes != format->n_planes)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "The CV-CUDA image has %d planes, %s has %u", data->n_planes,
        gst_video_format_to_string (format->format), format->n_planes);
  else
    return format;
  return NULL;
}

static gboolean
check_planes (const GstZcImage *image, const GstZcNvcvImageData *data,
    GError **error)
{
  for (guint i = 0; i < image->n_planes; i++) {
    if (data->plane[i].width == nvcv_width (image, i) &&
        data->plane[i].height == image->plane[i].height)
      continue;
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "Plane %u of the CV-CUDA image is %dx%d, that of %s %dx%d is %dx%d", i,
        data->plane[i].width, data->plane[i].height,
        gst_video_format_to_string (image->format), image->width, image->height,
        nvcv_width (image, i), image->plane[i].height);
    return FALSE;
  }
  return TRUE;
}

gboolean
gst_zc_image_init_from_nvcv (GstZcImage *image,
    GstVideoColorimetry *colorimetry, const GstZcNvcvImageData *data,
    gint device, GError **error)
{
  const GstZcFormat *format;
  guint64 address[GST_ZC_MAX_PLANES] = { 0 };
  gint64 stride[GST_ZC_MAX_PLANES] = { 0 };

  g_return_val_if_fail (image != NULL, FALSE);
  g_return_val_if_fail (data != NULL, FALSE);

  format = check_data (data, error);
  if (!format)
    return FALSE;
  for (guint i = 0; i < format->n_planes; i++) {
    address[i] = data->plane[i].data;
    stride[i] = data->plane[i].row_stride;
  }
  if (!gst_zc_image_init (image, format->format, data->plane[0].width,
          data->plane[0].height, device, address, stride, error) ||
      !check_planes (image, data, error))
    return FALSE;
  if (colorimetry)
    zc_nvcv_colorimetry ((data->format & SPEC_MASK) >> SPEC_SHIFT,
        is_ycbcr (format->format), colorimetry);
  return TRUE;
}
