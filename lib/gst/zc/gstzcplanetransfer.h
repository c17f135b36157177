/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/zc/gstzcdefs.h>
#include <gst/zc/gstzcimage.h>
#include <gst/zc/gstzcstream.h>

G_BEGIN_DECLS

/**
 * gst_zc_plane_upload: (skip)
 * @plane: a plane, with a positive stride and elements that follow each other
 * @data: its first row in host memory
 * @row_stride: bytes from a row of @data to the next one
 * @stream: the stream to copy on
 * @error: return location for an error
 *
 * Copies the rows of a plane from host to device memory, and blocks until that
 * copy has run: afterwards @data may be changed. The order with others who use
 * the plane is the caller's part, as for all work on @stream.
 *
 * Returns: %TRUE, or %FALSE with %GST_ZC_ERROR_LAYOUT for rows that are longer
 *   than a stride or a plane that is not within memory that the driver knows,
 *   %GST_ZC_ERROR_NOT_CUDA for host memory, %GST_ZC_ERROR_WRONG_DEVICE,
 *   %GST_ZC_ERROR_DRIVER
 */
GST_ZC_API
gboolean gst_zc_plane_upload (const GstZcPlane *plane, gconstpointer data,
    gsize row_stride, GstZcStream *stream, GError **error);

/**
 * gst_zc_plane_download: (skip)
 * @plane: a plane, with a positive stride and elements that follow each other
 * @data: where its first row goes in host memory
 * @row_stride: bytes from a row of @data to the next one
 * @stream: the stream to copy on
 * @error: return location for an error
 *
 * The other way: blocks until exactly that copy has run.
 *
 * Returns: %TRUE, or %FALSE as gst_zc_plane_upload()
 */
GST_ZC_API
gboolean gst_zc_plane_download (const GstZcPlane *plane, gpointer data,
    gsize row_stride, GstZcStream *stream, GError **error);

G_END_DECLS
