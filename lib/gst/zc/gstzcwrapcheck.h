/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: planes that somebody hands us, before they are believed. */

#include <gst/zc/gstzccontext-private.h>
#include <gst/zc/gstzcwraplayout.h>

G_BEGIN_DECLS

/* TRUE if @image is one of its format, whatever its addresses and strides. */
gboolean zc_wrap_check_shape (const GstZcImage *image, GError **error);

/* TRUE if the planes of @image, all with positive strides, lie in memory of the
 * device of @context and apart from each other. @allocation gets a member a
 * plane. */
gboolean zc_wrap_check_memory (const GstZcImage *image, ZcContext *context,
    ZcAllocation *allocation, GError **error);

G_END_DECLS
