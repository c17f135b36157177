/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Calls that fail while the library waits for the GPU: only an error after which
 * nothing runs any more may count as an answer that work is done. */

#include <cuda.h>
#include <gst/zc/gstzcreaper.h>

#include "cudapanel.h"
#include "frametest.h"

#define DELAY_MS 60
#define PATIENCE (10 * G_TIME_SPAN_SECOND)

typedef struct
{
  const SoftcudaPanel *panel;
  GstCudaContext *context;
  GstZcStream *stream;
  GMutex lock;
  GCond changed;
  guint calls; /* of what waits for the GPU */
  guint64 early; /* operations that were pending at one */
} Fixture;

static gboolean
fixture_init (Fixture *self)
{
  *self = (Fixture) { .context = cuda_test_context (0) };
  if (!self->context || !(self->panel = cuda_test_panel ()))
    return FALSE;
  g_mutex_init (&self->lock);
  g_cond_init (&self->changed);
  self->stream = gst_zc_stream_new (self->context, NULL);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  self->panel->fail_clear ();
  gst_zc_stream_unref (self->stream);
  gst_object_unref (self->context);
}

static void
note (gpointer data)
{
  Fixture *self = data;
  SoftcudaOutstanding now;

  self->panel->get_outstanding (&now);
  g_mutex_lock (&self->lock);
  self->calls++;
  self->early += now.operations;
  g_cond_broadcast (&self->changed);
  g_mutex_unlock (&self->lock);
}

static void
expect_calls (Fixture *self, guint n)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;

  g_mutex_lock (&self->lock);
  while (self->calls < n &&
      g_cond_wait_until (&self->changed, &self->lock, end))
    ;
  g_assert_cmpuint (self->calls, ==, n);
  g_assert_cmpuint (self->early, ==, 0);
  g_mutex_unlock (&self->lock);
}

typedef struct
{
  const gchar *call;
  guint nth;
} Row;

/* What is asked again and again, and what is called once, before. */
static const Row rows[] = {
  { "cuEventQuery", 1 },
  { "cuEventQuery", 2 },
  { "cuCtxPushCurrent_v2", 1 },
  { "cuCtxPushCurrent_v2", 2 },
  { "cuCtxPushCurrent_v2", 3 },
  { "cuThreadExchangeStreamCaptureMode", 1 },
  { "cuThreadExchangeStreamCaptureMode", 3 },
  { "cuThreadExchangeStreamCaptureMode", 5 },
  { "cuEventRecord", 1 },
};

static void
test_reaper (gconstpointer data)
{
  const Row *row = data;
  Fixture self;

  if (!fixture_init (&self))
    return;
  cuda_test_delay (self.stream, DELAY_MS);
  self.panel->fail (row->call, row->nth, CUDA_ERROR_UNKNOWN, 0);
  zc_reaper_add (&self.stream->key, note, &self, NULL);
  expect_calls (&self, 1);
  fixture_clear (&self);
}

static GstBuffer *
wrap (Fixture *self, guint64 address)
{
  const GstZcProducer nobody = { GST_ZC_PRODUCER_NONE };
  g_autoptr (GError) error = NULL;
  GstZcImage image;
  GstBuffer *buffer;

  gst_zc_image_init_packed (&image, GST_VIDEO_FORMAT_RGBA, 16, 16, 0, address,
      NULL, NULL);
  buffer = gst_zc_buffer_new_wrapped (self->context, &image, &nobody, self,
      note, &error);
  g_assert_no_error (error);
  return buffer;
}

