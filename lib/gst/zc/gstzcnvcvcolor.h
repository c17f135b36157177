/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: colours as CV-CUDA's format codes have them: NVCVColorSpec. */

#include <gst/video/video.h>
#include <gst/zc/gstzcdefs.h>

G_BEGIN_DECLS

/* @colorimetry may be NULL. */
gboolean zc_nvcv_spec_of_ycbcr (const GstVideoColorimetry *colorimetry,
    guint *spec, GError **error);
guint zc_nvcv_spec_of_rgb (const GstVideoColorimetry *colorimetry);

/* The other way; what GStreamer has no name for is unknown. */
void zc_nvcv_colorimetry (guint spec, gboolean ycbcr,
    GstVideoColorimetry *colorimetry);

G_END_DECLS
