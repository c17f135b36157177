/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: pictures with planes that are stored bottom-up. No GstVideoMeta can
 * describe them, and gst-cuda would copy the wrong bytes: they are wrapped upside
 * down, which it can, and copied the right way up. */

#include <gst/zc/gstzccontext-private.h>
#include <gst/zc/gstzcimage.h>

G_BEGIN_DECLS

/* @image with the lowest row of each plane first. TRUE if that is another
 * picture. */
gboolean zc_upright_mirror (GstZcImage *mirrored, const GstZcImage *image);

/* A buffer of the pixels of @image, of which @mirrored wraps the memory, on the
 * GPU. Takes @mirrored, also on failure. */
GstBuffer *zc_upright_copy (ZcContext *context, GstBuffer *mirrored,
    const GstZcImage *image, GError **error);

G_END_DECLS
