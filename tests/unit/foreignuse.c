/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Software that uses our pixels without a frame map: it waits, it marks, it asks
 * who wrote them. */

#include <gst/cuda/gstcudamemory.h>
#include <string.h>

#include "frametest.h"

#define WIDTH 64
#define HEIGHT 48
#define DELAY_MS 40

typedef struct
{
  GstCudaContext *context;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstZcImage image; /* of the buffer; what a binding hands out */
  GstZcStream *a, *b;
} Fixture;

static void
write_frame (Fixture *self, GstZcStream *stream, guint8 value)
{
  GstZcFrame frame;

  frame_test_map (&frame, self->buffer, &self->info, GST_MAP_WRITE, stream);
  cuda_test_fill (stream, &frame.image, value);
  self->image = frame.image;
  frame_test_unmap (&frame);
}

static gboolean
fixture_init (Fixture *self)
{
  self->context = cuda_test_context (0);
  if (!self->context)
    return FALSE;
  self->pool = cuda_test_pool (self->context, GST_VIDEO_FORMAT_NV12, WIDTH,
      HEIGHT, &self->info);
  self->buffer = cuda_test_acquire (self->pool);
  self->a = frame_test_stream (self->context);
  self->b = frame_test_stream (self->context);
  write_frame (self, self->a, 0x11);
  frame_test_synchronize (self->a);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  gst_clear_buffer (&self->buffer);
  cuda_test_assert_none_pushed ();
  cuda_test_pool_free (self->pool);
  g_clear_pointer (&self->a, gst_zc_stream_unref);
  gst_zc_stream_unref (self->b);
  gst_object_unref (self->context);
}

static void
wait_for (Fixture *self, GstMapFlags flags, GstZcStream *stream)
{
  g_autoptr (GError) error = NULL;

  gst_zc_buffer_wait (self->buffer, flags, stream, &error);
  g_assert_no_error (error);
}

static guint8 *
read_marked (Fixture *self, GstZcStream *stream)
{
  g_autoptr (GError) error = NULL;
  guint8 *seen;

  wait_for (self, GST_MAP_READ, stream);
  seen = cuda_test_read (stream, &self->image, WIDTH);
  gst_zc_buffer_mark_read (self->buffer, stream, &error);
  g_assert_no_error (error);
  return seen;
}

static void
expect_read (Fixture *self, GstZcStream *stream, guint8 value)
{
  frame_test_expect_on (stream, read_marked (self, stream), WIDTH, value);
}

static void
write_marked (Fixture *self, GstZcStream *stream, guint8 value)
{
  g_autoptr (GError) error = NULL;

  wait_for (self, GST_MAP_WRITE, stream);
  cuda_test_fill (stream, &self->image, value);
  gst_zc_buffer_mark_written (self->buffer, stream, &error);
  g_assert_no_error (error);
}

static void
test_read_after_write (void)
{
  Fixture self;

  if (!fixture_init (&self))
    return;
  cuda_test_delay (self.a, DELAY_MS);
  write_marked (&self, self.a, 0x22);
  expect_read (&self, self.b, 0x22);
  fixture_clear (&self);
}

static void
test_write_after_read (void)
{
  Fixture self;
  guint8 *seen;

  if (!fixture_init (&self))
    return;
  cuda_test_delay (self.b, DELAY_MS);
  seen = read_marked (&self, self.b);
  write_marked (&self, self.a, 0x22);
  frame_test_synchronize (self.a);
  frame_test_expect_on (self.b, seen, WIDTH, 0x11);
  fixture_clear (&self);
}

static void
test_write_after_write (void)
{
  Fixture self;

  if (!fixture_init (&self))
    return;
  cuda_test_delay (self.a, DELAY_MS);
  write_marked (&self, self.a, 0x22);
  write_marked (&self, self.b, 0x33);
  frame_test_synchronize (self.b);
  frame_test_synchronize (self.a);
  expect_read (&self, self.b, 0x33);
  fixture_clear (&self);
}

static void
expect_on_cpu (Fixture *self, guint8 value)
{
  GstMapInfo cpu;

  g_assert_true (gst_buffer_map (self->buffer, &cpu, GST_MAP_READ));
  g_assert_cmphex (cpu.data[0], ==, value);
  gst_buffer_unmap (self->buffer, &cpu);
}

