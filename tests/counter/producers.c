/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What each kind of producer costs, with a driver that has cuCtxRecordEvent () and
 * with one that has not: waits of the GPU, of the host, of the whole device. */

#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/gstzccuda.h>

#include "calls.h"
#include "foreignpicture.h"
#include "frametest.h"

typedef enum
{
  NOTHING, /* to wait for */
  ONE, /* event */
  UNKNOWN /* all of the context: the stream named need not be the writer */
} After;

typedef enum
{
  TELLS_KIND,
  TELLS_STREAM,
  TELLS_EVENT,
  TELLS_CAI,
  TELLS_CAI_HANDLE
} Tells;

typedef struct
{
  const gchar *name;
  Tells tells;
  gint64 cai;
  After after;
} Row;

static const Row rows[] = {
  { "none", TELLS_KIND, 0, NOTHING },
  { "stream", TELLS_STREAM, -1, ONE },
  { "stream-0", TELLS_STREAM, 0, ONE },
  { "event", TELLS_EVENT, 0, ONE },
  { "cai-none", TELLS_CAI, GST_ZC_CAI_NONE, NOTHING },
  { "cai-minus-1", TELLS_CAI, -1, NOTHING },
  { "cai-no-stream", TELLS_CAI, GST_ZC_CAI_NO_STREAM, ONE },
  { "cai-0", TELLS_CAI, 0, UNKNOWN },
  { "cai-1", TELLS_CAI, 1, UNKNOWN },
  { "cai-2", TELLS_CAI, 2, UNKNOWN },
  { "cai-handle", TELLS_CAI_HANDLE, 0, ONE },
};

typedef struct
{
  const Row *row;
  const ForeignLayout *layout;
  gboolean old_driver;
} Case;

typedef struct
{
  gulong host_waits;
  gulong device_waits; /* of the host for all of the device; host waits, too */
  gulong event_waits; /* of the GPU */
  gulong all_streams; /* events for all streams of the context */
} Cost;

typedef struct
{
  GstCudaContext *context;
  ForeignPicture picture;
  GstVideoInfo info;
  GstZcStream *writer, *reader, *second;
  gpointer event;
} Fixture;

static gboolean
fixture_init (Fixture *self, const ForeignLayout *layout)
{
  if (!calls_are_counted ())
    return FALSE;
  self->context = cuda_test_context (0);
  if (!self->context)
    return FALSE;
  foreign_picture_init (&self->picture, self->context, layout);
  foreign_picture_info (&self->picture, &self->info);
  foreign_picture_write_value (&self->picture, 0x11);
  self->writer = frame_test_stream (self->context);
  self->reader = frame_test_stream (self->context);
  self->second = frame_test_stream (self->context);
  self->event = cuda_test_event_new (self->writer);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  cuda_test_event_free (self->context, self->event);
  gst_zc_stream_unref (self->second);
  gst_zc_stream_unref (self->reader);
  gst_zc_stream_unref (self->writer);
  foreign_picture_clear (&self->picture);
  gst_object_unref (self->context);
}

static GstZcProducer
producer_of (const Fixture *self, const Row *row)
{
  gpointer writer = gst_zc_stream_get_handle (self->writer);

  switch (row->tells) {
    case TELLS_KIND:
      break;
    case TELLS_STREAM:
      return (GstZcProducer) { GST_ZC_PRODUCER_STREAM, row->cai ? writer : 0 };
    case TELLS_EVENT:
      return (GstZcProducer) { GST_ZC_PRODUCER_EVENT, self->event };
    case TELLS_CAI:
      return (GstZcProducer) { GST_ZC_PRODUCER_CAI, NULL, row->cai };
    case TELLS_CAI_HANDLE:
      return (GstZcProducer) { GST_ZC_PRODUCER_CAI, NULL,
        (gint64) (guintptr) writer };
  }
  return (GstZcProducer) { GST_ZC_PRODUCER_NONE };
}

static Cost
count (void)
{
  Calls calls;

  calls_get (&calls);
  return (Cost) { calls.n[CALLS_HOST_WAITS], calls_of ("cuCtxSynchronize"),
    calls_of ("cuStreamWaitEvent"), calls_of ("cuCtxRecordEvent") };
}

static Cost
since (const Cost *before)
{
  Cost now = count ();

  return (Cost) { now.host_waits - before->host_waits,
    now.device_waits - before->device_waits,
    now.event_waits - before->event_waits,
    now.all_streams - before->all_streams };
}

