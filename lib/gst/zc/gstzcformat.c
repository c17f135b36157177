/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcformat.h"

#include "gstzcflip.h"

/* clang-format off */

/* The shapes that formats come in: what follows the format in its row. */
#define PLANAR(n, bytes, depth, flags, w_sub, h_sub) \
  n, depth, 0, flags, { { 1, bytes, 0, 0 }, { 1, bytes, w_sub, h_sub }, \
      { 1, bytes, w_sub, h_sub } }
#define PLANAR_420(bytes, depth) PLANAR (3, bytes, depth, 0, 1, 1)
#define PLANAR_422(bytes, depth) \
  PLANAR (3, bytes, depth, GST_ZC_FORMAT_NO_TRANSPOSE, 1, 0)
#define PLANAR_444(bytes, depth) PLANAR (3, bytes, depth, 0, 0, 0)
#define PLANAR_4444 \
  4, 8, 0, 0, { { 1, 1, 0, 0 }, { 1, 1, 0, 0 }, { 1, 1, 0, 0 }, { 1, 1, 0, 0 } }
#define SEMI_PLANAR_420(bytes, depth, shift) \
  2, depth, shift, 0, { { 1, bytes, 0, 0 }, { 2, bytes, 1, 1 } }
#define PACKED(n_channels) 1, 8, 0, 0, { { n_channels, 1, 0, 0 } }
#define PACKED_422 1, 8, 0, GST_ZC_FORMAT_PACKED_422, { { 4, 1, 1, 0 } }
#define WORD_10_10_10_2 1, 10, 0, GST_ZC_FORMAT_BITFIELD, { { 1, 4, 0, 0 } }

/* All that is known of the formats; the table and the list are made from it. */
#define FORMATS(X) \
  X (NV12, SEMI_PLANAR_420 (1, 8, 0)) \
  X (NV21, SEMI_PLANAR_420 (1, 8, 0)) \
  X (P010_10LE, SEMI_PLANAR_420 (2, 10, 6)) \
  X (P012_LE, SEMI_PLANAR_420 (2, 12, 4)) \
  X (P016_LE, SEMI_PLANAR_420 (2, 16, 0)) \
  X (I420, PLANAR_420 (1, 8)) \
  X (YV12, PLANAR_420 (1, 8)) \
  X (I420_10LE, PLANAR_420 (2, 10)) \
  X (I420_12LE, PLANAR_420 (2, 12)) \
  X (Y42B, PLANAR_422 (1, 8)) \
  X (I422_10LE, PLANAR_422 (2, 10)) \
  X (I422_12LE, PLANAR_422 (2, 12)) \
  X (Y444, PLANAR_444 (1, 8)) \
  X (Y444_10LE, PLANAR_444 (2, 10)) \
  X (Y444_12LE, PLANAR_444 (2, 12)) \
  X (Y444_16LE, PLANAR_444 (2, 16)) \
  X (RGBP, PLANAR_444 (1, 8)) \
  X (BGRP, PLANAR_444 (1, 8)) \
  X (GBR, PLANAR_444 (1, 8)) \
  X (GBR_10LE, PLANAR_444 (2, 10)) \
  X (GBR_12LE, PLANAR_444 (2, 12)) \
  X (GBR_16LE, PLANAR_444 (2, 16)) \
  X (GBRA, PLANAR_4444) \
  X (BGRA, PACKED (4)) \
  X (RGBA, PACKED (4)) \
  X (RGBx, PACKED (4)) \
  X (BGRx, PACKED (4)) \
  X (ARGB, PACKED (4)) \
  X (ABGR, PACKED (4)) \
  X (VUYA, PACKED (4)) \
  X (RGB, PACKED (3)) \
  X (BGR, PACKED (3)) \
  X (BGR10A2_LE, WORD_10_10_10_2) \
  X (RGB10A2_LE, WORD_10_10_10_2) \
  X (YUY2, PACKED_422) \
  X (UYVY, PACKED_422)

#define ROW(name, ...) \
  [GST_VIDEO_FORMAT_##name] = { GST_VIDEO_FORMAT_##name, __VA_ARGS__ },
/* Indexed by format; rows of formats that are not served are empty. */
static const GstZcFormat table[] = { FORMATS (ROW) };

#define NAME(name, ...) GST_VIDEO_FORMAT_##name,
static const GstVideoFormat list[] = { FORMATS (NAME) };

/* clang-format on */

const GstZcFormat *
gst_zc_format_get (GstVideoFormat format)
{
  if ((guint) format >= G_N_ELEMENTS (table) || table[format].n_planes == 0)
    return NULL;
  return &table[format];
}

const GstVideoFormat *
gst_zc_format_list (guint *n_formats)
{
  *n_formats = G_N_ELEMENTS (list);
  return list;
}

gboolean
gst_zc_format_can_orient (GstVideoFormat format,
    GstVideoOrientationMethod orientation)
{
  const GstZcFormat *row = gst_zc_format_get (format);

  if (row == NULL || (guint) orientation > GST_VIDEO_ORIENTATION_UR_LL)
    return FALSE;
  return !(row->flags & GST_ZC_FORMAT_NO_TRANSPOSE) ||
      !gst_zc_orientation_transposes (orientation);
}
