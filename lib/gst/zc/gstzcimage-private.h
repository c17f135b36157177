/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: from a format and a size to planes, for device and host alike. */

#include <gst/zc/gstzcimage.h>

G_BEGIN_DECLS

/* What one plane of a picture takes, before any stride. */
typedef struct
{
  gint width;                   /* elements of a row */
  gint height;                  /* rows */
  gsize row_bytes;              /* of the samples, without padding */
} ZcPlaneSize;

void zc_plane_size_init (ZcPlaneSize *size, const GstZcFormat *format,
    guint plane, gint width, gint height);

/* TRUE if rows of @stride bytes hold the plane and @available bytes all of
 * its rows; else GST_ZC_ERROR_LAYOUT with plane, stride, bytes needed and bytes
 * there. @where names the buffer in the message, as "device buffer". */
gboolean zc_plane_size_check (const ZcPlaneSize *size, guint plane, gint stride,
    gsize available, const gchar *where, GError **error);

/* Where one plane of a mapped buffer lies. */
typedef struct
{
  guint64 base;                 /* device address of the plane's first byte */
  gsize available;              /* bytes from there to its memory's end */
} ZcPlaneMemory;

/* Planes of @info's format and size at @where with @stride bytes a row; both
 * arrays have a member a plane. */
gboolean zc_image_init_from_planes (GstZcImage *image, const GstVideoInfo *info,
    gint device, const gint *stride, const ZcPlaneMemory *where,
    GError **error);

G_END_DECLS