/* Memory of somebody else is given back by the same rules. */
static void
test_memory (gconstpointer data)
{
  const Row *row = data;
  GstZcFrame frame;
  GstVideoInfo info;
  GstBuffer *buffer;
  guint64 address;
  Fixture self;

  if (!fixture_init (&self))
    return;
  address = cuda_test_alloc (self.context, 64 * 64);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, 16, 16);
  buffer = wrap (&self, address);
  g_assert_true (gst_zc_frame_map (&frame, buffer, &info, GST_MAP_READ,
      self.stream, NULL));
  cuda_test_delay (self.stream, DELAY_MS);
  g_assert_true (gst_zc_frame_unmap (&frame, NULL));
  self.panel->fail (row->call, row->nth, CUDA_ERROR_UNKNOWN, 0);
  gst_buffer_unref (buffer);
  expect_calls (&self, 1);
  self.panel->fail_clear ();
  cuda_test_free (self.context, address);
  fixture_clear (&self);
}

/* And if somebody else read it, and what he did can't be recorded at first. */
static void
test_untold (void)
{
  GstBuffer *buffer;
  guint64 address;
  guint8 *seen;
  Fixture self;

  if (!fixture_init (&self))
    return;
  address = cuda_test_alloc (self.context, 64 * 64);
  buffer = wrap (&self, address);
  cuda_test_delay (self.stream, DELAY_MS);
  seen = frame_test_read_untold (buffer, self.stream, 64);
  for (guint i = 1; i <= 3; i++)
    self.panel->fail ("cuCtxRecordEvent", i, CUDA_ERROR_UNKNOWN, 0);
  gst_buffer_unref (buffer);
  expect_calls (&self, 1);
  self.panel->fail_clear ();
  cuda_test_free_pinned (seen);
  cuda_test_free (self.context, address);
  fixture_clear (&self);
}

/* The same of a pool's buffer: the next writer is given another one. */
static void
test_untold_in_pool (void)
{
  GstBufferPool *pool;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstMemory *memory;
  guint8 *seen;
  Fixture self;

  if (!fixture_init (&self))
    return;
  pool = cuda_test_pool (self.context, GST_VIDEO_FORMAT_RGBA, 16, 4, &info);
  buffer = cuda_test_acquire (pool);
  frame_test_write (buffer, &info, self.stream, 1);
  cuda_test_delay (self.stream, DELAY_MS);
  memory = gst_memory_ref (gst_buffer_peek_memory (buffer, 0));
  seen = frame_test_read_untold (buffer, self.stream, 64);
  self.panel->fail ("cuCtxRecordEvent", 1, CUDA_ERROR_UNKNOWN, 0);
  gst_buffer_unref (buffer);
  buffer = cuda_test_acquire (pool);
  g_assert_true (gst_buffer_peek_memory (buffer, 0) != memory);
  gst_memory_unref (memory);
  frame_test_synchronize (self.stream);
  frame_test_expect (seen, 64, 1);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  fixture_clear (&self);
}

/* A frame's use can be neither recorded nor waited for at once: the next user
 * waits for the context. */
static void
test_release (gconstpointer data)
{
  GstMapFlags flags = GPOINTER_TO_INT (data);
  g_autoptr (GError) error = NULL;
  GstZcStream *next;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstZcFrame frame;
  guint8 *seen;
  Fixture self;

  if (!fixture_init (&self))
    return;
  next = frame_test_stream (self.context);
  pool = cuda_test_pool (self.context, GST_VIDEO_FORMAT_RGBA, 16, 4, &info);
  buffer = cuda_test_acquire (pool);
  frame_test_write (buffer, &info, self.stream, 1);
  frame_test_map (&frame, buffer, &info, flags, self.stream);
  cuda_test_delay (self.stream, DELAY_MS);
  if (flags & GST_MAP_WRITE)
    cuda_test_fill (self.stream, &frame.image, 2);
  seen = cuda_test_read (self.stream, &frame.image, 64);
  self.panel->fail ("cuEventRecord", 1, CUDA_ERROR_UNKNOWN, 0);
  self.panel->fail ("cuStreamSynchronize", 1, CUDA_ERROR_UNKNOWN, 0);
  g_assert_false (gst_zc_frame_unmap (&frame, &error));
  self.panel->fail_clear ();
  frame_test_write (buffer, &info, next, 3);
  frame_test_synchronize (next);
  frame_test_synchronize (self.stream);
  frame_test_expect (seen, 64, flags & GST_MAP_WRITE ? 2 : 1);
  seen = frame_test_read (buffer, &info, next, 64);
  frame_test_synchronize (next);
  frame_test_expect (seen, 64, 3);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_zc_stream_unref (next);
  fixture_clear (&self);
}

