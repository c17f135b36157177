/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/video/video.h>
#include <gst/zc/gstzcdefs.h>
#include <gst/zc/gstzcframe.h>
#include <gst/zc/gstzcimage.h>
#include <gst/zc/gstzcstream.h>

G_BEGIN_DECLS

/**
 * gst_zc_image_flip:
 * @dst: where to write; width and height swapped for the transposing four
 * @src: what to read; may not overlap @dst
 * @orientation: one of the eight orientations; identity copies
 * @stream: the stream to launch on
 * @error: return location for an error
 *
 * Turns or mirrors an image, all planes in one launch, each on its own grid.
 * Strides of both sides may be anything. For images that did not come from
 * GStreamer, or inside frame maps on one stream. The order against other
 * streams is the caller's: gst_zc_frame_map() does it for buffers. Returns when
 * queued on @stream.
 *
 * Returns: %TRUE, or %FALSE with %GST_ZC_ERROR_LAYOUT if the two sizes or
 *   formats do not belong together, %GST_ZC_ERROR_UNSUPPORTED if the format has
 *   no answer in this orientation or the GPU no kernel,
 *   %GST_ZC_ERROR_WRONG_DEVICE or %GST_ZC_ERROR_DRIVER
 */
GST_ZC_API
gboolean gst_zc_image_flip (const GstZcImage *dst, const GstZcImage *src,
    GstVideoOrientationMethod orientation, GstZcStream *stream, GError **error);

/**
 * gst_zc_frame_flip:
 * @dst: a frame mapped for WRITE
 * @src: a frame mapped for READ on the same stream
 * @orientation: one of the eight orientations; identity copies
 * @error: return location for an error
 *
 * gst_zc_image_flip() on the stream of two frames.
 *
 * Returns: %TRUE, or %FALSE as gst_zc_image_flip(), and %GST_ZC_ERROR_STATE if
 *   the frames are mapped on different streams or @dst not for WRITE
 */
GST_ZC_API
gboolean gst_zc_frame_flip (GstZcFrame *dst, GstZcFrame *src,
    GstVideoOrientationMethod orientation, GError **error);

/**
 * gst_zc_orientation_transposes:
 * @orientation: an orientation
 *
 * Returns: %TRUE if width and height change places
 */
GST_ZC_API
gboolean gst_zc_orientation_transposes (GstVideoOrientationMethod orientation);

/**
 * gst_zc_orientation_from_flip_code:
 * @flip_code: what CV-CUDA and OpenCV take: 0 turns the picture upside down, 1
 *   (any positive) mirrors left and right, -1 (any negative) does both
 *
 * Returns: the orientation that does the same
 */
GST_ZC_API
GstVideoOrientationMethod gst_zc_orientation_from_flip_code (gint flip_code);

G_END_DECLS
