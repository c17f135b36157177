/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "picture.h"

static const ZcTurn turns[] = {
  { "identity", 1, 0, 0, 1 },
  { "90r", 0, 1, -1, 0 },
  { "180", -1, 0, 0, -1 },
  { "90l", 0, -1, 1, 0 },
  { "horiz", -1, 0, 0, 1 },
  { "vert", 1, 0, 0, -1 },
  { "ul-lr", 0, 1, 1, 0 },
  { "ur-ll", 0, -1, -1, 0 },
};

const ZcTurn *
zc_turns (guint *n)
{
  *n = G_N_ELEMENTS (turns);
  return turns;
}

/* Byte @b of a pixel of the source. */
static guint8
value (guint plane, gint x, gint y, gint b)
{
  guint32 hash = (plane * 31 + b * 7 + 1) * 2654435761u;

  hash ^= (guint32) x * 0x9e3779b1u;
  hash = (hash ^ hash >> 15) * 0x85ebca6bu;
  hash ^= (guint32) y * 0xc2b2ae35u;
  hash = (hash ^ hash >> 13) * 0x27d4eb2fu;
  return hash >> 24;
}

/* A plane as pixels of bytes: interleaved chroma is one of two. */
typedef struct
{
  gint width;
  gint height;
  gint bytes;
} Plane;

static Plane
plane_of (const GstVideoInfo *info, guint plane)
{
  gint components[GST_VIDEO_MAX_COMPONENTS];

  gst_video_format_info_component (info->finfo, plane, components);
  return (Plane) { GST_VIDEO_INFO_COMP_WIDTH (info, components[0]),
    GST_VIDEO_INFO_COMP_HEIGHT (info, components[0]),
    GST_VIDEO_INFO_COMP_PSTRIDE (info, components[0]) };
}

static guint8 *
pixel (GstVideoFrame *frame, guint plane, gint x, gint y, gint bytes)
{
  return (guint8 *) GST_VIDEO_FRAME_PLANE_DATA (frame, plane) +
      (gsize) y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, plane) +
      (gsize) x * bytes;
}

static void
draw (GstVideoFrame *frame, guint plane)
{
  Plane size = plane_of (&frame->info, plane);

  for (gint y = 0; y < size.height; y++)
    for (gint x = 0; x < size.width; x++)
      for (gint b = 0; b < size.bytes; b++)
        pixel (frame, plane, x, y, size.bytes)[b] = value (plane, x, y, b);
}

GstBuffer *
zc_picture_new (const GstVideoInfo *info)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, info->size, NULL);
  GstVideoFrame frame;

  if (!gst_video_frame_map (&frame, info, buffer, GST_MAP_WRITE))
    g_error ("new memory can't be mapped");
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++)
    draw (&frame, i);
  gst_video_frame_unmap (&frame);
  return buffer;
}

/* Where a pixel comes from; @source is the plane before the turn. */
static void
turn_back (const ZcTurn *turn, const Plane *source, gint x, gint y,
    gint *from_x, gint *from_y)
{
  *from_x = turn->xx * x + turn->xy * y +
      (turn->xx + turn->xy < 0 ? source->width - 1 : 0);
  *from_y = turn->yx * x + turn->yy * y +
      (turn->yx + turn->yy < 0 ? source->height - 1 : 0);
}

static gchar *
compare_pixel (GstVideoFrame *frame, guint plane, const Plane *source,
    const ZcTurn *turn, gint x, gint y)
{
  const guint8 *found = pixel (frame, plane, x, y, source->bytes);
  gint from_x, from_y;

  turn_back (turn, source, x, y, &from_x, &from_y);
  for (gint b = 0; b < source->bytes; b++) {
    guint8 expected = value (plane, from_x, from_y, b);

    if (found[b] != expected)
      return g_strdup_printf ("byte %d of the pixel at %d,%d of plane %u is "
                              "0x%02x, not 0x%02x",
          b, x, y, plane, found[b], expected);
  }
  return NULL;
}

static gchar *
compare_plane (GstVideoFrame *frame, const GstVideoInfo *source, guint plane,
    const ZcTurn *turn)
{
  Plane before = plane_of (source, plane);
  Plane size = plane_of (&frame->info, plane);
  gchar *difference = NULL;

  for (gint y = 0; y < size.height && difference == NULL; y++)
    for (gint x = 0; x < size.width && difference == NULL; x++)
      difference = compare_pixel (frame, plane, &before, turn, x, y);
  return difference;
}

/* (nullable) */
static gchar *
compare_size (const GstVideoInfo *info, gint width, gint height,
    const ZcTurn *turn)
{
  gint out_width = turn->xx != 0 ? width : height;
  gint out_height = turn->xx != 0 ? height : width;

  if (info->width == out_width && info->height == out_height)
    return NULL;
  return g_strdup_printf ("the picture is %dx%d, not %dx%d", info->width,
      info->height, out_width, out_height);
}

gchar *
zc_picture_compare (GstSample *sample, GstVideoFormat format, gint width,
    gint height, const ZcTurn *turn)
{
  GstVideoInfo source, info;
  GstVideoFrame frame;
  gchar *difference;

  gst_video_info_set_format (&source, format, width, height);
  if (!gst_video_info_from_caps (&info, gst_sample_get_caps (sample)))
    return g_strdup ("what came out is no raw video");
  difference = compare_size (&info, width, height, turn);
  if (difference != NULL)
    return difference;
  if (!gst_video_frame_map (&frame, &info, gst_sample_get_buffer (sample),
          GST_MAP_READ))
    return g_strdup ("the picture can't be mapped");
  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (&info) && difference == NULL;
      i++)
    difference = compare_plane (&frame, &source, i, turn);
  gst_video_frame_unmap (&frame);
  return difference;
}
