/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* gst_zc_buffer_new_wrapped(): each row of the producer table, with a producer
 * that is held up, seen by consumers of all kinds. */

#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/gstzccuda.h>

#include "cudapanel.h"
#include "foreignconsumer.h"
#include "frametest.h"

#define DELAY_MS 40
#define OLD 0x11
#define NEW 0x5a

/* Where the producer works. */
typedef enum
{
  OWN_STREAM, /* non-blocking */
  BLOCKING_STREAM,
  LEGACY_STREAM,
  THREAD_STREAM /* the calling thread's default */
} Where;

/* What it tells of itself. */
typedef enum
{
  TELLS_NOTHING,
  TELLS_STREAM,
  TELLS_EVENT,
  TELLS_CAI_HANDLE,
  TELLS_CAI
} Tells;

typedef struct
{
  const gchar *name;
  Where where;
  Tells tells;
  gint64 cai;
  gboolean old_driver; /* without cuCtxRecordEvent */
} Row;

static const Row rows[] = {
  { "stream", OWN_STREAM, TELLS_STREAM },
  { "stream-blocking", BLOCKING_STREAM, TELLS_STREAM },
  { "stream-0", LEGACY_STREAM, TELLS_STREAM },
  { "event", OWN_STREAM, TELLS_EVENT },
  { "cai-no-stream", LEGACY_STREAM, TELLS_CAI, GST_ZC_CAI_NO_STREAM },
  /* A sentinel from a producer on a stream of its own. */
  { "cai-0", OWN_STREAM, TELLS_CAI, 0 },
  { "cai-1", OWN_STREAM, TELLS_CAI, 1 },
  { "cai-2", OWN_STREAM, TELLS_CAI, 2 },
  { "cai-1-legacy", LEGACY_STREAM, TELLS_CAI, 1 },
  { "cai-2-thread", THREAD_STREAM, TELLS_CAI, 2 },
  { "stream-thread", THREAD_STREAM, TELLS_STREAM },
  { "cai-1-old-driver", OWN_STREAM, TELLS_CAI, 1, TRUE },
  /* An operator in a chain advertises the stream that it really used. */
  { "cai-handle", OWN_STREAM, TELLS_CAI_HANDLE },
};

typedef struct
{
  const Row *row;
  const ForeignLayout *layout;
  ForeignConsumer consumer;
} Case;

typedef struct
{
  GstCudaContext *context;
  ForeignPicture picture;
  GstZcStream *producer;
  GstZcStream *reader;
} Fixture;

static GstZcStream *
new_stream (GstCudaContext *context, Where where)
{
  g_autoptr (GError) error = NULL;
  GstZcStream *stream = NULL;

  switch (where) {
    case OWN_STREAM:
      stream = gst_zc_stream_new (context, &error);
      break;
    case BLOCKING_STREAM:
      stream = cuda_test_blocking_stream (context);
      break;
    case LEGACY_STREAM:
      stream = gst_zc_stream_new_borrowed (context, NULL, &error);
      break;
    case THREAD_STREAM:
      stream =
          gst_zc_stream_new_borrowed (context, CU_STREAM_PER_THREAD, &error);
      break;
  }
  g_assert_no_error (error);
  return stream;
}

static gboolean
fixture_init (Fixture *self, const ForeignLayout *layout, Where where)
{
  self->context = cuda_test_context (0);
  if (!self->context)
    return FALSE;
  foreign_picture_init (&self->picture, self->context, layout);
  foreign_picture_write_value (&self->picture, OLD);
  self->producer = new_stream (self->context, where);
  self->reader = new_stream (self->context, OWN_STREAM);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  cuda_test_assert_none_pushed ();
  g_clear_pointer (&self->producer, gst_zc_stream_unref);
  gst_zc_stream_unref (self->reader);
  foreign_picture_clear (&self->picture);
  gst_object_unref (self->context);
}

/* The producer's write is queued, and held up. */
static void
produce (Fixture *self)
{
  cuda_test_delay (self->producer, DELAY_MS);
  cuda_test_fill (self->producer, &self->picture.image, NEW);
}

