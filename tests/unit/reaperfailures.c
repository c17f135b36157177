/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Calls that fail while the library waits for the GPU: only an error after which
 * nothing runs any more may count as an answer that work is done. */

#include <cuda.h>
#include <gst/zc/gstzcreaper.h>

#include "cudapanel.h"
#include "cudatest.h"

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

/* Memory of somebody else is given back by the same rules. */
static void
test_memory (gconstpointer data)
{
  const GstZcProducer nobody = { GST_ZC_PRODUCER_NONE };
  const Row *row = data;
  GstZcImage image;
  GstZcFrame frame;
  GstVideoInfo info;
  GstBuffer *buffer;
  guint64 address;
  Fixture self;

  if (!fixture_init (&self))
    return;
  address = cuda_test_alloc (self.context, 64 * 64);
  gst_zc_image_init_packed (&image, GST_VIDEO_FORMAT_RGBA, 16, 16, 0, address,
      NULL, NULL);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, 16, 16);
  buffer = gst_zc_buffer_new_wrapped (self.context, &image, &nobody, &self,
      note, NULL);
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
  g_test_add_func ("/reaper-failures/no-event-no-wait", test_no_event_no_wait);
  g_test_add_func ("/reaper-failures/never-says", test_never_says);
  g_test_add_func ("/reaper-failures/lost", test_lost);
  g_test_add_func ("/reaper-failures/subprocess/lost", lose_context);
  return g_test_run ();
}
