/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What an orientation does, as a definition: one pixel at a time. */

#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

/* The pixel at x, y of the result comes from column xx * x + xy * y + x0 of the
 * source, and row yx * x + yy * y + y0, where x0 and y0 are 0 or, if a factor
 * of the line is negative, the last column or row. */
typedef struct
{
  const gchar *name; /* as a value of video-direction */
  gint xx, xy, yx, yy;
} ZcTurn;

/* The eight. */
const ZcTurn *zc_turns (guint *n);

/* A picture in which neighbours differ. */
GstBuffer *zc_picture_new (const GstVideoInfo *info);

/* What is the first thing in @sample that is not as it should be, when a
 * picture of zc_picture_new () was turned. (transfer full) (nullable) */
gchar *zc_picture_compare (GstSample *sample, GstVideoFormat format, gint width,
    gint height, const ZcTurn *turn);

G_END_DECLS