static GstBuffer *
wrap (Fixture *self, const Row *row)
{
  gpointer handle = gst_zc_stream_get_handle (self->producer);
  GstZcProducer producer = { GST_ZC_PRODUCER_NONE };
  GstBuffer *buffer;

  switch (row->tells) {
    case TELLS_NOTHING:
      break;
    case TELLS_STREAM:
      producer = (GstZcProducer) { GST_ZC_PRODUCER_STREAM, handle };
      break;
    case TELLS_EVENT:
      handle = cuda_test_event_new (self->producer);
      producer = (GstZcProducer) { GST_ZC_PRODUCER_EVENT, handle };
      break;
    case TELLS_CAI_HANDLE:
      producer = (GstZcProducer) { GST_ZC_PRODUCER_CAI, NULL,
        (gint64) (guintptr) handle };
      break;
    case TELLS_CAI:
      producer = (GstZcProducer) { GST_ZC_PRODUCER_CAI, NULL, row->cai };
      break;
  }
  buffer = foreign_picture_wrap (&self->picture, &producer);

  /* From here on the handle may be gone, or be used for other work. */
  if (row->tells == TELLS_EVENT) {
    cuda_test_event_record (handle, self->reader);
    cuda_test_event_free (self->context, handle);
  }
  if (row->where == OWN_STREAM)
    g_clear_pointer (&self->producer, gst_zc_stream_unref);
  return buffer;
}

static void
test_row (gconstpointer data)
{
  const Case *c = data;
  CUresult (CUDAAPI * record) (CUcontext, CUevent) = zc_cu.cuCtxRecordEvent;
  GstBuffer *buffer;
  Fixture self;

  if (!fixture_init (&self, c->layout, c->row->where))
    return;
  record = zc_cu.cuCtxRecordEvent;
  if (c->row->old_driver)
    zc_cu.cuCtxRecordEvent = NULL;
  produce (&self);
  buffer = wrap (&self, c->row);
  foreign_consume (c->consumer, &self.picture, buffer, self.reader, NEW);
  foreign_consume (c->consumer, &self.picture, buffer, self.reader, NEW);
  gst_buffer_unref (buffer);
  foreign_picture_wait_for_notify (&self.picture);
  zc_cu.cuCtxRecordEvent = record;
  fixture_clear (&self);
}

/* Nothing to wait for: no barrier is queued. The producer has synchronised, and
 * is busy with other work. */
static void
test_no_wait (gconstpointer data)
{
  const SoftcudaPanel *panel;
  SoftcudaCounters counters;
  GstZcProducer producer = { GST_ZC_PRODUCER_NONE };
  GstBuffer *buffer;
  Fixture self;
  ForeignSeen seen;

  if (!fixture_init (&self, &foreign_one, OWN_STREAM))
    return;
  panel = softcuda_panel ();
  if (GPOINTER_TO_INT (data))
    producer = (GstZcProducer) { GST_ZC_PRODUCER_CAI, NULL, GST_ZC_CAI_NONE };
  produce (&self);
  frame_test_synchronize (self.producer);
  cuda_test_delay (self.producer, DELAY_MS);

  if (panel)
    panel->reset_counters ();
  buffer = foreign_picture_wrap (&self.picture, &producer);
  seen = foreign_read_frame (&self.picture, buffer, self.reader);
  if (panel) {
    panel->get_counters (&counters);
    g_assert_cmpuint (counters.event_waits, ==, 0);
    g_assert_cmpuint (counters.host_waits, ==, 0);
  }
  frame_test_synchronize (self.reader);
  foreign_seen_assert (&seen, NEW);
  gst_buffer_unref (buffer);
  foreign_picture_wait_for_notify (&self.picture);
  fixture_clear (&self);
}

static guint
host_waits (const SoftcudaPanel *panel)
{
  SoftcudaCounters counters;

  panel->get_counters (&counters);
  return counters.host_waits;
}

/* A sentinel costs no host wait where the driver can, else one on first use, for
 * all memories together. */
