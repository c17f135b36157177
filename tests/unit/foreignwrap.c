/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What wrapping costs, and producers that can't be waited for. */

#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/gstzccuda.h>

#include "cudapanel.h"
#include "foreignpicture.h"
#include "frametest.h"
#include "testrows.h"

#define N_FRAMES 100
#define N_THREADS 4

typedef struct
{
  GstCudaContext *context;
  ForeignPicture picture;
  GstVideoInfo info;
  GstZcStream *stream;
} Fixture;

static gboolean
fixture_init (Fixture *self, const ForeignLayout *layout)
{
  self->context = cuda_test_context (0);
  if (!self->context)
    return FALSE;
  foreign_picture_init (&self->picture, self->context, layout);
  foreign_picture_info (&self->picture, &self->info);
  self->stream = frame_test_stream (self->context);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  cuda_test_assert_none_pushed ();
  foreign_picture_clear (&self->picture);
  g_clear_pointer (&self->stream, gst_zc_stream_unref);
  gst_object_unref (self->context);
}

static void
read_frame (Fixture *self, GstBuffer *buffer, GstZcStream *stream)
{
  GstZcFrame frame;

  frame_test_map (&frame, buffer, &self->info, GST_MAP_READ, stream);
  frame_test_unmap (&frame);
}

static void
use_once (Fixture *self, const GstZcProducer *producer)
{
  GstBuffer *buffer = foreign_picture_wrap (&self->picture, producer);

  read_frame (self, buffer, self->stream);
  gst_buffer_unref (buffer);
  foreign_picture_wait_for_notify (&self->picture);
  self->picture.n_notify = 0;
}

/* Of all kinds: no driver object is made for a frame, nobody waits. */
static void
test_steady (gconstpointer layout)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  SoftcudaCounters counters;
  Fixture self;
  gpointer handle, event;

  if (!panel || !fixture_init (&self, layout))
    return;
  handle = gst_zc_stream_get_handle (self.stream);
  event = cuda_test_event_new (self.stream);
  for (guint i = 0; i < N_FRAMES; i++) {
    const GstZcProducer producers[] = {
      { GST_ZC_PRODUCER_NONE },
      { GST_ZC_PRODUCER_STREAM, handle },
      { GST_ZC_PRODUCER_EVENT, event },
      { GST_ZC_PRODUCER_CAI, NULL, GST_ZC_CAI_NO_STREAM },
      { GST_ZC_PRODUCER_CAI, NULL, 1 },
    };

    if (i == N_FRAMES / 10)
      panel->reset_counters ();
    use_once (&self, &producers[i % G_N_ELEMENTS (producers)]);
  }
  panel->get_counters (&counters);
  g_assert_cmpuint (counters.host_waits, ==, 0);
  g_assert_cmpuint (counters.events_created, ==, 0);
  g_assert_cmpuint (counters.streams_created, ==, 0);
  g_assert_cmpuint (counters.allocations, ==, 0);
  g_assert_cmpuint (counters.host_allocations, ==, 0);
  g_assert_cmpuint (counters.errors, ==, 0);
  cuda_test_event_free (self.context, event);
  fixture_clear (&self);
}

typedef struct
{
  Fixture *fixture;
  GstBuffer *buffer;
} Use;

static gpointer
read_on_thread (gpointer data)
{
  Use *use = data;
  g_autoptr (GstZcStream) stream = frame_test_stream (use->fixture->context);

  read_frame (use->fixture, use->buffer, stream);
  return NULL;
}

/* Wraps once on a driver without an event for a context; @n_threads use it at the
 * same time. */
static void
expect_host_waits (const ForeignLayout *layout, gint64 cai_stream,
    guint n_threads, guint n_waits)
{
  GstZcProducer producer = { GST_ZC_PRODUCER_CAI, NULL, cai_stream };
  const SoftcudaPanel *panel = cuda_test_panel ();
  CUresult (CUDAAPI * record) (CUcontext, CUevent);
  SoftcudaCounters counters;
  GThread *thread[N_THREADS];
  Fixture self;
  Use use;

  if (!panel || !fixture_init (&self, layout))
    return;
  record = zc_cu.cuCtxRecordEvent;
  zc_cu.cuCtxRecordEvent = NULL;
  panel->reset_counters ();
  use = (Use) { &self, foreign_picture_wrap (&self.picture, &producer) };
  for (guint i = 0; i < n_threads; i++)
    thread[i] = g_thread_new ("use", read_on_thread, &use);
  for (guint i = 0; i < n_threads; i++)
    g_thread_join (thread[i]);
  gst_buffer_unref (use.buffer);
  foreign_picture_wait_for_notify (&self.picture);
  panel->get_counters (&counters);
  g_assert_cmpuint (counters.host_waits, ==, n_waits);
  zc_cu.cuCtxRecordEvent = record;
  fixture_clear (&self);
}

