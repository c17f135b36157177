/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/video/video.h>
#include <gst/zc/gstzcdefs.h>
#include <gst/zc/gstzcformat.h>

G_BEGIN_DECLS

/**
 * GstZcPlane:
 * @data: device address of the first element of the first row
 * @row_stride: bytes from a row to the next one; negative for a picture that
 *   is stored bottom-up
 * @pixel_stride: bytes from an element to the next one of its row
 * @width: elements in a row
 * @height: rows
 * @n_channels: interleaved channels of an element
 * @channel_bytes: bytes of a channel
 *
 * One plane in device memory. An element is a pixel, a chroma pair or, for
 * packed 4:2:2, a macropixel of two pixels.
 */
typedef struct
{
  guint64 data;
  gint64 row_stride;
  gint pixel_stride;
  gint width;
  gint height;
  gint n_channels;
  gint channel_bytes;
} GstZcPlane;

/**
 * GstZcImage:
 * @format: pixel format
 * @width: pixels
 * @height: pixels
 * @n_planes: how many of @plane are used
 * @device: CUDA ordinal of the device that the planes live on
 * @plane: the planes
 *
 * A strided image in device memory: a plain value that owns nothing. It is good
 * as long as the memory it speaks of, and its pixels may be touched only by
 * work that is ordered: inside a #GstZcFrame map, on that frame's stream.
 *
 * Thread safety: a value; copy it freely.
 */
typedef struct
{
  GstVideoFormat format;
  gint width;
  gint height;
  guint n_planes;
  gint device;
  GstZcPlane plane[GST_ZC_MAX_PLANES];
} GstZcImage;

/**
 * gst_zc_image_init:
 * @image: (out caller-allocates): the image to fill
 * @format: pixel format
 * @width: pixels, at least 1
 * @height: pixels, at least 1
 * @device: CUDA ordinal
 * @data: (array fixed-size=4): device address of each plane
 * @row_stride: (array fixed-size=4): bytes between rows, a plane each
 * @error: return location for an error
 *
 * Describes planes that lie anywhere, as other CUDA software hands them out.
 *
 * Returns: %TRUE, or %FALSE with %GST_ZC_ERROR_UNSUPPORTED for a format that is
 *   not served and %GST_ZC_ERROR_LAYOUT for a plane without an address, with a
 *   stride shorter than its row, or that goes beyond the last or the first address
 */
GST_ZC_API
gboolean gst_zc_image_init (GstZcImage *image, GstVideoFormat format,
    gint width, gint height, gint device, const guint64 *data,
    const gint64 *row_stride, GError **error);

/**
 * gst_zc_image_init_packed:
 * @image: (out caller-allocates): the image to fill
 * @format: pixel format
 * @width: pixels, at least 1
 * @height: pixels, at least 1
 * @device: CUDA ordinal
 * @data: device address of the first plane
 * @size: (out) (optional): bytes that the image takes
 * @error: return location for an error
 *
 * Describes planes that follow each other with rows that follow each other,
 * no padding anywhere: what software without strides expects.
 *
 * Returns: %TRUE, or %FALSE with %GST_ZC_ERROR_UNSUPPORTED or
 *   %GST_ZC_ERROR_LAYOUT
 */
GST_ZC_API
gboolean gst_zc_image_init_packed (GstZcImage *image, GstVideoFormat format,
    gint width, gint height, gint device, guint64 data, gsize *size,
    GError **error);

/**
 * gst_zc_image_get_plane:
 * @image: an image
 * @index: which plane, less than @image's n_planes
 * @plane: (out caller-allocates): a copy of it
 *
 * For languages whose bindings can't read an array of structs, as Python's;
 * in C, read @image->plane.
 */
GST_ZC_API
void gst_zc_image_get_plane (const GstZcImage *image, guint index,
    GstZcPlane *plane);

/**
 * gst_zc_plane_row_bytes:
 * @plane: a plane
 *
 * Returns: bytes from the first to the end of the last element of a row
 */
GST_ZC_API
gsize gst_zc_plane_row_bytes (const GstZcPlane *plane);

/**
 * gst_zc_plane_extent:
 * @plane: a plane
 *
 * Returns: bytes from the first byte of the lowest row in memory to the last
 *   byte of the highest: |row_stride| x (height - 1) + row bytes
 */
GST_ZC_API
gsize gst_zc_plane_extent (const GstZcPlane *plane);

G_END_DECLS