static void
assert_cost (const gchar *step, Cost cost, gulong host_waits,
    gulong event_waits, gulong all_streams)
{
  g_test_message ("%s: %lu host waits, %lu of them for the device, %lu event "
                  "waits, %lu events for all streams",
      step, cost.host_waits, cost.device_waits, cost.event_waits,
      cost.all_streams);
  g_assert_cmpuint (cost.host_waits, ==, host_waits);
  g_assert_cmpuint (cost.device_waits, ==, host_waits);
  g_assert_cmpuint (cost.event_waits, ==, event_waits);
  g_assert_cmpuint (cost.all_streams, ==, all_streams);
}

static Cost
read_frame (Fixture *self, GstBuffer *buffer, GstZcStream *stream)
{
  g_autoptr (GError) error = NULL;
  Cost before = count (), cost;
  GstZcFrame frame;

  gst_zc_frame_map (&frame, buffer, &self->info, GST_MAP_READ, stream, &error);
  g_assert_no_error (error);
  cost = since (&before);
  gst_zc_frame_unmap (&frame, &error);
  g_assert_no_error (error);
  return cost;
}

static void
wrap_and_read (Fixture *self, const Case *c)
{
  const guint n = c->layout->n_memory;
  GstZcProducer producer = producer_of (self, c->row);
  Cost before = count (), wrapped, first, second;
  gboolean knows = c->row->after == UNKNOWN && !c->old_driver;
  gboolean waits = c->row->after == UNKNOWN && c->old_driver;
  GstBuffer *buffer = foreign_picture_wrap (&self->picture, &producer);
  guint events = c->row->after == ONE || knows ? n : 0;

  wrapped = since (&before);
  first = read_frame (self, buffer, self->reader);
  second = read_frame (self, buffer, self->second);
  /* The memory's own stream comes after the producer at once. */
  assert_cost ("wrap", wrapped, 0, events, knows ? n : 0);
  assert_cost ("first use", first, waits, events, 0);
  assert_cost ("second use", second, 0, events, 0);
  gst_buffer_unref (buffer);
  foreign_picture_wait_for_notify (&self->picture);
  self->picture.n_notify = 0;
}

static void
run_case (const Case *c, void (*run) (Fixture *self, const Case *c))
{
  CUresult (CUDAAPI * record) (CUcontext, CUevent);
  Fixture self;

  if (!fixture_init (&self, c->layout))
    return;
  record = zc_cu.cuCtxRecordEvent;
  if (c->old_driver)
    zc_cu.cuCtxRecordEvent = NULL;
  else if (!record) {
    g_test_skip ("this driver has no cuCtxRecordEvent");
    fixture_clear (&self);
    return;
  }
  /* What is made once, is made in the first. */
  for (guint i = 0; i < 2; i++)
    run (&self, c);
  zc_cu.cuCtxRecordEvent = record;
  fixture_clear (&self);
}

static void
test_wrap (gconstpointer data)
{
  run_case (data, wrap_and_read);
}

/* Without a buffer: for a single copy. */
static void
wait_once (Fixture *self, const Case *c)
{
  g_autoptr (GError) error = NULL;
  GstZcProducer producer = producer_of (self, c->row);
  gboolean knows = c->row->after == UNKNOWN && !c->old_driver;
  gboolean waits = c->row->after == UNKNOWN && c->old_driver;
  Cost before = count ();

  gst_zc_stream_wait_producer (self->reader, &producer, &error);
  g_assert_no_error (error);
  assert_cost ("wait", since (&before), waits, c->row->after == ONE || knows,
      knows);
}

static void
test_wait (gconstpointer data)
{
  run_case (data, wait_once);
}

static void
add (const gchar *what, const ForeignLayout *layout, const gchar *where,
    GTestDataFunc test)
{
  for (guint i = 0; i < 2 * G_N_ELEMENTS (rows); i++) {
    gboolean old = i % 2;
    Case *c = g_new (Case, 1);
    g_autofree gchar *path = g_strdup_printf ("/producers/%s/%s/%s%s", what,
        rows[i / 2].name, old ? "old-driver" : "new-driver", where);

    *c = (Case) { &rows[i / 2], layout, old };
    g_test_add_data_func_full (path, c, test, g_free);
  }
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

  add ("wrap", &foreign_one, "/one-memory", test_wrap);
  add ("wrap", &foreign_two, "/two-memories", test_wrap);
  add ("wait", &foreign_one, "", test_wait);
  return g_test_run ();
}