/* A CPU that looked before looks again. */
static void
test_cpu_sees_marked (void)
{
  Fixture self;

  if (!fixture_init (&self))
    return;
  expect_on_cpu (&self, 0x11);
  cuda_test_delay (self.a, DELAY_MS);
  write_marked (&self, self.a, 0x22);
  expect_on_cpu (&self, 0x22);
  fixture_clear (&self);
}

/* By somebody who has an order of his own and tells afterwards. */
static void
test_cpu_sees_told (void)
{
  g_autoptr (GError) error = NULL;
  Fixture self;

  if (!fixture_init (&self))
    return;
  expect_on_cpu (&self, 0x11);
  cuda_test_delay (self.a, DELAY_MS);
  cuda_test_fill (self.a, &self.image, 0x22);
  gst_zc_buffer_mark_written (self.buffer, self.a, &error);
  g_assert_no_error (error);
  expect_on_cpu (&self, 0x22);
  fixture_clear (&self);
}

static void
write_on_cpu (Fixture *self, guint8 value)
{
  GstMapInfo cpu;

  g_assert_true (gst_buffer_map (self->buffer, &cpu, GST_MAP_WRITE));
  memset (cpu.data, value, cpu.size);
  gst_buffer_unmap (self->buffer, &cpu);
}

static void
test_wait_brings_cpu_write (void)
{
  Fixture self;

  if (!fixture_init (&self))
    return;
  write_on_cpu (&self, 0x44);
  expect_read (&self, self.b, 0x44);
  fixture_clear (&self);
}

static GstZcStream *
writer_of (Fixture *self)
{
  g_autoptr (GError) error = NULL;
  GstZcStream *writer = gst_zc_buffer_get_writer_stream (self->buffer, &error);

  g_assert_no_error (error);
  return writer;
}

static void
expect_writer (Fixture *self, GstZcStream *expected)
{
  g_autoptr (GstZcStream) writer = writer_of (self);

  g_assert_true (writer == expected);
}

/* What is queued on the advertised stream comes after the write. */
static void
expect_on_writer (Fixture *self, guint8 value)
{
  g_autoptr (GstZcStream) writer = writer_of (self);

  frame_test_expect_on (writer, cuda_test_read (writer, &self->image, WIDTH),
      WIDTH, value);
}

/* A chain of operators advertises the stream of the last. */
static void
test_writer (void)
{
  Fixture self;

  if (!fixture_init (&self))
    return;
  cuda_test_delay (self.a, DELAY_MS);
  write_frame (&self, self.a, 0x22);
  expect_writer (&self, self.a);

  write_marked (&self, self.b, 0x33);
  expect_writer (&self, self.b);
  expect_on_writer (&self, 0x33);
  fixture_clear (&self);
}

static void
expect_bridge (Fixture *self, GstZcStream *stream)
{
  g_autoptr (GstZcStream) bridge = frame_test_bridge (self->buffer);

  g_assert_true (gst_zc_stream_get_handle (stream) ==
      gst_zc_stream_get_handle (bridge));
}

static void
expect_writer_is_bridge (Fixture *self)
{
  g_autoptr (GstZcStream) writer = writer_of (self);

  expect_bridge (self, writer);
}

/* The next stream may get the handle of the one that is gone. */
static void
test_writer_gone (void)
{
  Fixture self;
  GstZcStream *writer, *next;

  if (!fixture_init (&self))
    return;
  cuda_test_delay (self.a, DELAY_MS);
  write_frame (&self, self.a, 0x22);
  g_clear_pointer (&self.a, gst_zc_stream_unref);
  next = frame_test_stream (self.context);
  writer = writer_of (&self);
  g_assert_true (writer != next);
  expect_bridge (&self, writer);
  gst_zc_stream_unref (writer);
  expect_on_writer (&self, 0x22);
  gst_zc_stream_unref (next);
  fixture_clear (&self);
}

/* The bridge lives as long as somebody has it. */
static void
test_writer_outlives_buffer (void)
{
  Fixture self;
  GstZcStream *writer;

  if (!fixture_init (&self))
    return;
  g_clear_pointer (&self.a, gst_zc_stream_unref);
  writer = writer_of (&self);
  fixture_clear (&self);
  frame_test_synchronize (writer);
  gst_zc_stream_unref (writer);
}

