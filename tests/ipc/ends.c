/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "ends.h"

#include <stdio.h>
#include <string.h>

void
ipc_frame (RefFrame *frame, GstVideoFormat format, guint number)
{
  guint32 word = number;

  ref_frame_init (frame, format, IPC_WIDTH, IPC_HEIGHT, REF_TIGHT);
  ref_frame_fill_random (frame, number);
  memcpy (frame->plane[0].data, &word, sizeof word);
}

guint
ipc_number (GstVideoFormat format, GstBuffer *buffer)
{
  guint32 word = 0;
  GstVideoFrame frame;
  GstVideoInfo info;

  gst_video_info_set_format (&info, format, IPC_WIDTH, IPC_HEIGHT);
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  memcpy (&word, GST_VIDEO_FRAME_PLANE_DATA (&frame, 0), sizeof word);
  gst_video_frame_unmap (&frame);
  return word;
}

void
ipc_say (const gchar *format, ...)
{
  va_list args;

  va_start (args, format);
  vprintf (format, args);
  va_end (args);
  putchar ('\n');
  fflush (stdout);
}

gboolean
ipc_says_error (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  GstMessage *message;
  guint n = 0;

  while ((message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR)) != NULL) {
    g_autoptr (GError) error = NULL;

    gst_message_parse_error (message, &error, NULL);
    ipc_say ("error: %s", error->message);
    gst_message_unref (message);
    n++;
  }
  return n > 0;
}
