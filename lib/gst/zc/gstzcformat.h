/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/video/video.h>
#include <gst/zc/gstzcdefs.h>

G_BEGIN_DECLS

/**
 * GST_ZC_MAX_PLANES:
 *
 * The most planes that an image has.
 */
#define GST_ZC_MAX_PLANES 4

/**
 * GstZcFormatFlags:
 * @GST_ZC_FORMAT_PACKED_422: one element of the plane is a macropixel of two
 *   pixels that share their chroma (YUY2, UYVY)
 * @GST_ZC_FORMAT_NO_TRANSPOSE: chroma planes that are subsampled in one
 *   direction only, so that a picture turned by 90 degrees can't be said in the
 *   same format. Packed 4:2:2 can be: it takes new chroma from two rows
 * @GST_ZC_FORMAT_BITFIELD: the channels are bit fields of one little-endian
 *   word (10:10:10:2)
 */
typedef enum /*< flags >*/
{
  GST_ZC_FORMAT_PACKED_422 = 1 << 0,
  GST_ZC_FORMAT_NO_TRANSPOSE = 1 << 1,
  GST_ZC_FORMAT_BITFIELD = 1 << 2
} GstZcFormatFlags;

/**
 * GstZcFormatPlane:
 * @n_channels: interleaved channels of one element
 * @channel_bytes: bytes of one channel: 1, 2 or 4
 * @w_sub: log2 of the pixels that share one element in a row
 * @h_sub: log2 of the pixels that share one element in a column
 *
 * What one plane of a format is made of. Its size in elements is the
 * picture's, divided by 2^w_sub and 2^h_sub and rounded up.
 */
typedef struct
{
  guint8 n_channels;
  guint8 channel_bytes;
  guint8 w_sub;
  guint8 h_sub;
} GstZcFormatPlane;

/**
 * GstZcFormat:
 * @format: the GStreamer format
 * @n_planes: how many of @plane are used
 * @depth: significant bits of a channel
 * @shift: how far the significant bits are shifted up in their word: 6 for
 *   P010, whose 10 bits are the high ones, 0 for I420_10LE
 * @flags: properties that change how it may be turned
 * @plane: the planes, in memory order of GstVideoInfo
 *
 * All that the library knows of a pixel format.
 */
typedef struct
{
  GstVideoFormat format;
  guint8 n_planes;
  guint8 depth;
  guint8 shift;
  GstZcFormatFlags flags;
  GstZcFormatPlane plane[GST_ZC_MAX_PLANES];
} GstZcFormat;

/**
 * gst_zc_format_get:
 * @format: a GStreamer format
 *
 * Returns: (transfer none) (nullable): the row of the table, valid for ever, or
 *   %NULL if the library does not serve @format
 */
GST_ZC_API
const GstZcFormat *gst_zc_format_get (GstVideoFormat format);

/**
 * gst_zc_format_list:
 * @n_formats: (out): number of formats
 *
 * Returns: (transfer none) (array length=n_formats): all formats served
 */
GST_ZC_API
const GstVideoFormat *gst_zc_format_list (guint *n_formats);

/**
 * gst_zc_format_can_orient:
 * @format: a GStreamer format
 * @orientation: one of the eight orientations
 *
 * Returns: %TRUE if a picture in @format can be turned so and stay in @format
 */
GST_ZC_API
gboolean gst_zc_format_can_orient (GstVideoFormat format,
    GstVideoOrientationMethod orientation);

G_END_DECLS
