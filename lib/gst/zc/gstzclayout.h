/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: where planes lie in memory: in ours, and in what others hand us. */

#include <gst/zc/gstzcimage.h>

G_BEGIN_DECLS

/* What to ask cuMemAllocPitch for: bytes of the widest row, rows of all planes. */
gboolean zc_layout_measure (const GstVideoInfo *info, gsize *row_bytes,
    gsize *rows, GError **error);

/* @info with planes one after the other, @pitch bytes a row for each of them: as
 * gst-cuda lays out its own. */
void zc_layout_pitched (GstVideoInfo *layout, const GstVideoInfo *info,
    gsize pitch);

/* @info with rows and planes without padding. */
gboolean zc_layout_packed (GstVideoInfo *layout, const GstVideoInfo *info,
    GError **error);

/* Where, in pixels, the picture of the caps begins in @buffer, whose planes may be
 * larger: decoders say so with a GstVideoMeta of the whole and a crop meta of the
 * caps' size. A crop meta on a buffer of the caps' own size stays for whoever
 * comes later: 0, 0. Fails with GST_ZC_ERROR_LAYOUT if meta and caps do not fit;
 * @where names the buffer in the message. */
gboolean zc_layout_origin (GstBuffer *buffer, const GstVideoInfo *info,
    const gchar *where, guint *x, guint *y, GError **error);

/* Where in the buffer what belongs to pixel @x, @y of a plane at @offset is;
 * G_MAXSIZE for offsets of no sense. Half a chroma pair can't be had: odd
 * positions go to the pair's first pixel. */
gsize zc_layout_start (const GstVideoInfo *info, guint plane, guint x, guint y,
    gsize offset, gint stride);

G_END_DECLS
