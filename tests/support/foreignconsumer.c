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
  for (guint i = 0; i < seen->n_planes; i++) {
    for (gsize x = 0; x < seen->size; x++)
      g_assert_cmphex (seen->bytes[i][x], ==, value);
    cuda_test_free_pinned (seen->bytes[i]);
  }
}

ForeignSeen
foreign_read_frame (ForeignPicture *self, GstBuffer *buffer,
    GstZcStream *stream)
{
  g_autoptr (GError) error = NULL;
  GstVideoInfo info;
  GstZcFrame frame;
  ForeignSeen seen;

  foreign_picture_info (self, &info);
  gst_zc_frame_map (&frame, buffer, &info, GST_MAP_READ, stream, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < frame.image.n_planes; i++)
    g_assert_cmphex (frame.image.plane[i].data, ==, self->image.plane[i].data);
  seen = queue_read (stream, &frame.image);
  gst_zc_frame_unmap (&frame, &error);
  g_assert_no_error (error);
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

static GstZcStream *
bridge_of (GstMemory *memory)
{
  GstCudaMemory *cuda = (GstCudaMemory *) memory;
  g_autoptr (GError) error = NULL;
  GstCudaStream *stream = gst_cuda_memory_get_stream (cuda);
  GstZcStream *bridge;

  g_assert_nonnull (stream);
  bridge = gst_zc_stream_new_borrowed (cuda->context,
      gst_cuda_stream_get_handle (stream), &error);
  g_assert_no_error (error);
  return bridge;
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
  g_autoptr (GstZcStream) bridge =
      bridge_of (gst_buffer_peek_memory (buffer, 0));

  if (consumer == FOREIGN_CPU)
    expect_on_cpu (self, buffer, value);
  else
    consume_on_device (consumer, self, buffer,
        consumer == FOREIGN_BRIDGE ? bridge : stream, value);
}
