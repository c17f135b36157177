/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Pictures read on streams that nobody tells: the next writer comes after all
 * such readers, whatever the driver has for that. */

#include <cuda.h>
#include <gst/cuda/gstcudamemory.h>

#include "cudapanel.h"
#include "frametest.h"

#define SIZE 64
#define DELAY_MS 60
#define OLD 0x11
#define NEW 0x22

typedef struct
{
  GstCudaContext *context;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstZcStream *writer;
} Fixture;

static gboolean
fixture_init (Fixture *self, GstCudaContext *context)
{
  if (!context)
    return FALSE;
  self->context = context;
  self->pool =
      cuda_test_pool (context, GST_VIDEO_FORMAT_RGBA, SIZE / 4, 4, &self->info);
  self->buffer = cuda_test_acquire (self->pool);
  self->writer = frame_test_stream (context);
  frame_test_write (self->buffer, &self->info, self->writer, OLD);
  frame_test_synchronize (self->writer);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  gst_clear_buffer (&self->buffer);
  gst_buffer_pool_set_active (self->pool, FALSE);
  gst_object_unref (self->pool);
  gst_zc_stream_unref (self->writer);
  gst_object_unref (self->context);
}

/* Through the pool, which takes note of readers. */
static void
recycle (Fixture *self)
{
  GstMemory *memory = gst_buffer_peek_memory (self->buffer, 0);

  gst_clear_buffer (&self->buffer);
  self->buffer = cuda_test_acquire (self->pool);
  g_assert_true (gst_buffer_peek_memory (self->buffer, 0) == memory);
}

/* What @reader sees is what was there before the next picture. */
static guint8 *
read_late (Fixture *self, GstZcStream *reader)
{
  cuda_test_delay (reader, DELAY_MS);
  return frame_test_read_untold (self->buffer, reader, SIZE);
}

static void
overwrite (Fixture *self)
{
  frame_test_write (self->buffer, &self->info, self->writer, NEW);
  frame_test_synchronize (self->writer);
}

static void
expect (GstZcStream *reader, guint8 *bytes)
{
  frame_test_synchronize (reader);
  frame_test_expect (bytes, SIZE, OLD);
}

/* The first reader's stream is seen by an event for all streams only, and the
 * second one's by one on the legacy stream: that one comes after less. */
static void
test_event_then_legacy (void)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  GstZcStream *first, *second;
  guint8 *seen, *also;
  Fixture self;

  if (!panel || !fixture_init (&self, cuda_test_context (0)))
    return;
  first = frame_test_stream (self.context);
  second = cuda_test_blocking_stream (self.context);
  seen = read_late (&self, first);
  recycle (&self);
  panel->fail ("cuCtxRecordEvent", 0, CUDA_ERROR_NOT_SUPPORTED, 0);
  also = read_late (&self, second);
  recycle (&self);
  overwrite (&self);
  panel->fail_clear ();
  expect (first, seen);
  expect (second, also);
  gst_zc_stream_unref (first);
  gst_zc_stream_unref (second);
  fixture_clear (&self);
}

/* An old driver: each time an event on the legacy stream. */
static void
test_legacy_twice (void)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  GstZcStream *first, *second;
  guint8 *seen, *also;
  Fixture self;

  if (!panel || !fixture_init (&self, cuda_test_context (0)))
    return;
  panel->fail ("cuCtxRecordEvent", 0, CUDA_ERROR_NOT_SUPPORTED, 0);
  first = cuda_test_blocking_stream (self.context);
  second = cuda_test_blocking_stream (self.context);
  seen = read_late (&self, first);
  recycle (&self);
  also = frame_test_read_untold (self.buffer, second, SIZE);
  recycle (&self);
  overwrite (&self);
  panel->fail_clear ();
  expect (first, seen);
  expect (second, also);
  gst_zc_stream_unref (first);
  gst_zc_stream_unref (second);
  fixture_clear (&self);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

  g_test_add_func ("/untold/event-then-legacy", test_event_then_legacy);
  g_test_add_func ("/untold/legacy-twice", test_legacy_twice);
  return g_test_run ();
}
