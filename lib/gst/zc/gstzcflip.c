/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcflip.h"

#include "gstzckernel.h"

/* Which source element the destination's (x, y) shows, as signs; a -1 counts
 * from the far end. GstVideoOrientationMethod says what each means. */
typedef struct
{
  gint8 a, b;                   /* sx = a * x + b * y */
  gint8 d, e;                   /* sy = d * x + e * y */
} Turn;

static const Turn turns[] = {
  [GST_VIDEO_ORIENTATION_IDENTITY] = { 1, 0, 0, 1 },
  [GST_VIDEO_ORIENTATION_90R] = { 0, 1, -1, 0 },
  [GST_VIDEO_ORIENTATION_180] = { -1, 0, 0, -1 },
  [GST_VIDEO_ORIENTATION_90L] = { 0, -1, 1, 0 },
  [GST_VIDEO_ORIENTATION_HORIZ] = { -1, 0, 0, 1 },
  [GST_VIDEO_ORIENTATION_VERT] = { 1, 0, 0, -1 },
  [GST_VIDEO_ORIENTATION_UL_LR] = { 0, 1, 1, 0 },
  [GST_VIDEO_ORIENTATION_UR_LL] = { 0, -1, -1, 0 },
};

static const Turn *
turn_of (GstVideoOrientationMethod orientation)
{
  return (guint) orientation < G_N_ELEMENTS (turns) ? &turns[orientation]
                                                    : NULL;
}

gboolean
gst_zc_orientation_transposes (GstVideoOrientationMethod orientation)
{
  const Turn *turn = turn_of (orientation);

  return turn && turn->a == 0;
}

GstVideoOrientationMethod
gst_zc_orientation_from_flip_code (gint flip_code)
{
  if (flip_code == 0)
    return GST_VIDEO_ORIENTATION_VERT;
  return flip_code > 0 ? GST_VIDEO_ORIENTATION_HORIZ
                       : GST_VIDEO_ORIENTATION_180;
}

static gboolean
check (const GstZcImage *dst, const GstZcImage *src,
    GstVideoOrientationMethod orientation, GstZcStream *stream, GError **error)
{
  gboolean swap = gst_zc_orientation_transposes (orientation);
  gint width = swap ? src->height : src->width;
  gint height = swap ? src->width : src->height;

  if (!turn_of (orientation) ||
      !gst_zc_format_can_orient (src->format, orientation)) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "A %s picture can't be turned so (orientation %d): convert it to a "
        "format with the same subsampling in both directions first",
        gst_video_format_to_string (src->format), orientation);
    return FALSE;
  }
  if (dst->format != src->format || dst->width != width ||
      dst->height != height) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "Turning a %s image of %dx%d gives %dx%d, not %s of %dx%d",
        gst_video_format_to_string (src->format), src->width, src->height,
        width, height, gst_video_format_to_string (dst->format), dst->width,
        dst->height);
    return FALSE;
  }
  if (MAX (width, height) > ZC_FLIP_MAX_SIZE) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "An image of %dx%d is larger than %d pixels", width, height,
        ZC_FLIP_MAX_SIZE);
    return FALSE;
  }
  if (dst->device != stream->key.context->device ||
      src->device != stream->key.context->device) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_WRONG_DEVICE,
        "Images of CUDA devices %d and %d can't be turned on a stream of "
        "device %d",
        src->device, dst->device, stream->key.context->device);
    return FALSE;
  }
  return TRUE;
}

static guint32
element_kind (GstVideoFormat format, const GstZcPlane *plane)
{
  switch (format) {
    case GST_VIDEO_FORMAT_YUY2:
      return ZC_FLIP_YUYV;
    case GST_VIDEO_FORMAT_UYVY:
      return ZC_FLIP_UYVY;
    default:
      return plane->n_channels * plane->channel_bytes;
  }
}

static void
fill_plane (ZcFlipPlane *args, const GstZcImage *dst, const GstZcImage *src,
    guint i, const Turn *turn)
{
  const GstZcPlane *to = &dst->plane[i], *from = &src->plane[i];
  /* The kernel counts packed 4:2:2 in pixels. */
  gboolean packed =
      gst_zc_format_get (src->format)->flags & GST_ZC_FORMAT_PACKED_422;
  gint from_width = packed ? src->width : from->width;

  args->src = from->data;
  args->dst = to->data;
  args->src_stride = from->row_stride;
  args->dst_stride = to->row_stride;
  args->width = packed ? dst->width : to->width;
  args->height = to->height;
  args->a = turn->a;
  args->b = turn->b;
  args->c = turn->a + turn->b < 0 ? from_width - 1 : 0;
  args->d = turn->d;
  args->e = turn->e;
  args->f = turn->d + turn->e < 0 ? from->height - 1 : 0;
  args->kind = element_kind (src->format, from);
}

gboolean
gst_zc_image_flip (const GstZcImage *dst, const GstZcImage *src,
    GstVideoOrientationMethod orientation, GstZcStream *stream, GError **error)
{
  ZcFlipArgs args = { .n_planes = src->n_planes };
  guint i;

  g_return_val_if_fail (dst != NULL, FALSE);
  g_return_val_if_fail (stream != NULL, FALSE);

  if (!check (dst, src, orientation, stream, error))
    return FALSE;
  for (i = 0; i < src->n_planes; i++)
    fill_plane (&args.plane[i], dst, src, i, turn_of (orientation));
  return zc_kernels_launch_flip (&stream->key, &args, error);
}

gboolean
gst_zc_frame_flip (GstZcFrame *dst, GstZcFrame *src,
    GstVideoOrientationMethod orientation, GError **error)
{
  if (!dst->buffer || !src->buffer || dst->stream != src->stream ||
      !(dst->flags & GST_MAP_WRITE) || !(src->flags & GST_MAP_READ)) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE,
        "Frames to turn must be mapped on one stream, for READ and for WRITE");
    return FALSE;
  }
  return gst_zc_image_flip (&dst->image, &src->image, orientation, dst->stream,
      error);
}
