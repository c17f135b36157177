/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* While a neighbour captures a stream into a CUDA graph: the capture is not
 * broken, and who reads a picture on streams that nobody tells still has it to
 * itself. */

#include <gst/cuda/gstcudabufferpool.h>
#include <gst/cuda/gstcudamemory.h>
#include <string.h>

#include "cudapanel.h"
#include "frametest.h"
#include "capturer.h"

#define SIZE 64
#define DELAY_MS 60
#define OLD 0x11
#define NEW 0x22

typedef struct
{
  const Capturer *capturer;
  GstCudaContext *context;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstBuffer *buffer; /* of OLD pixels */
  GstZcStream *a, *b; /* not blocking */
  GstZcStream *blocking;
} Fixture;

static gboolean
fixture_init (Fixture *self, gconstpointer capturer)
{
  *self = (Fixture) { .capturer = capturer, .context = cuda_test_context (0) };
  if (!self->context)
    return FALSE;
  self->pool = cuda_test_pool (self->context, GST_VIDEO_FORMAT_RGBA, SIZE / 4,
      4, &self->info);
  self->buffer = cuda_test_acquire (self->pool);
  self->a = frame_test_stream (self->context);
  self->b = frame_test_stream (self->context);
  self->blocking = cuda_test_blocking_stream (self->context);
  frame_test_write (self->buffer, &self->info, self->a, OLD);
  frame_test_synchronize (self->a);
  cuda_test_relax ();
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  gst_clear_buffer (&self->buffer);
  gst_buffer_pool_set_active (self->pool, FALSE);
  gst_object_unref (self->pool);
  gst_zc_stream_unref (self->a);
  gst_zc_stream_unref (self->b);
  gst_zc_stream_unref (self->blocking);
  gst_object_unref (self->context);
}

/* Gives the picture back to the pool, for that of the next writer. */
static void
take_next (Fixture *self)
{
  gst_clear_buffer (&self->buffer);
  self->buffer = cuda_test_acquire (self->pool);
}

static CapturerRun *
begin (Fixture *self)
{
  return capturer_begin (self->capturer, self->context);
}

static guint8 *
read_late (Fixture *self, GstZcStream *reader)
{
  cuda_test_delay (reader, DELAY_MS);
  return frame_test_read_untold (self->buffer, reader, SIZE);
}

/* Once the pixels don't matter. */
static void
read_unseen (Fixture *self)
{
  GstMapInfo map;

  g_assert_true (gst_buffer_map (self->buffer, &map,
      GST_MAP_READ | GST_MAP_CUDA));
  gst_buffer_unmap (self->buffer, &map);
}

static void
overwrite (Fixture *self)
{
  frame_test_write (self->buffer, &self->info, self->a, NEW);
  frame_test_synchronize (self->a);
}

static void
expect (GstZcStream *reader, guint8 *bytes, guint8 value)
{
  frame_test_synchronize (reader);
  frame_test_expect (bytes, SIZE, value);
}

/* Frames that are told of: every barrier there is. */
static void
test_told (gconstpointer data)
{
  CapturerRun *capture;
  guint8 *seen, *later;
  Fixture self;

  if (!fixture_init (&self, data))
    return;
  capture = begin (&self);
  cuda_test_delay (self.b, DELAY_MS);
  seen = frame_test_read (self.buffer, &self.info, self.b, SIZE);
  frame_test_write (self.buffer, &self.info, self.a, NEW);
  later = frame_test_read (self.buffer, &self.info, self.b, SIZE);
  take_next (&self);
  overwrite (&self);
  g_assert_true (capturer_end (capture));
  expect (self.b, seen, OLD);
  frame_test_expect (later, SIZE, NEW);
  fixture_clear (&self);
}

/* The pool gives the next writer other memory, and the reader's is kept, also
 * when the capture ends before the reader is done. */
