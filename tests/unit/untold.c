/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Pictures read on streams that nobody tells: the next writer comes after all
 * such readers, whatever the driver has for that. */

#include <cuda.h>
#include <gst/cuda/gstcudaloader.h>
#include <gst/cuda/gstcudamemory.h>

#include "cudacall.h"
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

static GstCudaContext *
private_context (void)
{
  GstCudaContext *context = cuda_test_context (0);

  if (context)
    gst_object_unref (context);
  return context ? gst_cuda_context_new (0) : NULL;
}

/* The reader works in a context of its own, and has it current. */
static void
read_in_context (GstCudaContext *reader_context, gboolean blocking)
{
  GstZcStream *reader, *third;
  guint8 *seen, *also;
  Fixture self;

  if (!fixture_init (&self, cuda_test_context (0)))
    return;
  reader = blocking ? cuda_test_blocking_stream (reader_context)
                    : frame_test_stream (reader_context);
  third = blocking ? cuda_test_blocking_stream (self.context)
                   : frame_test_stream (self.context);
  seen = read_late (&self, reader);
  also = read_late (&self, third);
  recycle (&self);
  overwrite (&self);
  expect (reader, seen);
  expect (third, also);
  gst_zc_stream_unref (reader);
  gst_zc_stream_unref (third);
  fixture_clear (&self);
}

static void
test_other_context (void)
{
  GstCudaContext *context = private_context ();

  if (!context)
    return;
  read_in_context (context, FALSE);
  gst_object_unref (context);
}

static void
test_other_context_old (void)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  GstCudaContext *context;

  if (!panel || !(context = private_context ()))
    return;
  panel->fail ("cuCtxRecordEvent", 0, CUDA_ERROR_NOT_SUPPORTED, 0);
  read_in_context (context, TRUE);
  panel->fail_clear ();
  gst_object_unref (context);
}

/* A primary context that nobody has told the library of; by plain calls, in a
 * process that has made no wrapper of it. */
static void
read_in_primary (void)
{
  GstCudaContext *own = NULL;
  CUcontext primary, popped;
  CUstream stream;
  Fixture self;
  GstMapInfo map;
  guint8 *seen;

  CUDA_TEST_CALL ("cuInit", (unsigned int), 0);
  CUDA_TEST_CALL ("cuDevicePrimaryCtxRetain", (CUcontext *, CUdevice), &primary,
      0);
  g_assert_true (gst_cuda_load_library ());
  own = gst_cuda_context_new (0);
  g_assert_true (fixture_init (&self, own));
  seen = cuda_test_alloc_pinned (own, SIZE);

  CUDA_TEST_CALL ("cuCtxPushCurrent_v2", (CUcontext), primary);
  CUDA_TEST_CALL ("cuStreamCreate", (CUstream *, unsigned int), &stream,
      CU_STREAM_NON_BLOCKING);
  g_assert_true (gst_buffer_map (self.buffer, &map,
      GST_MAP_READ | GST_MAP_CUDA));
  cuda_test_hold (stream, DELAY_MS);
  CUDA_TEST_CALL ("cuMemcpyDtoHAsync_v2",
      (void *, CUdeviceptr, size_t, CUstream), seen,
      (CUdeviceptr) (guintptr) map.data, SIZE, stream);
  gst_buffer_unmap (self.buffer, &map);
  CUDA_TEST_CALL ("cuCtxPopCurrent_v2", (CUcontext *), &popped);

  recycle (&self);
  overwrite (&self);
  CUDA_TEST_CALL ("cuCtxPushCurrent_v2", (CUcontext), primary);
  CUDA_TEST_CALL ("cuStreamSynchronize", (CUstream), stream);
  CUDA_TEST_CALL ("cuCtxPopCurrent_v2", (CUcontext *), &popped);
  frame_test_expect (seen, SIZE, OLD);
}

static void
in_subprocess (gconstpointer path)
{
  GstCudaContext *context = cuda_test_context (0);

  if (!context)
    return;
  gst_object_unref (context);
  g_test_trap_subprocess (path, 0, 0);
  g_test_trap_assert_passed ();
}

/* One that the library can't know: all else works as it does. */
static void
read_in_unknown (void)
{
  CUcontext unknown, popped;
  Fixture self;
  GstMapInfo map;

  g_assert_true (fixture_init (&self, cuda_test_context (0)));
  CUDA_TEST_CALL ("cuCtxCreate_v2", (CUcontext *, unsigned int, CUdevice),
      &unknown, 0, 0);
  g_assert_true (gst_buffer_map (self.buffer, &map,
      GST_MAP_READ | GST_MAP_CUDA));
  gst_buffer_unmap (self.buffer, &map);
  CUDA_TEST_CALL ("cuCtxPopCurrent_v2", (CUcontext *), &popped);
  CUDA_TEST_CALL ("cuCtxDestroy_v2", (CUcontext), unknown);
  recycle (&self);
  overwrite (&self);
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
  g_test_add_func ("/untold/other-context", test_other_context);
  g_test_add_func ("/untold/other-context-old-driver", test_other_context_old);
  g_test_add_data_func ("/untold/primary", "/untold/subprocess/primary",
      in_subprocess);
  g_test_add_data_func ("/untold/unknown", "/untold/subprocess/unknown",
      in_subprocess);
  g_test_add_func ("/untold/subprocess/primary", read_in_primary);
  g_test_add_func ("/untold/subprocess/unknown", read_in_unknown);
  return g_test_run ();
}
