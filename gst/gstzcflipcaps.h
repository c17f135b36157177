/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* What becomes of caps when a picture is turned. */

#include <gst/video/video.h>

G_BEGIN_DECLS

/* The caps on the other side of a flip, in either direction: width and height
 * and the pixel aspect ratio change places, whatever kind of value they are;
 * formats and interlacing that can't be turned so are left out.
 * (transfer full) */
GstCaps *zc_flip_turn_caps (GstCaps *caps,
    GstVideoOrientationMethod orientation);

/* Why nothing of @caps can be turned, and what to do; NULL if something can, or
 * there is nothing to say. (transfer full) (nullable) */
GError *zc_flip_explain (GstCaps *caps, GstVideoOrientationMethod orientation);

/* TRUE if caps and pools of one serve the other. */
gboolean zc_flip_agree (GstVideoOrientationMethod a,
    GstVideoOrientationMethod b);

/* TRUE if interlaced pictures stay what they are: fields are rows. */
gboolean zc_flip_keeps_fields (GstVideoOrientationMethod orientation);

G_END_DECLS