static void
test_untold_reader (gconstpointer data)
{
  CapturerRun *capture;
  GstMemory *memory;
  guint8 *seen;
  Fixture self;

  if (!fixture_init (&self, data))
    return;
  capture = begin (&self);
  memory = gst_memory_ref (gst_buffer_peek_memory (self.buffer, 0));
  seen = read_late (&self, self.b);
  take_next (&self);
  g_assert_true (gst_buffer_peek_memory (self.buffer, 0) != memory);
  gst_memory_unref (memory);
  overwrite (&self);
  g_assert_true (capturer_end (capture));
  expect (self.b, seen, OLD);
  fixture_clear (&self);
}

static guint64
allocations (const SoftcudaPanel *panel)
{
  SoftcudaOutstanding now;

  panel->get_outstanding (&now);
  return now.device_allocations;
}

/* That memory is freed after the capture, and the pool is as it was. */
static void
test_freed_later (gconstpointer data)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  CapturerRun *capture;
  GstMemory *memory;
  guint64 before;
  Fixture self;

  if (!panel || !fixture_init (&self, data))
    return;
  before = allocations (panel);
  capture = begin (&self);
  for (guint i = 0; i < 3; i++) {
    read_unseen (&self);
    take_next (&self);
  }
  g_usleep (20000);
  g_assert_cmpuint (allocations (panel), >=, 4);
  g_assert_true (capturer_end (capture));
  frame_test_synchronize (self.b);
  for (guint i = 0; i < 500 && allocations (panel) > before; i++)
    g_usleep (10000);
  g_assert_cmpuint (allocations (panel), <=, before);

  memory = gst_buffer_peek_memory (self.buffer, 0);
  read_unseen (&self);
  take_next (&self);
  g_assert_true (gst_buffer_peek_memory (self.buffer, 0) == memory);
  fixture_clear (&self);
}

/* Somebody writes in place, with no pool to give other memory: while a blocking
 * stream is captured that is refused, else those on blocking streams are waited
 * for; and all of them afterwards. */
static void
test_in_place (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  CapturerRun *capture;
  GstZcFrame frame;
  guint8 *seen, *also;
  Fixture self;

  if (!fixture_init (&self, data))
    return;
  capture = begin (&self);
  seen = read_late (&self, self.blocking);
  if (self.capturer->blocking) {
    g_assert_false (gst_zc_frame_map (&frame, self.buffer, &self.info,
        GST_MAP_WRITE, self.a, &error));
    frame_test_expect_error (&error, GST_ZC_ERROR_STATE);
    g_assert_true (capturer_end (capture));
    overwrite (&self);
  } else {
    overwrite (&self);
    g_assert_true (capturer_end (capture));
  }
  expect (self.blocking, seen, OLD);

  also = read_late (&self, self.b);
  frame_test_write (self.buffer, &self.info, self.a, OLD);
  frame_test_synchronize (self.a);
  expect (self.b, also, NEW);
  fixture_clear (&self);
}

/* A capture that nobody has told of, of a stream that can't be seen: it is lost,
 * as the header says, and the pixels are right. */
static void
test_undeclared (void)
{
  static const Capturer hidden = { "undeclared", FALSE, FALSE, 2 };
  CapturerRun *capture;
  guint8 *seen;
  Fixture self;

  if (!fixture_init (&self, &hidden))
    return;
  capture = begin (&self);
  seen = read_late (&self, self.b);
  take_next (&self);
  overwrite (&self);
  g_assert_false (capturer_end (capture));
  expect (self.b, seen, OLD);
  fixture_clear (&self);
}

static void
count (gpointer n)
{
  g_atomic_int_inc ((gint *) n);
}

/* A wrapped picture, written on @stream when it comes to that. */
static GstBuffer *
wrap (Fixture *self, guint64 address, GstZcStream *stream,
    const GstZcProducer *producer, gint *n_notify)
{
  g_autoptr (GError) error = NULL;
  GstZcImage image;
  GstBuffer *buffer;

  gst_zc_image_init_packed (&image, GST_VIDEO_FORMAT_RGBA, SIZE / 4, 4, 0,
      address, NULL, NULL);
  cuda_test_delay (stream, DELAY_MS);
  cuda_test_fill (stream, &image, NEW);
  buffer = gst_zc_buffer_new_wrapped (self->context, &image, producer, n_notify,
      count, &error);
  g_assert_no_error (error);
  return buffer;
}

