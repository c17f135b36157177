/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/*
 * The rule for packed 4:2:2, which is videoflip's. A pixel is its luma; chroma
 * belongs to the macropixel, the pixels 2 m and 2 m + 1 of a row.
 *
 * + Luma goes where the pixel goes.
 * + Rows that stay rows: the chroma of the destination's macropixel m is that
 *   of the source's macropixel which holds the source of pixel 2 m.
 * + Rows that become columns: it is the mean, rounded down, of the two source
 *   macropixels that hold the sources of the pixels 2 m and 2 m + 1; of the
 *   first alone where the width is odd and there is no second.
 * + An odd row ends with a luma byte that is no pixel. It is copied along with
 *   a row that keeps its direction, and repeats its neighbour otherwise.
 */
#include "reference.h"

typedef struct
{
  gint x, y;
} Point;

gboolean
ref_is_transposing (GstVideoOrientationMethod orientation)
{
  return orientation == GST_VIDEO_ORIENTATION_90R ||
      orientation == GST_VIDEO_ORIENTATION_90L ||
      orientation == GST_VIDEO_ORIENTATION_UL_LR ||
      orientation == GST_VIDEO_ORIENTATION_UR_LL;
}

static gboolean
reverses_rows (GstVideoOrientationMethod orientation)
{
  return orientation == GST_VIDEO_ORIENTATION_HORIZ ||
      orientation == GST_VIDEO_ORIENTATION_180;
}

/* The element of a w x h source that the destination's (x, y) comes from */
static Point
source_of (GstVideoOrientationMethod orientation, gint w, gint h, gint x,
    gint y)
{
  switch (orientation) {
    case GST_VIDEO_ORIENTATION_IDENTITY:
      return (Point) { x, y };
    case GST_VIDEO_ORIENTATION_90R:
      return (Point) { y, h - 1 - x };
    case GST_VIDEO_ORIENTATION_180:
      return (Point) { w - 1 - x, h - 1 - y };
    case GST_VIDEO_ORIENTATION_90L:
      return (Point) { w - 1 - y, x };
    case GST_VIDEO_ORIENTATION_HORIZ:
      return (Point) { w - 1 - x, y };
    case GST_VIDEO_ORIENTATION_VERT:
      return (Point) { x, h - 1 - y };
    case GST_VIDEO_ORIENTATION_UL_LR:
      return (Point) { y, x };
    case GST_VIDEO_ORIENTATION_UR_LL:
      return (Point) { w - 1 - y, h - 1 - x };
    default:
      g_assert_not_reached ();
  }
}

static guint8 *
byte_at (const RefPlane *plane, gint byte, gint y)
{
  return plane->data + y * plane->stride + byte;
}

static void
flip_plain (RefPlane *dst, const RefPlane *src,
    GstVideoOrientationMethod orientation)
{
  for (gint y = 0; y < dst->height; y++) {
    for (gint x = 0; x < dst->width; x++) {
      Point s = source_of (orientation, src->width, src->height, x, y);

      for (gint b = 0; b < dst->bytes; b++)
        *byte_at (dst, x * dst->bytes + b, y) =
            *byte_at (src, s.x * src->bytes + b, s.y);
    }
  }
}

static guint8 *
luma_at (const RefPlane *plane, gint x, gint y)
{
  return byte_at (plane, 2 * x + (plane->packing == REF_UYVY), y);
}

/* Chroma which (0 or 1) of the macropixel that x belongs to */
static guint8 *
chroma_at (const RefPlane *plane, gint x, gint y, gint which)
{
  return byte_at (plane, x / 2 * 4 + 2 * which + (plane->packing == REF_YUYV),
      y);
}

static guint8
chroma_of (const RefPlane *src, Point first, Point second, gint which)
{
  guint a = *chroma_at (src, first.x, first.y, which);
  guint b = *chroma_at (src, second.x, second.y, which);

  return (guint8) ((a + b) / 2);
}

static void
flip_macropixel (RefPlane *dst, const RefPlane *src,
    GstVideoOrientationMethod orientation, gint x, gint y)
{
  gboolean two = x + 1 < dst->width;
  Point first = source_of (orientation, src->width, src->height, x, y);
  Point second = first;
  Point mate;

  if (two)
    second = source_of (orientation, src->width, src->height, x + 1, y);
  mate = ref_is_transposing (orientation) ? second : first;
  *luma_at (dst, x, y) = *luma_at (src, first.x, first.y);
  *luma_at (dst, x + 1, y) = *luma_at (src, second.x, second.y);
  if (!two && !ref_is_transposing (orientation) && !reverses_rows (orientation))
    *luma_at (dst, x + 1, y) = *luma_at (src, first.x + 1, first.y);
  for (gint which = 0; which < 2; which++)
    *chroma_at (dst, x, y, which) = chroma_of (src, first, mate, which);
}

void
ref_plane_flip (RefPlane *dst, const RefPlane *src,
    GstVideoOrientationMethod orientation)
{
  gboolean turn = ref_is_transposing (orientation);

  g_assert_cmpint (dst->width, ==, turn ? src->height : src->width);
  g_assert_cmpint (dst->height, ==, turn ? src->width : src->height);
  g_assert_cmpint (dst->bytes, ==, src->bytes);
  g_assert_cmpint (dst->packing, ==, src->packing);

  if (dst->packing == REF_PLAIN) {
    flip_plain (dst, src, orientation);
    return;
  }
  for (gint y = 0; y < dst->height; y++) {
    for (gint x = 0; x < dst->width; x += 2)
      flip_macropixel (dst, src, orientation, x, y);
  }
}

void
ref_frame_flip (RefFrame *dst, const RefFrame *src,
    GstVideoOrientationMethod orientation)
{
  g_assert_cmpint (dst->format, ==, src->format);
  g_assert_true (ref_is_defined (src->format, orientation));

  for (guint i = 0; i < dst->n_planes; i++)
    ref_plane_flip (&dst->plane[i], &src->plane[i], orientation);
}
