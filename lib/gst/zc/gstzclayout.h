/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: where the planes of our own device memory lie in it. */

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

G_END_DECLS