static void
wait_for_notify (gint *n_notify)
{
  for (guint i = 0; i < 500 && g_atomic_int_get (n_notify) == 0; i++)
    g_usleep (10000);
  g_assert_cmpint (g_atomic_int_get (n_notify), ==, 1);
}

/* A producer that does not say where it wrote. */
static void
test_sentinel (gconstpointer data)
{
  const GstZcProducer producer = { GST_ZC_PRODUCER_CAI, NULL, 1 };
  g_autoptr (GError) error = NULL;
  CapturerRun *capture;
  gint n_notify = 0;
  GstBuffer *buffer;
  GstZcFrame frame;
  guint64 address;
  guint8 *seen;
  Fixture self;

  if (!fixture_init (&self, data))
    return;
  address = cuda_test_alloc (self.context, SIZE * 4);
  capture = begin (&self);
  buffer = wrap (&self, address, self.blocking, &producer, &n_notify);
  if (self.capturer->blocking) {
    g_assert_false (gst_zc_frame_map (&frame, buffer, &self.info, GST_MAP_READ,
        self.a, &error));
    frame_test_expect_error (&error, GST_ZC_ERROR_STATE);
    g_assert_true (capturer_end (capture));
    seen = frame_test_read (buffer, &self.info, self.a, SIZE);
  } else {
    seen = frame_test_read (buffer, &self.info, self.a, SIZE);
    g_assert_true (capturer_end (capture));
  }
  expect (self.a, seen, NEW);
  gst_buffer_unref (buffer);
  wait_for_notify (&n_notify);
  cuda_test_free (self.context, address);
  fixture_clear (&self);
}

/* Wrapped during the capture, written on the @blocking stream or on another
 * one, and used after the capture. */
static void
use_later (gconstpointer data, const GstZcProducer *producer, gboolean blocking)
{
  CapturerRun *capture;
  gint n_notify = 0;
  GstBuffer *buffer;
  guint64 address;
  guint8 *seen;
  Fixture self;

  if (!fixture_init (&self, data))
    return;
  address = cuda_test_alloc (self.context, SIZE * 4);
  capture = begin (&self);
  buffer = wrap (&self, address, blocking ? self.blocking : self.b, producer,
      &n_notify);
  g_assert_true (capturer_end (capture));
  seen = frame_test_read (buffer, &self.info, self.a, SIZE);
  expect (self.a, seen, NEW);
  gst_buffer_unref (buffer);
  wait_for_notify (&n_notify);
  cuda_test_free (self.context, address);
  fixture_clear (&self);
}

/* All streams count again. */
static void
test_sentinel_used_later (gconstpointer data)
{
  const GstZcProducer producer = { GST_ZC_PRODUCER_CAI, NULL, 2 };

  use_later (data, &producer, FALSE);
}

/* FFmpeg's stream is the legacy one: no event there while that would break a
 * capture. */
static void
test_legacy_producer (gconstpointer data)
{
  const GstZcProducer producer = { GST_ZC_PRODUCER_STREAM };

  use_later (data, &producer, TRUE);
}

/* The owner gets it back when the capture has ended and the reader is done. */
static void
test_given_back_later (gconstpointer data)
{
  const GstZcProducer producer = { GST_ZC_PRODUCER_NONE };
  CapturerRun *capture;
  gint n_notify = 0;
  GstBuffer *picture;
  guint64 address;
  guint8 *seen;
  Fixture self;

  if (!fixture_init (&self, data))
    return;
  address = cuda_test_alloc (self.context, SIZE * 4);
  picture = self.buffer;
  self.buffer = wrap (&self, address, self.a, &producer, &n_notify);
  frame_test_synchronize (self.a);
  capture = begin (&self);
  seen = read_late (&self, self.b);
  gst_clear_buffer (&self.buffer);
  g_usleep (2 * DELAY_MS * 1000);
  g_assert_cmpint (g_atomic_int_get (&n_notify), ==, 0);
  g_assert_true (capturer_end (capture));
  wait_for_notify (&n_notify);
  expect (self.b, seen, NEW);
  self.buffer = picture;
  cuda_test_free (self.context, address);
  fixture_clear (&self);
}

