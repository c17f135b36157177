/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "frametest.h"

#include <gst/cuda/gstcudamemory.h>
#include <string.h>

GstZcStream *
frame_test_stream (GstCudaContext *context)
{
  g_autoptr (GError) error = NULL;
  GstZcStream *stream = gst_zc_stream_new (context, &error);

  g_assert_no_error (error);
  return stream;
}

void
frame_test_synchronize (GstZcStream *stream)
{
  g_autoptr (GError) error = NULL;

  gst_zc_stream_synchronize (stream, &error);
  g_assert_no_error (error);
}

GstZcStream *
frame_test_bridge (GstBuffer *buffer)
{
  GstCudaMemory *memory = (GstCudaMemory *) gst_buffer_peek_memory (buffer, 0);
  GstCudaStream *stream = gst_cuda_memory_get_stream (memory);
  g_autoptr (GError) error = NULL;
  GstZcStream *bridge;

  g_assert_nonnull (stream);
  bridge = gst_zc_stream_new_borrowed (memory->context,
      gst_cuda_stream_get_handle (stream), &error);
  g_assert_no_error (error);
  return bridge;
}

void
frame_test_map (GstZcFrame *frame, GstBuffer *buffer, const GstVideoInfo *info,
    GstMapFlags flags, GstZcStream *stream)
{
  g_autoptr (GError) error = NULL;

  gst_zc_frame_map (frame, buffer, info, flags, stream, &error);
  g_assert_no_error (error);
}

void
frame_test_unmap (GstZcFrame *frame)
{
  g_autoptr (GError) error = NULL;

  gst_zc_frame_unmap (frame, &error);
  g_assert_no_error (error);
}

void
frame_test_write (GstBuffer *buffer, const GstVideoInfo *info,
    GstZcStream *stream, guint8 value)
{
  GstZcFrame frame;

  frame_test_map (&frame, buffer, info, GST_MAP_WRITE, stream);
  cuda_test_fill (stream, &frame.image, value);
  frame_test_unmap (&frame);
}

guint8 *
frame_test_read (GstBuffer *buffer, const GstVideoInfo *info,
    GstZcStream *stream, gsize size)
{
  GstZcFrame frame;
  guint8 *bytes;

  frame_test_map (&frame, buffer, info, GST_MAP_READ, stream);
  bytes = cuda_test_read (stream, &frame.image, size);
  frame_test_unmap (&frame);
  return bytes;
}

guint8 *
frame_test_read_untold (GstBuffer *buffer, GstZcStream *stream, gsize size)
{
  GstZcImage image = { 0 };
  GstMapInfo map;
  guint8 *bytes;

  cuda_test_push (gst_zc_stream_get_context (stream));
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ | GST_MAP_CUDA));
  image.plane[0].data = (guintptr) map.data;
  bytes = cuda_test_read (stream, &image, size);
  gst_buffer_unmap (buffer, &map);
  cuda_test_pop ();
  return bytes;
}

void
frame_test_expect (guint8 *bytes, gsize size, guint8 value)
{
  for (gsize i = 0; i < size; i++)
    g_assert_cmphex (bytes[i], ==, value);
  cuda_test_free_pinned (bytes);
}

void
frame_test_expect_on (GstZcStream *stream, guint8 *bytes, gsize size,
    guint8 value)
{
  frame_test_synchronize (stream);
  frame_test_expect (bytes, size, value);
}

void
frame_test_expect_error (GError **error, GstZcError code)
{
  g_assert_error (*error, GST_ZC_ERROR, (gint) code);
  g_clear_error (error);
}

void
frame_test_assert_refused (const GError *error, GstZcError code,
    const gchar *word)
{
  g_assert_error (error, GST_ZC_ERROR, (gint) code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, word));
}
