/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Small programs, each about one hazard; what it is about comes several times,
 * so that a seed has a choice. */

#include <gst/cuda/gstcudamemory.h>

#include "cases.h"
#include "desk.h"

#define USUAL_STEPS 6

static User
pick (OrderRun *run, const User *users, guint n)
{
  return users[order_random (run, n)];
}

#define PICK(run, ...)                                                         \
  pick (run, (const User[]) { __VA_ARGS__ },                                   \
      sizeof ((const User[]) { __VA_ARGS__ }) / sizeof (User))

/* What a case does again and again at a desk with such a source. */
typedef struct
{
  void (*step) (Desk *desk);
  SourceKind kind; /* N_SOURCES: any */
} Steps;

static void
run_steps (OrderRun *run, gconstpointer data)
{
  const Steps *steps = data;
  SourceKind kind =
      steps->kind == N_SOURCES ? order_random (run, N_SOURCES) : steps->kind;
  guint n = order_steps (run, USUAL_STEPS);
  Desk desk;

  desk_init (&desk, run, kind);
  for (guint i = 0; i < n; i++)
    steps->step (&desk);
  desk_clear (&desk);
}

#define STEPS(step, kind)                                                      \
  run_steps, &(const Steps)                                                    \
  {                                                                            \
    step, kind                                                                 \
  }

/* A writer that knows nothing of us gets memory that we have but read. */
static void
foreign_after_read (Desk *desk)
{
  guint8 value = order_new_value (desk->run),
         next = order_new_value (desk->run);
  GstBuffer *buffer = desk_new (desk, USER_FRAME, &desk->a, value);

  desk_read (desk, PICK (desk->run, USER_FRAME, USER_MARK, USER_ADVERTISED),
      &desk->b, buffer, value);
  desk_write (desk, PICK (desk->run, USER_BRIDGE, USER_OTHER, USER_CPU),
      &desk->a, buffer, next);
  desk_read (desk, PICK (desk->run, USER_FRAME, USER_BRIDGE), &desk->b, buffer,
      next);
  gst_buffer_unref (buffer);
}

/* The other way round: we get memory that a foreign element reads, or has
 * written in place, on a stream that nobody tells us. */
static void
after_foreign (Desk *desk)
{
  guint8 value = order_new_value (desk->run),
         next = order_new_value (desk->run);
  GstBuffer *buffer = desk_new (desk, USER_FRAME, &desk->a, value);

  desk_write (desk, PICK (desk->run, USER_BRIDGE, USER_OTHER), &desk->b, buffer,
      next);
  desk_read (desk, PICK (desk->run, USER_BRIDGE, USER_OTHER), &desk->b, buffer,
      next);
  if (order_random (desk->run, 2))
    desk_write (desk, USER_FRAME, &desk->a, buffer,
        order_new_value (desk->run));
  gst_buffer_unref (buffer);
}

/* One foreign element reads on a stream of its own, another one writes on the
 * memory's. */
static void
foreign_after_foreign (Desk *desk)
{
  guint8 value = order_new_value (desk->run);
  GstBuffer *buffer = desk_new (desk, USER_FRAME, &desk->a, value);

  desk_read (desk, USER_OTHER, &desk->b, buffer, value);
  desk_write (desk, USER_BRIDGE, &desk->a, buffer, order_new_value (desk->run));
  gst_buffer_unref (buffer);
}

/* A foreign element reads in a context of its own. */
static void
reader_context (OrderRun *run, gconstpointer data)
{
  GstCudaContext *own = gst_cuda_context_new (0);
  guint steps = order_steps (run, USUAL_STEPS);
  OrderStream reader;
  Desk desk;

  desk_init (&desk, run, SOURCE_POOL);
  order_stream_init (&reader, own, order_stream_kind (run));
  for (guint i = 0; i < steps; i++) {
    guint8 value = order_new_value (run);
    GstBuffer *buffer = desk_new (&desk, USER_FRAME, &desk.a, value);

    desk_read (&desk, PICK (run, USER_OTHER, USER_FRAME), &reader, buffer,
        value);
    gst_buffer_unref (buffer);
  }
  order_settle (run, own);
  order_stream_clear (&reader);
  desk_clear (&desk);
  gst_object_unref (own);
}

/* Borrowers read and write on streams that nobody knows. */
static void
lent (Desk *desk)
{
  guint8 value = order_new_value (desk->run),
         next = order_new_value (desk->run);
  GstBuffer *buffer =
      desk_new (desk, PICK (desk->run, USER_LENT, USER_FRAME), &desk->a, value);

  desk_read (desk, USER_LENT, &desk->b, buffer, value);
  desk_write (desk, PICK (desk->run, USER_FRAME, USER_LENT), &desk->a, buffer,
      next);
  desk_read (desk, PICK (desk->run, USER_LENT, USER_FRAME), &desk->b, buffer,
      next);
  gst_buffer_unref (buffer);
}