/* Somebody who knows nothing of us wrote last. */
static void
test_foreign_writer (void)
{
  Fixture self;
  GstZcStream *bridge;
  GstMapInfo cuda;

  if (!fixture_init (&self))
    return;
  bridge = frame_test_bridge (self.buffer);
  g_assert_true (gst_buffer_map (self.buffer, &cuda,
      GST_MAP_WRITE | GST_MAP_CUDA));
  cuda_test_delay (bridge, DELAY_MS);
  cuda_test_fill (bridge, &self.image, 0x55);
  gst_buffer_unmap (self.buffer, &cuda);

  expect_writer_is_bridge (&self);
  expect_on_writer (&self, 0x55);
  gst_zc_stream_unref (bridge);
  fixture_clear (&self);
}

static void
test_cpu_writer (void)
{
  Fixture self;

  if (!fixture_init (&self))
    return;
  write_on_cpu (&self, 0x66);
  expect_on_writer (&self, 0x66);
  fixture_clear (&self);
}

/* One memory was written here, the other there. */
static void
test_two_writers (void)
{
  Fixture self;
  GstBuffer *second, *first;

  if (!fixture_init (&self))
    return;
  first = self.buffer;
  second = self.buffer = cuda_test_acquire (self.pool);
  cuda_test_delay (self.b, DELAY_MS);
  write_frame (&self, self.b, 0x77);

  self.buffer = gst_buffer_new ();
  gst_buffer_append_memory (self.buffer, gst_buffer_get_memory (first, 0));
  gst_buffer_append_memory (self.buffer, gst_buffer_get_memory (second, 0));
  expect_writer_is_bridge (&self);
  expect_on_writer (&self, 0x77);
  gst_buffer_unref (first);
  gst_buffer_unref (second);
  fixture_clear (&self);
}

static void
test_refused (void)
{
  GError *error = NULL;
  GstBuffer *other;
  Fixture self;

  if (!fixture_init (&self))
    return;
  other = gst_buffer_ref (self.buffer);
  g_assert_false (gst_zc_buffer_mark_written (other, self.a, &error));
  frame_test_expect_error (&error, GST_ZC_ERROR_NOT_WRITABLE);
  g_assert_false (gst_zc_buffer_wait (other, GST_MAP_WRITE, self.a, &error));
  frame_test_expect_error (&error, GST_ZC_ERROR_NOT_WRITABLE);
  g_assert_true (gst_zc_buffer_mark_read (other, self.a, &error));
  gst_buffer_unref (other);

  other = gst_buffer_new_allocate (NULL, 100, NULL);
  g_assert_false (gst_zc_buffer_mark_read (other, self.a, &error));
  frame_test_expect_error (&error, GST_ZC_ERROR_NOT_CUDA);
  g_assert_null (gst_zc_buffer_get_writer_stream (other, &error));
  frame_test_expect_error (&error, GST_ZC_ERROR_NOT_CUDA);
  gst_buffer_unref (other);

  other = gst_buffer_new ();
  g_assert_null (gst_zc_buffer_get_writer_stream (other, &error));
  frame_test_expect_error (&error, GST_ZC_ERROR_LAYOUT);
  gst_buffer_unref (other);
  fixture_clear (&self);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

#define ADD(name, test) g_test_add_func ("/foreign-use/" name, test)
  ADD ("read-after-write", test_read_after_write);
  ADD ("write-after-read", test_write_after_read);
  ADD ("write-after-write", test_write_after_write);
  ADD ("cpu-sees-marked", test_cpu_sees_marked);
  ADD ("cpu-sees-told", test_cpu_sees_told);
  ADD ("wait-brings-cpu-write", test_wait_brings_cpu_write);
  ADD ("writer", test_writer);
  ADD ("writer-gone", test_writer_gone);
  ADD ("writer-outlives-buffer", test_writer_outlives_buffer);
  ADD ("foreign-writer", test_foreign_writer);
  ADD ("cpu-writer", test_cpu_writer);
  ADD ("two-writers", test_two_writers);
  ADD ("refused", test_refused);
#undef ADD
  return g_test_run ();
}
