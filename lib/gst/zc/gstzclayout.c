/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzclayout.h"

#include "gstzcimage-private.h"

static const GstZcFormat *
format_of (const GstVideoInfo *info, GError **error)
{
  const GstZcFormat *format = gst_zc_format_get (GST_VIDEO_INFO_FORMAT (info));

  if (!format)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "%s frames are not served in device memory: convert them first",
        gst_video_format_to_string (GST_VIDEO_INFO_FORMAT (info)));
  return format;
}

static void
plane_size (ZcPlaneSize *size, const GstVideoInfo *info, guint plane)
{
  zc_plane_size_init (size, gst_zc_format_get (GST_VIDEO_INFO_FORMAT (info)),
      plane, GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info));
}

gboolean
zc_layout_measure (const GstVideoInfo *info, gsize *row_bytes, gsize *rows,
    GError **error)
{
  const GstZcFormat *format = format_of (info, error);
  ZcPlaneSize size;
  guint i;

  if (!format)
    return FALSE;
  *row_bytes = *rows = 0;
  for (i = 0; i < format->n_planes; i++) {
    plane_size (&size, info, i);
    *row_bytes = MAX (*row_bytes, size.row_bytes);
    *rows += size.height;
  }
  return TRUE;
}

/* An info may say anything: more than a size holds is more than there is. */
static void
add_rows (gsize *total, gsize row, gint height)
{
  gsize bytes;

  if (!g_size_checked_mul (&bytes, row, (gsize) height) ||
      !g_size_checked_add (total, *total, bytes))
    *total = G_MAXSIZE;
}

void
zc_layout_pitched (GstVideoInfo *layout, const GstVideoInfo *info, gsize pitch)
{
  ZcPlaneSize size;
  guint i;

  *layout = *info;
  layout->size = 0;
  for (i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    plane_size (&size, info, i);
    layout->offset[i] = layout->size;
    layout->stride[i] = pitch;
    add_rows (&layout->size, pitch, size.height);
  }
}

gboolean
zc_layout_packed (GstVideoInfo *layout, const GstVideoInfo *info,
    GError **error)
{
  const GstZcFormat *format = format_of (info, error);
  ZcPlaneSize size;
  guint i;

  if (!format)
    return FALSE;
  *layout = *info;
  layout->size = 0;
  for (i = 0; i < format->n_planes; i++) {
    plane_size (&size, info, i);
    layout->offset[i] = layout->size;
    layout->stride[i] = size.row_bytes;
    add_rows (&layout->size, size.row_bytes, size.height);
  }
  if (layout->size <= G_MAXINT)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "A packed frame of %" G_GSIZE_FORMAT " bytes is larger than 2 GiB: use "
      "one with padded rows",
      layout->size);
  return FALSE;
}

static gboolean
meta_is_of_size (const GstVideoMeta *meta, const GstVideoInfo *info)
{
  return meta->width == (guint) GST_VIDEO_INFO_WIDTH (info) &&
      meta->height == (guint) GST_VIDEO_INFO_HEIGHT (info);
}

static gboolean
meta_holds (const GstVideoMeta *meta, const GstVideoInfo *info, guint x,
    guint y)
{
  return meta->format == GST_VIDEO_INFO_FORMAT (info) &&
      meta->width >= (guint64) x + GST_VIDEO_INFO_WIDTH (info) &&
      meta->height >= (guint64) y + GST_VIDEO_INFO_HEIGHT (info);
}

gboolean
zc_layout_origin (GstBuffer *buffer, const GstVideoInfo *info,
    const gchar *where, guint *x, guint *y, GError **error)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  const GstVideoCropMeta *crop = gst_buffer_get_video_crop_meta (buffer);

  *x = *y = 0;
  if (!format_of (info, error))
    return FALSE;
  if (!meta)
    return TRUE;
  if (crop && !meta_is_of_size (meta, info)) {
    *x = crop->x;
    *y = crop->y;
  }
  if (meta_holds (meta, info, *x, *y))
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "The GstVideoMeta of the %s says %s %ux%u, which does not hold %s %dx%d "
      "at %u,%u, as the caps say; make them agree",
      where, gst_video_format_to_string (meta->format), meta->width,
      meta->height, GST_VIDEO_INFO_NAME (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), *x, *y);
  return FALSE;
}

gsize
zc_layout_start (const GstVideoInfo *info, guint plane, guint x, guint y,
    gsize offset, gint stride)
{
  const GstZcFormatPlane *p =
      &gst_zc_format_get (GST_VIDEO_INFO_FORMAT (info))->plane[plane];
  gsize skip = (gsize) (y >> p->h_sub) * stride +
      (gsize) (x >> p->w_sub) * p->n_channels * p->channel_bytes;

  return g_size_checked_add (&skip, offset, skip) ? skip : G_MAXSIZE;
}
