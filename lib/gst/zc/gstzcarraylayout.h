/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: which planes of a picture somebody's arrays are. */

#include <gst/zc/gstzcarray.h>

G_BEGIN_DECLS

/* Errors name the number of the array and its field. */
gboolean zc_image_init_from_arrays (GstZcImage *image, const GstVideoInfo *info,
    GstZcArray *const *arrays, guint n_arrays, gint device, GError **error);

G_END_DECLS