/* Borrowers, too, are of streams that nobody tells. */
static void
test_lent (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  CapturerRun *capture;
  GstMemory *memory;
  GstZcLoan *loan;
  GstZcFrame frame;
  guint8 *seen;
  Fixture self;

  if (!fixture_init (&self, data))
    return;
  capture = begin (&self);
  memory = gst_memory_ref (gst_buffer_peek_memory (self.buffer, 0));
  frame_test_map (&frame, self.buffer, &self.info, GST_MAP_READ, self.a);
  loan = gst_zc_frame_lend (&frame, FALSE, &error);
  g_assert_no_error (error);
  cuda_test_delay (self.b, DELAY_MS);
  seen = cuda_test_read (self.b, &frame.image, SIZE);
  frame_test_unmap (&frame);
  gst_zc_loan_unref (loan);
  take_next (&self);
  g_assert_true (gst_buffer_peek_memory (self.buffer, 0) != memory);
  gst_memory_unref (memory);
  overwrite (&self);
  g_assert_true (capturer_end (capture));
  expect (self.b, seen, OLD);
  fixture_clear (&self);
}

/* What a borrower wrote. */
static void
test_lent_for_writing (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  CapturerRun *capture;
  GstZcLoan *loan;
  GstZcFrame frame;
  guint8 *seen;
  Fixture self;

  if (!fixture_init (&self, data))
    return;
  capture = begin (&self);
  frame_test_map (&frame, self.buffer, &self.info, GST_MAP_WRITE, self.a);
  loan = gst_zc_frame_lend (&frame, FALSE, &error);
  g_assert_no_error (error);
  cuda_test_delay (self.b, DELAY_MS);
  cuda_test_fill (self.b, &frame.image, NEW);
  frame_test_unmap (&frame);
  gst_zc_loan_unref (loan);
  g_assert_true (capturer_end (capture));
  seen = frame_test_read (self.buffer, &self.info, self.a, SIZE);
  expect (self.a, seen, NEW);
  fixture_clear (&self);
}

/* A stream that waits for another one and is waited for. */
static void
test_wait_producer (gconstpointer data)
{
  const GstZcProducer producer = { GST_ZC_PRODUCER_CAI, NULL, 1 };
  g_autoptr (GError) error = NULL;
  CapturerRun *capture;
  gboolean ok;
  Fixture self;

  if (!fixture_init (&self, data))
    return;
  capture = begin (&self);
  ok = gst_zc_stream_wait_producer (self.a, &producer, &error);
  if (self.capturer->blocking)
    frame_test_expect_error (&error, GST_ZC_ERROR_STATE);
  g_assert_cmpint (ok, ==, !self.capturer->blocking);
  g_assert_true (capturer_end (capture));
  fixture_clear (&self);
}

/* Memory of others that has no stream is ordered by the legacy one. */
static void
test_no_stream (gconstpointer data)
{
  g_autoptr (GstBufferPool) pool = NULL;
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GError) error = NULL;
  CapturerRun *capture;
  GstStructure *config;
  GstBuffer *buffer;
  GstZcFrame frame;
  gboolean ok;
  Fixture self;

  if (!fixture_init (&self, data))
    return;
  pool = gst_cuda_buffer_pool_new (self.context);
  caps = gst_video_info_to_caps (&self.info);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, self.info.size, 0, 0);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  buffer = cuda_test_acquire (pool);

  capture = begin (&self);
  ok = gst_zc_frame_map (&frame, buffer, &self.info, GST_MAP_READ, self.a,
      &error);
  if (ok)
    frame_test_unmap (&frame);
  else
    frame_test_expect_error (&error, GST_ZC_ERROR_STATE);
  g_assert_cmpint (ok, ==, !self.capturer->blocking);
  g_assert_true (capturer_end (capture));
  frame_test_map (&frame, buffer, &self.info, GST_MAP_READ, self.a);
  frame_test_unmap (&frame);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  fixture_clear (&self);
}

