/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Where things go when a picture is turned. */

#include <gst/video/video.h>

G_BEGIN_DECLS

/* Pixels. */
typedef struct
{
  guint x;
  guint y;
  guint w;
  guint h;
} ZcRect;

/* Where @rect of a picture of @width x @height lies after turning; what sticks
 * out of the picture is cut off. FALSE if nothing is left. */
gboolean zc_turn_rect (GstVideoOrientationMethod orientation, guint width,
    guint height, ZcRect *rect);

/* From a pixel of the turned picture, of @width x @height, back to the pixel
 * that was put there. */
void zc_turn_back (GstVideoOrientationMethod orientation, guint width,
    guint height, gdouble *x, gdouble *y);

/* GstBaseTransformClass.filter_meta and .transform_meta. */
gboolean zc_turn_keeps_meta (GType api);
gboolean zc_turn_meta (GstVideoOrientationMethod orientation, guint width,
    guint height, GstBuffer *out, GstMeta *meta);

G_END_DECLS