/* All branches of a tee touch it first. */
static void
test_first_use_at_once (gconstpointer layout)
{
  expect_host_waits (layout, 1, N_THREADS, 1);
}

/* Never used: nobody waits for the device. */
static void
test_never_used (gconstpointer layout)
{
  expect_host_waits (layout, 2, 0, 0);
}

static void
expect_refused (Fixture *self, const GstZcProducer *producer, GstZcError code,
    const gchar *word)
{
  foreign_picture_expect_refused (&self->picture, self->context,
      &self->picture.image, producer, code, word);
  foreign_picture_wait_for_notify (&self->picture);
  g_assert_cmpuint (self->picture.n_notify, ==, 1);
  self->picture.n_notify = 0;
}

static void
test_refused (gconstpointer layout)
{
  Fixture self;
  GstZcProducer producer = { GST_ZC_PRODUCER_CAI, NULL, -2 };

  if (!fixture_init (&self, layout))
    return;
  expect_refused (&self, &producer, GST_ZC_ERROR_UNSUPPORTED, "-2");
  producer = (GstZcProducer) { (GstZcProducerKind) 77 };
  expect_refused (&self, &producer, GST_ZC_ERROR_UNSUPPORTED, "77");
  producer = (GstZcProducer) { GST_ZC_PRODUCER_EVENT, NULL };
  expect_refused (&self, &producer, GST_ZC_ERROR_DRIVER, "cuStreamWaitEvent");
  use_once (&self, &(GstZcProducer) { GST_ZC_PRODUCER_NONE });
  fixture_clear (&self);
}

/* A stream of another context can't be told by the wrong one. */
static void
test_other_context (gconstpointer layout)
{
  GstZcProducer producer = { GST_ZC_PRODUCER_STREAM };
  GstCudaContext *private;
  GstZcStream *stream;
  Fixture self;

  if (!fixture_init (&self, layout))
    return;
  private = gst_cuda_context_new (0);
  stream = frame_test_stream (private);
  producer.handle = gst_zc_stream_get_handle (stream);
  expect_refused (&self, &producer, GST_ZC_ERROR_DRIVER, "cu");
  gst_zc_stream_unref (stream);
  gst_object_unref (private);
  use_once (&self, &(GstZcProducer) { GST_ZC_PRODUCER_NONE });
  fixture_clear (&self);
}

/* The real driver need not notice. */
static void
test_dangling (gconstpointer layout)
{
  g_autoptr (GstZcStream) other = NULL;
  const SoftcudaPanel *panel = cuda_test_panel ();
  GstZcProducer producer = { GST_ZC_PRODUCER_STREAM };
  gpointer event, stream;
  Fixture self;

  if (!panel || !fixture_init (&self, layout))
    return;
  /* No new stream or event may get the handle meanwhile. */
  other = frame_test_stream (self.context);
  use_once (&self, &(GstZcProducer) { GST_ZC_PRODUCER_NONE });
  event = cuda_test_event_new (self.stream);
  cuda_test_event_free (self.context, event);
  stream = gst_zc_stream_get_handle (self.stream);
  g_clear_pointer (&self.stream, gst_zc_stream_unref);
  panel->drain ();

  producer.handle = stream;
  expect_refused (&self, &producer, GST_ZC_ERROR_DRIVER, "cuStream");
  producer =
      (GstZcProducer) { GST_ZC_PRODUCER_CAI, NULL, (gint64) (gsize) stream };
  expect_refused (&self, &producer, GST_ZC_ERROR_DRIVER, "cuStream");
  producer = (GstZcProducer) { GST_ZC_PRODUCER_EVENT, event };
  expect_refused (&self, &producer, GST_ZC_ERROR_DRIVER, "cuStreamWaitEvent");
  fixture_clear (&self);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

#define ADD(name, test)                                                        \
  CUDA_TEST_ADD_ROWS ("/foreign-wrap/" name, foreign_both, test)
  ADD ("steady", test_steady);
  ADD ("first-use-at-once", test_first_use_at_once);
  ADD ("never-used", test_never_used);
  ADD ("refused", test_refused);
  ADD ("other-context", test_other_context);
  ADD ("dangling", test_dangling);
#undef ADD
  return g_test_run ();
}
