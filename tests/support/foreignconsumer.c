/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "foreignconsumer.h"

#include <gst/cuda/gstcudamemory.h>

#include "frametest.h"

const gchar *
foreign_consumer_name (ForeignConsumer consumer)
{
  static const gchar *const names[] = { "frame", "bridge", "sync", "cpu",
    "wait" };

  return names[consumer];
}

void
foreign_assert_no_copy (ForeignPicture *self, GstBuffer *buffer,
    GstMapFlags flags)
{
  g_autoptr (GstZcStream) stream = frame_test_stream (self->context);
  GstVideoInfo info;
  GstZcFrame frame;

  foreign_picture_info (self, &info);
  frame_test_map (&frame, buffer, &info, flags, stream);
  for (guint i = 0; i < frame.image.n_planes; i++) {
    const GstZcPlane *a = &frame.image.plane[i];
    const GstZcPlane *b = &self->image.plane[i];

    g_assert_cmphex (a->data, ==, b->data);
    if (a->height > 1)
      g_assert_cmpint (a->row_stride, ==, b->row_stride);
    g_assert_cmpint (a->width, ==, b->width);
    g_assert_cmpint (a->height, ==, b->height);
  }
  frame_test_unmap (&frame);
}

void
foreign_assert_on_cpu (ForeignPicture *self, GstBuffer *buffer,
    const RefFrame *frame, guint turned)
{
  GstVideoFrame got;
  GstVideoInfo info;

  foreign_picture_info (self, &info);
  g_assert_true (gst_video_frame_map (&got, &info, buffer, GST_MAP_READ));
  for (guint i = 0; i < frame->n_planes; i++) {
    const RefPlane *plane = &frame->plane[i];
    const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (&got, i);

    for (gint row = 0; row < plane->height; row++) {
      gint from = turned & (1u << i) ? plane->height - 1 - row : row;

      g_assert_cmpmem (data + row * GST_VIDEO_FRAME_PLANE_STRIDE (&got, i),
          ref_plane_row_bytes (plane), plane->data + from * plane->stride,
          ref_plane_row_bytes (plane));
    }
  }
  gst_video_frame_unmap (&got);
}

static ForeignSeen
queue_read (GstZcStream *stream, const GstZcImage *image)
{
  ForeignSeen seen = { image->n_planes,
    gst_zc_plane_row_bytes (&image->plane[0]) };

  for (guint i = 0; i < image->n_planes; i++) {
    GstZcImage plane = { .n_planes = 1, .plane = { image->plane[i] } };

    seen.bytes[i] = cuda_test_read (stream, &plane, seen.size);
  }
  return seen;
}

void
foreign_seen_assert (ForeignSeen *seen, guint8 value)
{
  for (guint i = 0; i < seen->n_planes; i++)
    frame_test_expect (seen->bytes[i], seen->size, value);
}

ForeignSeen
foreign_read_frame (ForeignPicture *self, GstBuffer *buffer,
    GstZcStream *stream)
{
  GstVideoInfo info;
  GstZcFrame frame;
  ForeignSeen seen;

  foreign_picture_info (self, &info);
  frame_test_map (&frame, buffer, &info, GST_MAP_READ, stream);
  for (guint i = 0; i < frame.image.n_planes; i++)
    g_assert_cmphex (frame.image.plane[i].data, ==, self->image.plane[i].data);
  seen = queue_read (stream, &frame.image);
  frame_test_unmap (&frame);
  return seen;
}

static ForeignSeen
read_after_wait (ForeignPicture *self, GstBuffer *buffer, GstZcStream *stream)
{
  g_autoptr (GError) error = NULL;
  ForeignSeen seen;

  gst_zc_buffer_wait (buffer, GST_MAP_READ, stream, &error);
  g_assert_no_error (error);
  seen = queue_read (stream, &self->image);
  gst_zc_buffer_mark_read (buffer, stream, &error);
  g_assert_no_error (error);
  return seen;
}

/* As elements that know nothing of us begin. */
static void
map_foreign (GstBuffer *buffer, gboolean sync)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);
    GstMapInfo map;

    g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ | GST_MAP_CUDA));
    if (sync)
      gst_cuda_memory_sync ((GstCudaMemory *) memory);
    gst_memory_unmap (memory, &map);
  }
}

static void
expect_on_cpu (ForeignPicture *self, GstBuffer *buffer, guint8 value)
{
  GstVideoFrame frame;
  GstVideoInfo info;

  foreign_picture_info (self, &info);
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  for (gint i = 0; i < (gint) GST_VIDEO_FRAME_N_PLANES (&frame); i++) {
    const guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (&frame, i);

    for (gint x = 0; x < info.width; x++)
      g_assert_cmphex (data[x], ==, value);
  }
  gst_video_frame_unmap (&frame);
}

static void
consume_on_device (ForeignConsumer consumer, ForeignPicture *self,
    GstBuffer *buffer, GstZcStream *stream, guint8 value)
{
  ForeignSeen seen;

  if (consumer == FOREIGN_FRAME) {
    seen = foreign_read_frame (self, buffer, stream);
  } else if (consumer == FOREIGN_WAIT) {
    seen = read_after_wait (self, buffer, stream);
  } else {
    map_foreign (buffer, consumer == FOREIGN_SYNC);
    seen = queue_read (stream, &self->image);
  }
  frame_test_synchronize (stream);
  foreign_seen_assert (&seen, value);
}

void
foreign_consume (ForeignConsumer consumer, ForeignPicture *self,
    GstBuffer *buffer, GstZcStream *stream, guint8 value)
{
  g_autoptr (GstZcStream) bridge = frame_test_bridge (buffer);

  if (consumer == FOREIGN_CPU)
    expect_on_cpu (self, buffer, value);
  else
    consume_on_device (consumer, self, buffer,
        consumer == FOREIGN_BRIDGE ? bridge : stream, value);
}