/* A CPU writes again while what it wrote before is still to be uploaded. */
static void
cpu_writes_again (Desk *desk)
{
  guint8 value = order_new_value (desk->run),
         next = order_new_value (desk->run);
  GstBuffer *buffer = desk_new (desk, USER_CPU, &desk->a, value);

  desk_read (desk, USER_FRAME, &desk->a, buffer, value);
  desk_write (desk, USER_CPU, &desk->a, buffer, next);
  desk_read (desk, USER_FRAME, &desk->b, buffer, next);
  gst_buffer_unref (buffer);
}

static void
expect_refused (Desk *desk, GstBuffer *buffer)
{
  g_autoptr (GError) error = NULL;
  GstZcFrame frame;

  if (!gst_zc_frame_map (&frame, buffer, &desk->source.info, GST_MAP_WRITE,
          desk->a.zc, &error) &&
      g_error_matches (error, GST_ZC_ERROR, GST_ZC_ERROR_NOT_WRITABLE))
    return;
  order_fault (desk->run, ORDER_ERROR, "shared memory was given to a writer");
}

/* READ and then WRITE of one memory; of a copy that shares it, only READ. */
static void
read_then_write (Desk *desk)
{
  guint8 value = order_new_value (desk->run),
         next = order_new_value (desk->run);
  GstBuffer *buffer = desk_new (desk, USER_FRAME, &desk->a, value);
  GstBuffer *copy = gst_buffer_copy (buffer);

  desk_read (desk, USER_FRAME, &desk->b, copy, value);
  expect_refused (desk, copy);
  expect_refused (desk, buffer);
  gst_buffer_unref (copy);
  desk_read (desk, USER_FRAME, &desk->a, buffer, value);
  desk_write (desk, USER_FRAME,
      order_random (desk->run, 2) ? &desk->a : &desk->b, buffer, next);
  desk_read (desk, USER_FRAME, &desk->a, buffer, next);
  gst_buffer_unref (buffer);
}

/* A CPU has a picture mapped while we read it, and goes on writing: what it
 * wrote last is uploaded inside our next map. */
static void
upload_inside_map (OrderRun *run, gconstpointer data)
{
  guint8 first = order_new_value (run), second = order_new_value (run);
  GstBuffer *buffer;
  GstMapInfo map;
  Desk desk;

  desk_init (&desk, run, SOURCE_POOL);
  buffer = desk_new (&desk, USER_FRAME, &desk.a, first);
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READWRITE));
  memset (map.data, first, map.size);
  desk_read (&desk, USER_FRAME, &desk.b, buffer, first);
  /* A CPU that writes while others read must wait for them. */
  order_settle (run, run->context);
  memset (map.data, second, map.size);
  gst_buffer_unmap (buffer, &map);
  desk_read (&desk, USER_FRAME, &desk.b, buffer, second);
  desk_read (&desk, USER_FRAME, &desk.a, buffer, second);
  gst_buffer_unref (buffer);
  desk_clear (&desk);
}

static guint64
count_uploads (OrderRun *run)
{
  SoftcudaCounters counters = { 0 };

  if (run->panel)
    run->panel->get_counters (&counters);
  return counters.uploads;
}

/* What a CPU wrote last is of no use to who writes a whole new picture, neither
 * at once nor when the memory comes back from its pool. */
static void
stale_upload (OrderRun *run, gconstpointer data)
{
  guint8 value = order_new_value (run);
  gboolean recycled = GPOINTER_TO_UINT (data);
  guint64 before;
  GstBuffer *buffer;
  Desk desk;

  desk_init (&desk, run, SOURCE_POOL);
  buffer = desk_new (&desk, USER_CPU, &desk.a, order_new_value (run));
  before = count_uploads (run);
  if (recycled) {
    gst_buffer_unref (buffer);
    buffer = desk_new (&desk, USER_BRIDGE, &desk.a, value);
  } else {
    desk_write (&desk, USER_FRAME, &desk.a, buffer, value);
  }
  desk_read (&desk, USER_FRAME, &desk.b, buffer, value);
  if (count_uploads (run) != before)
    order_fault (run, ORDER_ERROR, "an old picture was uploaded once more");
  gst_buffer_unref (buffer);
  desk_clear (&desk);
}

/* We read memory that has no stream of its own. Its next user takes it from the
 * pool for idle. */