/* Neither an event nor a wait is to be had at first. */
static void
test_no_event_no_wait (void)
{
  Fixture self;

  if (!fixture_init (&self))
    return;
  cuda_test_delay (self.stream, DELAY_MS);
  self.panel->fail ("cuEventRecord", 1, CUDA_ERROR_UNKNOWN, 0);
  self.panel->fail ("cuStreamSynchronize", 1, CUDA_ERROR_UNKNOWN, 0);
  self.panel->fail ("cuCtxSynchronize", 2, CUDA_ERROR_UNKNOWN, 0);
  self.panel->fail ("cuCtxSynchronize", 1, CUDA_ERROR_UNKNOWN, 0);
  zc_reaper_add (&self.stream->key, note, &self, &self);
  zc_reaper_drain (self.stream->key.context, &self);
  expect_calls (&self, 1);
  fixture_clear (&self);
}

/* A driver that never says again: nobody hangs, and what it was asked about is
 * kept until it does. */
static void
test_never_says (void)
{
  Fixture self;

  if (!fixture_init (&self))
    return;
  self.panel->fail ("cuEventQuery", 0, CUDA_ERROR_UNKNOWN, 0);
  zc_reaper_add (&self.stream->key, note, &self, &self);
  zc_reaper_add (&self.stream->key, note, &self, &self);
  zc_reaper_drain (self.stream->key.context, &self);
  g_assert_cmpuint (self.calls, ==, 0);
  self.panel->fail_clear ();
  expect_calls (&self, 2);
  fixture_clear (&self);
}

/* A context that is lost runs nothing any more. In a process of its own, which
 * has no use for the primary context afterwards. */
static void
lose_context (void)
{
  Fixture self;

  if (!fixture_init (&self))
    return;
  cuda_test_delay (self.stream, DELAY_MS);
  self.panel->fail ("cuEventQuery", 2, CUDA_ERROR_LAUNCH_FAILED, 1);
  zc_reaper_add (&self.stream->key, note, &self, &self);
  zc_reaper_drain (self.stream->key.context, &self);
  g_assert_cmpuint (self.calls, ==, 1);
}

static void
test_lost (void)
{
  if (!cuda_test_panel ())
    return;
  g_test_trap_subprocess ("/reaper-failures/subprocess/lost", 0, 0);
  g_test_trap_assert_passed ();
}

static void
add (const gchar *name, GTestDataFunc test)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *path = g_strdup_printf ("/reaper-failures/%s/%s/%u", name,
        rows[i].call, rows[i].nth);

    g_test_add_data_func (path, &rows[i], test);
  }
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  add ("reaper", test_reaper);
  add ("memory", test_memory);
  g_test_add_func ("/reaper-failures/untold", test_untold);
  g_test_add_func ("/reaper-failures/untold-in-pool", test_untold_in_pool);
  g_test_add_data_func ("/reaper-failures/release/read",
      GINT_TO_POINTER (GST_MAP_READ), test_release);
  g_test_add_data_func ("/reaper-failures/release/write",
      GINT_TO_POINTER (GST_MAP_WRITE), test_release);
  g_test_add_func ("/reaper-failures/no-event-no-wait", test_no_event_no_wait);
  g_test_add_func ("/reaper-failures/never-says", test_never_says);
  g_test_add_func ("/reaper-failures/lost", test_lost);
  g_test_add_func ("/reaper-failures/subprocess/lost", lose_context);
  return g_test_run ();
}