static void
test_sentinel_waits (gconstpointer data)
{
  const Case *c = data;
  const SoftcudaPanel *panel = cuda_test_panel ();
  CUresult (CUDAAPI * record) (CUcontext, CUevent);
  guint first = c->row->old_driver ? 1 : 0;
  GstBuffer *buffer;
  Fixture self;
  ForeignSeen seen[2];

  if (!panel || !fixture_init (&self, c->layout, OWN_STREAM))
    return;
  record = zc_cu.cuCtxRecordEvent;
  if (c->row->old_driver)
    zc_cu.cuCtxRecordEvent = NULL;

  produce (&self);
  panel->reset_counters ();
  buffer = wrap (&self, c->row);
  g_assert_cmpuint (host_waits (panel), ==, 0);
  seen[0] = foreign_read_frame (&self.picture, buffer, self.reader);
  g_assert_cmpuint (host_waits (panel), ==, first);
  seen[1] = foreign_read_frame (&self.picture, buffer, self.reader);
  g_assert_cmpuint (host_waits (panel), ==, first);

  frame_test_synchronize (self.reader);
  foreign_seen_assert (&seen[0], NEW);
  foreign_seen_assert (&seen[1], NEW);
  gst_buffer_unref (buffer);
  foreign_picture_wait_for_notify (&self.picture);
  zc_cu.cuCtxRecordEvent = record;
  fixture_clear (&self);
}

/* One made in a private context, used from the primary one. */
static void
test_other_context (void)
{
  GstZcProducer producer = { GST_ZC_PRODUCER_STREAM };
  GstCudaContext *private;
  GstBuffer *buffer;
  Fixture self, other;
  ForeignSeen seen;

  if (!fixture_init (&self, &foreign_one, OWN_STREAM))
    return;
  private = gst_cuda_context_new (0);
  foreign_picture_init (&other.picture, private, &foreign_one);
  other.producer = new_stream (private, OWN_STREAM);
  produce (&other);
  producer.handle = gst_zc_stream_get_handle (other.producer);
  buffer = foreign_picture_wrap (&other.picture, &producer);
  seen = foreign_read_frame (&other.picture, buffer, self.reader);
  frame_test_synchronize (self.reader);
  foreign_seen_assert (&seen, NEW);
  gst_buffer_unref (buffer);
  foreign_picture_wait_for_notify (&other.picture);
  foreign_picture_clear (&other.picture);
  gst_zc_stream_unref (other.producer);
  gst_object_unref (private);
  fixture_clear (&self);
}

static void
add_rows (ForeignConsumer consumer, const ForeignLayout *layout)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *path = g_strdup_printf ("/foreign/producer/%s/%s/%s",
        rows[i].name, layout->name, foreign_consumer_name (consumer));
    Case *c = g_new (Case, 1);

    *c = (Case) { &rows[i], layout, consumer };
    g_test_add_data_func_full (path, c, test_row, g_free);
  }
}

static void
add_sentinel (const gchar *name, const ForeignLayout *layout)
{
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *path = NULL;
    Case *c;

    if (rows[i].tells != TELLS_CAI || rows[i].cai < 0)
      continue;
    if (rows[i].where != OWN_STREAM)
      continue;
    path =
        g_strdup_printf ("/foreign/%s/%s/%s", name, rows[i].name, layout->name);
    c = g_new (Case, 1);
    *c = (Case) { &rows[i], layout };
    g_test_add_data_func_full (path, c, test_sentinel_waits, g_free);
  }
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

  for (guint consumer = 0; consumer < FOREIGN_N_CONSUMERS; consumer++) {
    add_rows (consumer, &foreign_one);
    add_rows (consumer, &foreign_two);
  }
  add_sentinel ("sentinel-waits", &foreign_one);
  add_sentinel ("sentinel-waits", &foreign_two);
  g_test_add_data_func ("/foreign/no-wait/none", GINT_TO_POINTER (FALSE),
      test_no_wait);
  g_test_add_data_func ("/foreign/no-wait/cai-none", GINT_TO_POINTER (TRUE),
      test_no_wait);
  g_test_add_func ("/foreign/other-context", test_other_context);
  return g_test_run ();
}