static void
no_stream (Desk *desk)
{
  guint8 value = order_new_value (desk->run);
  GstBuffer *buffer = desk_new (desk, PICK (desk->run, USER_OTHER, USER_BRIDGE),
      &desk->b, value);

  desk_read (desk, USER_FRAME, &desk->a, buffer, value);
  gst_buffer_unref (buffer);
}

/* Streams come and go; the driver gives a dead one's handle to the next. */
static void
handle_reused (Desk *desk)
{
  guint8 value = order_new_value (desk->run);
  OrderStream writer, reader;
  GstBuffer *buffer;

  order_stream_init (&writer, desk->run->context, ORDER_STREAM_OWN);
  buffer = desk_new (desk, USER_FRAME, &writer, value);
  order_stream_clear (&writer);
  order_stream_init (&reader, desk->run->context, ORDER_STREAM_OWN);
  desk_read (desk, PICK (desk->run, USER_FRAME, USER_ADVERTISED), &reader,
      buffer, value);
  order_stream_clear (&reader);
  order_stream_init (&writer, desk->run->context, ORDER_STREAM_OWN);
  desk_write (desk, USER_FRAME, &writer, buffer, order_new_value (desk->run));
  order_stream_clear (&writer);
  gst_buffer_unref (buffer);
}

/* Operators of another library, each on a stream of its own: the next one reads
 * on the stream that the picture is said to have been written on. */
static void
chain (OrderRun *run, gconstpointer data)
{
  guint steps = order_steps (run, USUAL_STEPS);
  guint8 value = order_new_value (run);
  GstBuffer *buffer;
  Desk desk;

  desk_init (&desk, run, order_random (run, 2) ? SOURCE_POOL : SOURCE_WRAPPED);
  buffer = desk_new (&desk, USER_MARK, &desk.a, value);
  for (guint i = 0; i < steps; i++) {
    GstBuffer *next =
        desk_new (&desk, USER_MARK, &desk.b, value = order_new_value (run));

    desk_read (&desk, USER_ADVERTISED, &desk.a, next, value);
    gst_buffer_unref (buffer);
    buffer = next;
    order_stream_clear (&desk.a);
    order_stream_init (&desk.a, run->context, order_stream_kind (run));
  }
  gst_buffer_unref (buffer);
  desk_clear (&desk);
}

/* An old driver, without an event for a whole context. */
static void
old_driver (OrderRun *run, gconstpointer data)
{
  guint steps = order_steps (run, USUAL_STEPS);
  SourceKind kind = order_random (run, 2) ? SOURCE_POOL : SOURCE_WRAPPED;
  Desk desk;

  if (run->panel)
    run->panel->fail ("cuCtxRecordEvent", 0, 801, 0);
  desk_init (&desk, run, kind);
  for (guint i = 0; i < steps; i++) {
    guint8 value = order_new_value (run);
    GstBuffer *buffer = desk_new (&desk, USER_FRAME, &desk.a, value);
    OrderStream reader;

    desk_read (&desk, PICK (run, USER_FRAME, USER_MARK, USER_BRIDGE, USER_LENT),
        &desk.b, buffer, value);
    /* What a foreign reader's stream must be for the legacy one to see it. */
    order_stream_init (&reader, run->context, ORDER_STREAM_DEFAULT);
    desk_read (&desk, USER_OTHER, &reader, buffer, value);
    gst_buffer_unref (buffer);
    order_stream_clear (&reader);
  }
  desk_clear (&desk);
  if (run->panel)
    run->panel->fail_clear ();
}

const OrderCase hazard_cases[] = {
  { "hazard/foreign-after-read", STEPS (foreign_after_read, SOURCE_POOL) },
  { "hazard/after-foreign", STEPS (after_foreign, SOURCE_POOL) },
  { "hazard/foreign-after-foreign",
      STEPS (foreign_after_foreign, SOURCE_POOL) },
  { "hazard/reader-context", reader_context },
  { "hazard/lent", STEPS (lent, N_SOURCES) },
  { "hazard/cpu-writes-again", STEPS (cpu_writes_again, SOURCE_POOL) },
  { "hazard/cpu-writes-again-foreign",
      STEPS (cpu_writes_again, SOURCE_FOREIGN) },
  { "hazard/read-then-write", STEPS (read_then_write, N_SOURCES) },
  { "hazard/upload-inside-map", upload_inside_map },
  { "hazard/stale-upload", stale_upload },
  { "hazard/recycled-upload", stale_upload, GUINT_TO_POINTER (TRUE) },
  { "hazard/no-stream", STEPS (no_stream, SOURCE_NULL) },
  { "hazard/handle-reused", STEPS (handle_reused, SOURCE_POOL) },
  { "hazard/chain", chain },
  { "hazard/old-driver", old_driver },
  { NULL },
};
