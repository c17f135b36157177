/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcflip.h"

#include "gstzcflipkernel.h"

/* How x and y of a destination element step through the source, -1 backwards:
 * sx = a x + b y, sy = d x + e y, from the end that they step away from. */
typedef struct
{
  gint8 a, b, d, e;
} Steps;

static const Steps steps[] = {
  [GST_VIDEO_ORIENTATION_IDENTITY] = { 1, 0, 0, 1 },
  [GST_VIDEO_ORIENTATION_90R] = { 0, 1, -1, 0 },
  [GST_VIDEO_ORIENTATION_180] = { -1, 0, 0, -1 },
  [GST_VIDEO_ORIENTATION_90L] = { 0, -1, 1, 0 },
  [GST_VIDEO_ORIENTATION_HORIZ] = { -1, 0, 0, 1 },
  [GST_VIDEO_ORIENTATION_VERT] = { 1, 0, 0, -1 },
  [GST_VIDEO_ORIENTATION_UL_LR] = { 0, 1, 1, 0 },
  [GST_VIDEO_ORIENTATION_UR_LL] = { 0, -1, -1, 0 },
};

static gboolean
is_one_of_eight (GstVideoOrientationMethod orientation)
{
  return (guint) orientation < G_N_ELEMENTS (steps);
}

gboolean
gst_zc_orientation_transposes (GstVideoOrientationMethod orientation)
{
  return is_one_of_eight (orientation) && steps[orientation].a == 0;
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
check_orientation (const GstZcImage *src, GstVideoOrientationMethod orientation,
    GError **error)
{
  if (!is_one_of_eight (orientation)) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "Orientation %d is none of the eight; resolve AUTO before flipping",
        orientation);
    return FALSE;
  }
  if (gst_zc_format_can_orient (src->format, orientation))
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
      "%s can't be turned by 90 degrees: its chroma is halved in one direction "
      "only; convert it first, for instance to I420",
      gst_video_format_to_string (src->format));
  return FALSE;
}

static gboolean
check_sizes (const GstZcImage *dst, const GstZcImage *src, gboolean turn,
    GError **error)
{
  if (dst->format == src->format &&
      dst->width == (turn ? src->height : src->width) &&
      dst->height == (turn ? src->width : src->height))
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "A flip from %s %dx%d to %s %dx%d: the format must stay and the size "
      "must be %s",
      gst_video_format_to_string (src->format), src->width, src->height,
      gst_video_format_to_string (dst->format), dst->width, dst->height,
      turn ? "swapped" : "the same");
  return FALSE;
}

static gboolean
check_devices (const GstZcImage *dst, const GstZcImage *src,
    const GstZcStream *stream, GError **error)
{
  gint device = stream->key.context->device;

  if (dst->device == device && src->device == device)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_WRONG_DEVICE,
      "A flip from CUDA device %d to %d on a stream of device %d: all three "
      "must "
      "be one device",
      src->device, dst->device, device);
  return FALSE;
}

static uint32_t
element_kind (const GstZcImage *image, const GstZcPlane *plane)
{
  const GstVideoFormatInfo *info;

  if (!(gst_zc_format_get (image->format)->flags & GST_ZC_FORMAT_PACKED_422))
    return plane->pixel_stride;
  info = gst_video_format_get_info (image->format);
  return GST_VIDEO_FORMAT_INFO_POFFSET (info, GST_VIDEO_COMP_Y) == 0
      ? ZC_FLIP_YUYV
      : ZC_FLIP_UYVY;
}

/* Packed 4:2:2 is flipped by pixels, though a plane counts macropixels. */
static ZcFlipPlane
plane_args (const GstZcImage *dst, const GstZcImage *src, guint i,
    const Steps *step)
{
  const GstZcPlane *to = &dst->plane[i];
  const GstZcPlane *from = &src->plane[i];
  uint32_t kind = element_kind (src, from);
  gint width = kind >= ZC_FLIP_422 ? src->width : from->width;

  return (ZcFlipPlane) {
    .src = from->data,
    .dst = to->data,
    .src_stride = from->row_stride,
    .dst_stride = to->row_stride,
    .width = kind >= ZC_FLIP_422 ? dst->width : to->width,
    .height = to->height,
    .a = step->a,
    .b = step->b,
    .c = step->a + step->b < 0 ? width - 1 : 0,
    .d = step->d,
    .e = step->e,
    .f = step->d + step->e < 0 ? from->height - 1 : 0,
    .kind = kind,
  };
}

gboolean
gst_zc_image_flip (const GstZcImage *dst, const GstZcImage *src,
    GstVideoOrientationMethod orientation, GstZcStream *stream, GError **error)
{
  ZcFlipArgs args = { .n_planes = src->n_planes };

  if (!check_orientation (src, orientation, error) ||
      !check_sizes (dst, src, gst_zc_orientation_transposes (orientation),
          error) ||
      !check_devices (dst, src, stream, error))
    return FALSE;
  for (guint i = 0; i < src->n_planes; i++)
    args.plane[i] = plane_args (dst, src, i, &steps[orientation]);
  return zc_kernels_launch_flip (&stream->key, &args, error);
}

static gboolean
check_frames (const GstZcFrame *dst, const GstZcFrame *src, GError **error)
{
  const gchar *wrong = NULL;

  if (!dst->stream || !(dst->flags & GST_MAP_WRITE))
    wrong = "the destination is not mapped for WRITE";
  else if (!src->stream || !(src->flags & GST_MAP_READ))
    wrong = "the source is not mapped for READ";
  else if (!zc_stream_key_equal (&dst->stream->key, &src->stream->key))
    wrong = "the two frames are mapped on different streams";
  if (!wrong)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE,
      "Can't flip: %s; map both with gst_zc_frame_map() on one stream first",
      wrong);
  return FALSE;
}

gboolean
gst_zc_frame_flip (GstZcFrame *dst, GstZcFrame *src,
    GstVideoOrientationMethod orientation, GError **error)
{
  return check_frames (dst, src, error) &&
      gst_zc_image_flip (&dst->image, &src->image, orientation, dst->stream,
          error);
}
