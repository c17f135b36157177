/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcimage-private.h"

/* Elements that hold @pixels, of which 2^@sub share one. */
static gint
elements (gint pixels, guint sub)
{
  return (gint) (((guint) pixels + (1u << sub) - 1) >> sub);
}

void
zc_plane_size_init (ZcPlaneSize *size, const GstZcFormat *format, guint plane,
    gint width, gint height)
{
  const GstZcFormatPlane *p = &format->plane[plane];

  size->width = elements (width, p->w_sub);
  size->height = elements (height, p->h_sub);
  size->row_bytes = (gsize) size->width * p->n_channels * p->channel_bytes;
}

/* The last row needs no padding. */
static gsize
extent (const ZcPlaneSize *size, gint stride)
{
  return (gsize) stride * (size->height - 1) + size->row_bytes;
}

gboolean
zc_plane_size_check (const ZcPlaneSize *size, guint plane, gint stride,
    gsize available, const gchar *where, GError **error)
{
  gsize needed;

  if (stride < 0 || (gsize) stride < size->row_bytes) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "Plane %u of the %s has a stride of %d bytes, but its rows have "
        "%" G_GSIZE_FORMAT " bytes; correct the GstVideoMeta of the buffer",
        plane, where, stride, size->row_bytes);
    return FALSE;
  }
  needed = extent (size, stride);
  if (needed > available) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "Plane %u of the %s needs %" G_GSIZE_FORMAT " bytes (%d rows, stride "
        "%d bytes), but its memory has %" G_GSIZE_FORMAT " from there on; "
        "correct the GstVideoMeta or the size of the buffer",
        plane, where, needed, size->height, stride, available);
    return FALSE;
  }
  return TRUE;
}

static void
plane_init (GstZcPlane *plane, const GstZcFormatPlane *format,
    const ZcPlaneSize *size)
{
  plane->pixel_stride = format->n_channels * format->channel_bytes;
  plane->width = size->width;
  plane->height = size->height;
  plane->n_channels = format->n_channels;
  plane->channel_bytes = format->channel_bytes;
}

/* All but addresses and strides. */
static gboolean
image_init_shape (GstZcImage *image, GstVideoFormat format, gint width,
    gint height, gint device, GError **error)
{
  const GstZcFormat *row = gst_zc_format_get (format);
  ZcPlaneSize size;

  if (row == NULL) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "Format %s is not served; convert to one that gst_zc_format_list() has",
        gst_video_format_to_string (format));
    return FALSE;
  }
  if (width < 1 || height < 1) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "An image of %dx%d pixels can't be described; give it a size", width,
        height);
    return FALSE;
  }
  *image = (GstZcImage) { .format = format,
    .width = width,
    .height = height,
    .n_planes = row->n_planes,
    .device = device };
  for (guint i = 0; i < row->n_planes; i++) {
    zc_plane_size_init (&size, row, i, width, height);
    plane_init (&image->plane[i], &row->plane[i], &size);
  }
  return TRUE;
}

static guint64
magnitude (gint64 stride)
{
  return stride < 0 ? -(guint64) stride : (guint64) stride;
}

gsize
gst_zc_plane_row_bytes (const GstZcPlane *plane)
{
  return (gsize) plane->pixel_stride * (plane->width - 1) +
      (gsize) plane->n_channels * plane->channel_bytes;
}

gsize
gst_zc_plane_extent (const GstZcPlane *plane)
{
  return magnitude (plane->row_stride) * (plane->height - 1) +
      gst_zc_plane_row_bytes (plane);
}

/* No address and no distance between two is 2^63 or more. */
static gboolean
fits_in_memory (const GstZcPlane *plane, gsize row_bytes)
{
  guint64 rows, end;

  if (!g_uint64_checked_mul (&rows, magnitude (plane->row_stride),
          plane->height - 1) ||
      rows > G_MAXINT64 || plane->row_stride == G_MININT64)
    return FALSE;
  if (plane->row_stride < 0 ? rows >= plane->data
                            : !g_uint64_checked_add (&rows, rows, plane->data))
    return FALSE;
  return g_uint64_checked_add (&end, MAX (rows, plane->data), row_bytes);
}

static gboolean
plane_check (const GstZcPlane *plane, guint index, GError **error)
{
  gsize row_bytes = gst_zc_plane_row_bytes (plane);

  if (plane->data == 0) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "Plane %u has no address; give the device address of each plane",
        index);
    return FALSE;
  }
  if (magnitude (plane->row_stride) < row_bytes) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "Plane %u has a stride of %" G_GINT64_FORMAT " bytes, but its rows "
        "have %" G_GSIZE_FORMAT " bytes; give strides in bytes",
        index, plane->row_stride, row_bytes);
    return FALSE;
  }
  if (!fits_in_memory (plane, row_bytes)) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "Plane %u has %d rows with a stride of %" G_GINT64_FORMAT " bytes, "
        "which is more than there are addresses; correct address and stride",
        index, plane->height, plane->row_stride);
    return FALSE;
  }
  return TRUE;
}

gboolean
gst_zc_image_init (GstZcImage *image, GstVideoFormat format, gint width,
    gint height, gint device, const guint64 *data, const gint64 *row_stride,
    GError **error)
{
  if (!image_init_shape (image, format, width, height, device, error))
    return FALSE;
  for (guint i = 0; i < image->n_planes; i++) {
    image->plane[i].data = data[i];
    image->plane[i].row_stride = row_stride[i];
    if (!plane_check (&image->plane[i], i, error))
      return FALSE;
  }
  return TRUE;
}

gboolean
gst_zc_image_init_packed (GstZcImage *image, GstVideoFormat format, gint width,
    gint height, gint device, guint64 data, gsize *size, GError **error)
{
  guint64 next = data;

  if (!image_init_shape (image, format, width, height, device, error))
    return FALSE;
  for (guint i = 0; i < image->n_planes; i++) {
    GstZcPlane *plane = &image->plane[i];

    plane->data = next;
    plane->row_stride = gst_zc_plane_row_bytes (plane);
    if (!plane_check (plane, i, error))
      return FALSE;
    next += gst_zc_plane_extent (plane);
  }
  if (size != NULL)
    *size = next - data;
  return TRUE;
}

void
gst_zc_image_get_plane (const GstZcImage *image, guint index, GstZcPlane *plane)
{
  g_return_if_fail (index < image->n_planes);

  *plane = image->plane[index];
}

gboolean
zc_image_init_from_planes (GstZcImage *image, const GstVideoInfo *info,
    gint device, const gint *stride, const ZcPlaneMemory *where, GError **error)
{
  const GstZcFormat *row = gst_zc_format_get (GST_VIDEO_INFO_FORMAT (info));
  ZcPlaneSize size;

  if (!image_init_shape (image, GST_VIDEO_INFO_FORMAT (info),
          GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info), device,
          error))
    return FALSE;
  for (guint i = 0; i < image->n_planes; i++) {
    zc_plane_size_init (&size, row, i, image->width, image->height);
    if (!zc_plane_size_check (&size, i, stride[i], where[i].available,
            "device buffer", error))
      return FALSE;
    image->plane[i].data = where[i].base;
    image->plane[i].row_stride = stride[i];
  }
  return TRUE;
}
