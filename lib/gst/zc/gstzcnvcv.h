/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/video/video.h>
#include <gst/zc/gstzcdefs.h>
#include <gst/zc/gstzcimage.h>

G_BEGIN_DECLS

/**
 * GST_ZC_NVCV_MAX_PLANES:
 *
 * The most planes that an image of CV-CUDA has.
 */
#define GST_ZC_NVCV_MAX_PLANES 6

/**
 * GST_ZC_NVCV_BUFFER_STRIDED_CUDA:
 *
 * The kind of image whose planes are rows in device memory.
 */
#define GST_ZC_NVCV_BUFFER_STRIDED_CUDA 1

/**
 * GstZcNvcvPlane:
 * @width: pixels of a row; of packed 4:2:2 too
 * @height: rows
 * @row_stride: bytes from a row to the next one
 * @data: device address
 *
 * One plane as CV-CUDA has it: NVCVImagePlaneStrided.
 */
typedef struct
{
  gint32 width;
  gint32 height;
  gint32 row_stride;
  /*< private >*/
  gint32 _padding;
  /*< public >*/
  guint64 data;
} GstZcNvcvPlane;

/**
 * GstZcNvcvImageData:
 * @format: NVCVImageFormat, a code of all that is known of the format
 * @buffer_type: %GST_ZC_NVCV_BUFFER_STRIDED_CUDA
 * @n_planes: how many of @plane are used
 * @plane: the planes
 *
 * An image as CV-CUDA takes and gives it, for nvcvImageWrapDataConstruct() and
 * nvcvImageExportData(): byte for byte their NVCVImageData, so that a pointer to
 * one may be cast to the other. A plain value that owns nothing.
 */
typedef struct
{
  guint64 format;
  gint32 buffer_type;
  /*< private >*/
  gint32 _padding0;
  /*< public >*/
  gint32 n_planes;
  /*< private >*/
  gint32 _padding1;
  /*< public >*/
  GstZcNvcvPlane plane[GST_ZC_NVCV_MAX_PLANES];
} GstZcNvcvImageData;

/**
 * gst_zc_nvcv_format:
 * @format: a pixel format
 * @colorimetry: (nullable): its colours
 * @code: (out): NVCVImageFormat
 * @error: return location for an error
 *
 * The code that CV-CUDA has for a format: `NVCV_IMAGE_FORMAT_NV12` for NV12 in
 * BT.601 of limited range, which is also what %NULL and unknown colorimetry mean,
 * `…_NV12_ER` for full range, one without a name of its own for BT.709 and others.
 * NV21 gets the code that says that V comes first; the constant of that name is
 * NV12's. RGB gets the constants of CV-CUDA, which speak of no colorimetry but the
 * range. Chroma sites do not count.
 *
 * RGBx, BGRx, GBR and its variants, and GBRA have no code there, nor have transfer
 * functions like HLG.
 *
 * Returns: %TRUE, or %FALSE with %GST_ZC_ERROR_UNSUPPORTED and the name of what
 *   CV-CUDA has no code for
 */
GST_ZC_API
gboolean gst_zc_nvcv_format (GstVideoFormat format,
    const GstVideoColorimetry *colorimetry, guint64 *code, GError **error);

/**
 * gst_zc_image_to_nvcv:
 * @image: an image
 * @colorimetry: (nullable): its colours, from the GstVideoInfo of the caps
 * @data: (out caller-allocates): the same for CV-CUDA
 * @error: return location for an error
 *
 * No copy, no driver call: the addresses are those of @image. An image made of
 * @data is good as long as @image's memory; CV-CUDA's functions take the stream to
 * work on.
 *
 * Returns: %TRUE, or %FALSE as gst_zc_nvcv_format(), and with
 *   %GST_ZC_ERROR_LAYOUT for strides that are negative or larger than 2 GiB
 */
GST_ZC_API
gboolean gst_zc_image_to_nvcv (const GstZcImage *image,
    const GstVideoColorimetry *colorimetry, GstZcNvcvImageData *data,
    GError **error);

/**
 * gst_zc_image_init_from_nvcv:
 * @image: (out caller-allocates): the image to fill
 * @colorimetry: (out caller-allocates) (optional): what the code says of colours
 * @data: what nvcvImageExportData() gave
 * @device: CUDA ordinal of the device that the image lives on
 * @error: return location for an error
 *
 * The other way. Give the image to gst_zc_buffer_new_wrapped() with the stream on
 * which CV-CUDA filled it.
 *
 * Returns: %TRUE, or %FALSE with %GST_ZC_ERROR_UNSUPPORTED for a format that this
 *   library does not serve, or memory that is not strided device memory, or with
 *   %GST_ZC_ERROR_LAYOUT for planes that are not as the format's
 */
GST_ZC_API
gboolean gst_zc_image_init_from_nvcv (GstZcImage *image,
    GstVideoColorimetry *colorimetry, const GstZcNvcvImageData *data,
    gint device, GError **error);

G_END_DECLS