/* A CPU's map allocates and waits; not in this thread's mode. */
static gpointer
use_cpu (gpointer buffer)
{
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READWRITE));
  g_assert_cmphex (map.data[0], ==, OLD);
  memset (map.data, NEW, map.size);
  gst_buffer_unmap (buffer, &map);
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ | GST_MAP_CUDA));
  gst_buffer_unmap (buffer, &map);
  gst_buffer_unref (buffer);
  return NULL;
}

static void
test_cpu (gconstpointer data)
{
  CapturerRun *capture;
  GstBuffer *copy;
  Fixture self;

  if (!fixture_init (&self, data))
    return;
  copy = gst_buffer_copy_deep (self.buffer);
  capture = begin (&self);
  g_thread_join (g_thread_new ("cpu", use_cpu, copy));
  g_assert_true (capturer_end (capture));
  fixture_clear (&self);
}

/* Frames can't be used on the stream that is captured. */
static void
test_captured_stream (void)
{
  g_autoptr (GError) error = NULL;
  GstZcFrame frame;
  Fixture self;

  if (!fixture_init (&self, NULL))
    return;
  cuda_test_begin_capture (self.blocking);
  g_assert_false (gst_zc_frame_map (&frame, self.buffer, &self.info,
      GST_MAP_READ, self.blocking, &error));
  frame_test_expect_error (&error, GST_ZC_ERROR_STATE);
  g_assert_false (gst_zc_buffer_mark_read (self.buffer, self.blocking, &error));
  frame_test_expect_error (&error, GST_ZC_ERROR_STATE);
  g_assert_null (gst_zc_stream_new_borrowed (self.context,
      gst_zc_stream_get_handle (self.blocking), &error));
  frame_test_expect_error (&error, GST_ZC_ERROR_STATE);
  g_assert_true (cuda_test_end_capture (self.blocking));
  frame_test_write (self.buffer, &self.info, self.blocking, NEW);
  fixture_clear (&self);
}

/* Declared ones nest; what is not begun can't be ended. */
static void
test_declare (void)
{
  g_autoptr (GError) error = NULL;
  GstMemory *memory;
  Fixture self;

  if (!fixture_init (&self, NULL))
    return;
  g_assert_true (gst_zc_context_begin_capture (self.context, &error));
  g_assert_no_error (error);
  g_assert_true (gst_zc_context_begin_capture (self.context, &error));
  gst_zc_context_end_capture (self.context);
  memory = gst_memory_ref (gst_buffer_peek_memory (self.buffer, 0));
  read_unseen (&self);
  take_next (&self);
  g_assert_true (gst_buffer_peek_memory (self.buffer, 0) != memory);
  gst_zc_context_end_capture (self.context);
  gst_memory_unref (memory);

  memory = gst_buffer_peek_memory (self.buffer, 0);
  read_unseen (&self);
  take_next (&self);
  g_assert_true (gst_buffer_peek_memory (self.buffer, 0) == memory);
  g_test_expect_message (NULL, G_LOG_LEVEL_CRITICAL, "*captures*");
  gst_zc_context_end_capture (self.context);
  g_test_assert_expected_messages ();
  fixture_clear (&self);
}

static void
add (const gchar *name, GTestDataFunc test)
{
  for (guint i = 0; i < n_capturers; i++) {
    g_autofree gchar *path =
        g_strdup_printf ("/capture/%s/%s", name, capturers[i].name);

    g_test_add_data_func (path, &capturers[i], test);
  }
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

  add ("told", test_told);
  add ("untold-reader", test_untold_reader);
  add ("freed-later", test_freed_later);
  add ("in-place", test_in_place);
  add ("sentinel", test_sentinel);
  add ("sentinel-used-later", test_sentinel_used_later);
  add ("legacy-producer", test_legacy_producer);
  add ("given-back-later", test_given_back_later);
  add ("lent", test_lent);
  add ("lent-for-writing", test_lent_for_writing);
  add ("wait-producer", test_wait_producer);
  add ("no-stream", test_no_stream);
  add ("cpu", test_cpu);
  g_test_add_func ("/capture/undeclared", test_undeclared);
  g_test_add_func ("/capture/captured-stream", test_captured_stream);
  g_test_add_func ("/capture/declare", test_declare);
  return g_test_run ();
}
