/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "soakmark.h"

#include <gst/video/video.h>
#include <string.h>

static gboolean
get_info (GstPad *pad, GstVideoInfo *info, gboolean *on_device)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (pad);

  if (caps == NULL || !gst_video_info_from_caps (info, caps))
    return FALSE;
  *on_device = gst_caps_features_contains (gst_caps_get_features (caps, 0),
      "memory:CUDAMemory");
  return TRUE;
}

/* The first plane's pixel; returns its bytes. */
static gsize
mark_of (GstBuffer *buffer, const GstVideoInfo *info, guint8 *mark)
{
  guint64 time = GST_BUFFER_PTS (buffer) / GST_MSECOND;
  gsize bytes = (gsize) GST_VIDEO_INFO_COMP_PSTRIDE (info, 0);

  for (gsize i = 0; i < bytes; i++)
    mark[i] = (guint8) ((time * 0x9e3779b97f4a7c15u) >> (56 - 8 * (i % 8)));
  return bytes;
}

static guint8 *
pixel_at (GstVideoFrame *frame, gint x, gint y)
{
  guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (frame, 0);

  return data + y * GST_VIDEO_FRAME_PLANE_STRIDE (frame, 0) +
      x * GST_VIDEO_FRAME_COMP_PSTRIDE (frame, 0);
}

void
soak_mark (GstPad *pad, GstBuffer *buffer)
{
  GstVideoFrame frame;
  GstVideoInfo info;
  gboolean on_device;
  guint8 mark[16];

  if (!get_info (pad, &info, &on_device) ||
      !gst_video_frame_map (&frame, &info, buffer, GST_MAP_READWRITE))
    return;
  memcpy (pixel_at (&frame, 0, 0), mark, mark_of (buffer, &info, mark));
  gst_video_frame_unmap (&frame);
}

static gboolean
has_mark (GstVideoFrame *frame, const guint8 *mark, gsize bytes)
{
  gint right = GST_VIDEO_FRAME_WIDTH (frame) - 1;
  gint bottom = GST_VIDEO_FRAME_HEIGHT (frame) - 1;

  for (guint corner = 0; corner < 4; corner++) {
    const guint8 *pixel =
        pixel_at (frame, corner & 1 ? right : 0, corner & 2 ? bottom : 0);

    if (memcmp (pixel, mark, bytes) == 0)
      return TRUE;
  }
  return FALSE;
}

gboolean
soak_mark_is_there (GstPad *pad, GstBuffer *buffer, gint n)
{
  GstVideoFrame frame;
  GstVideoInfo info;
  gboolean on_device, ok;
  guint8 mark[16];
  gsize bytes;

  if (!get_info (pad, &info, &on_device))
    return FALSE;
  if (on_device && n % SOAK_MARK_EVERY != 0)
    return TRUE;
  if (!gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ))
    return FALSE;
  bytes = mark_of (buffer, &info, mark);
  ok = has_mark (&frame, mark, bytes);
  gst_video_frame_unmap (&frame);
  return ok;
}
