/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The reaper lets go of things when the GPU is done with them. */

#include <gst/zc/gstzcreaper.h>

#include "cudatest.h"

#define DELAY_MS 40

typedef struct
{
  GMutex lock;
  GCond changed;
  gint64 when;                  /* monotonic, us; 0 before the call */
  guint calls;
} Call;

static void
note_call (gpointer data)
{
  Call *call = data;

  g_mutex_lock (&call->lock);
  call->when = g_get_monotonic_time ();
  call->calls++;
  g_cond_broadcast (&call->changed);
  g_mutex_unlock (&call->lock);
}

static void
wait_for_call (Call *call)
{
  gint64 end = g_get_monotonic_time () + 10 * G_TIME_SPAN_SECOND;

  g_mutex_lock (&call->lock);
  while (!call->calls && g_cond_wait_until (&call->changed, &call->lock, end))
    ;
  g_assert_cmpuint (call->calls, ==, 1);
  g_mutex_unlock (&call->lock);
}

static void
test_after_work (void)
{
  GstCudaContext *context = cuda_test_context (0);
  GstZcStream *stream;
  Call call = { 0 };
  gint64 start;

  if (!context)
    return;
  stream = gst_zc_stream_new (context, NULL);
  start = g_get_monotonic_time ();
  cuda_test_delay (stream, DELAY_MS);
  zc_reaper_add (&stream->key, note_call, &call, NULL);
  wait_for_call (&call);
  g_assert_cmpint (call.when - start, >=, DELAY_MS * 1000);
  gst_zc_stream_unref (stream);
  gst_object_unref (context);
}

/* A slow stream starves no other. */
static void
test_fifo_a_stream (void)
{
  GstCudaContext *context = cuda_test_context (0);
  GstZcStream *slow, *fast;
  Call late = { 0 }, soon = { 0 };

  if (!context)
    return;
  slow = gst_zc_stream_new (context, NULL);
  fast = gst_zc_stream_new (context, NULL);
  cuda_test_delay (slow, 200);
  zc_reaper_add (&slow->key, note_call, &late, NULL);
  zc_reaper_add (&fast->key, note_call, &soon, NULL);
  wait_for_call (&soon);
  wait_for_call (&late);
  gst_zc_stream_unref (slow);
  gst_zc_stream_unref (fast);
  gst_object_unref (context);
}

static void
test_drain (void)
{
  GstCudaContext *context = cuda_test_context (0);
  GstZcStream *mine, *other;
  Call call = { 0 }, theirs = { 0 };

  if (!context)
    return;
  mine = gst_zc_stream_new (context, NULL);
  other = gst_zc_stream_new (context, NULL);
  cuda_test_delay (mine, DELAY_MS);
  cuda_test_delay (other, 5 * DELAY_MS);
  zc_reaper_add (&mine->key, note_call, &call, mine);
  zc_reaper_add (&other->key, note_call, &theirs, other);
  zc_reaper_drain (mine->key.context, mine);
  g_assert_cmpuint (call.calls, ==, 1);
  zc_reaper_drain (other->key.context, other);
  g_assert_cmpuint (theirs.calls, ==, 1);
  gst_zc_stream_unref (mine);
  gst_zc_stream_unref (other);
  gst_object_unref (context);
}

/* What an owner hears when its memory comes back may be the moment to stop a
 * pipeline, which drains. */
static void
drain_and_note (gpointer data)
{
  GstZcStream *stream = ((gpointer *) data)[0];

  zc_reaper_drain (stream->key.context, stream);
  note_call (((gpointer *) data)[1]);
}

static void
test_drain_inside (void)
{
  GstCudaContext *context = cuda_test_context (0);
  GstZcStream *stream;
  Call call = { 0 };
  gpointer both[2];

  if (!context)
    return;
  stream = gst_zc_stream_new (context, NULL);
  both[0] = stream;
  both[1] = &call;
  zc_reaper_add (&stream->key, drain_and_note, both, stream);
  wait_for_call (&call);
  zc_reaper_drain (stream->key.context, stream);
  gst_zc_stream_unref (stream);
  gst_object_unref (context);
}

typedef struct
{
  GMutex lock;
  GCond changed;
  guint inside; /* of the two functions */
  GstZcStream *stream[2];
  Call call[2];
} Pair;

static void
meet (Pair *pair)
{
  gint64 end = g_get_monotonic_time () + 10 * G_TIME_SPAN_SECOND;

  g_mutex_lock (&pair->lock);
  pair->inside++;
  g_cond_broadcast (&pair->changed);
  while (pair->inside < 2 &&
      g_cond_wait_until (&pair->changed, &pair->lock, end))
    ;
  g_mutex_unlock (&pair->lock);
}

static void
drain_other (Pair *pair, guint self)
{
  GstZcStream *other = pair->stream[1 - self];

  meet (pair);
  zc_reaper_drain (other->key.context, other);
  note_call (&pair->call[self]);
}

static void
drain_second (gpointer pair)
{
  drain_other (pair, 0);
}

static void
drain_first (gpointer pair)
{
  drain_other (pair, 1);
}

/* Each stops a pipeline of the other's context. */
static void
test_drain_each_other (void)
{
  GstCudaContext *context = cuda_test_context (0);
  GstCudaContext *own = context ? gst_cuda_context_new (0) : NULL;
  Pair pair = { 0 };

  if (!context)
    return;
  g_assert_nonnull (own);
  pair.stream[0] = gst_zc_stream_new (context, NULL);
  pair.stream[1] = gst_zc_stream_new (own, NULL);
  zc_reaper_add (&pair.stream[0]->key, drain_second, &pair, pair.stream[0]);
  zc_reaper_add (&pair.stream[1]->key, drain_first, &pair, pair.stream[1]);
  for (guint i = 0; i < 2; i++) {
    wait_for_call (&pair.call[i]);
    zc_reaper_drain (pair.stream[i]->key.context, pair.stream[i]);
  }
  for (guint i = 0; i < 2; i++)
    gst_zc_stream_unref (pair.stream[i]);
  gst_object_unref (own);
  gst_object_unref (context);
}

static void
drop_stream (gpointer stream)
{
  gst_zc_stream_unref (stream);
}

/* The last user of a context may be an item: the thread ends itself. */
static void
test_last_reference (void)
{
  GstCudaContext *context = cuda_test_context (0);

  if (!context)
    return;
  for (guint i = 0; i < 50; i++) {
    GstZcStream *stream = gst_zc_stream_new (context, NULL);

    zc_reaper_add (&stream->key, drop_stream, stream, NULL);
  }
  g_usleep (50000);
  gst_object_unref (context);
}

#define MANY 100
/* So many items of a stream the reaper leaves to its thread. */
#define MOST_WAITING 16
/* So many add another one. */
#define MORE 3

typedef struct
{
  GstCudaContext *context;
  GstZcStream *stream;
  GThread *adder;
  GMutex lock;
  GCond changed;
  gboolean busy;                /* the reaper's thread is in occupy() */
  gboolean release;
  gint more;                    /* so many calls on the adder add */
  gint added;
  gboolean inside;              /* of note_thread() on the adder */
  gint on_adder, on_thread;     /* calls of note_thread() */
} Backlog;

static void
occupy (gpointer data)
{
  Backlog *backlog = data;

  g_mutex_lock (&backlog->lock);
  backlog->busy = TRUE;
  g_cond_broadcast (&backlog->changed);
  while (!backlog->release)
    g_cond_wait (&backlog->changed, &backlog->lock);
  g_mutex_unlock (&backlog->lock);
}

static void
set_released (Backlog *backlog)
{
  g_mutex_lock (&backlog->lock);
  backlog->release = TRUE;
  g_cond_broadcast (&backlog->changed);
  g_mutex_unlock (&backlog->lock);
}

static void add_one (Backlog *backlog);

/* Drains, as an owner does that stops its pipeline, and adds. */
static void
note_thread (gpointer data)
{
  Backlog *backlog = data;

  zc_reaper_drain (backlog->stream->key.context, backlog);
  if (g_thread_self () != backlog->adder) {
    g_atomic_int_inc (&backlog->on_thread);
    return;
  }
  g_assert_false (backlog->inside);
  backlog->inside = TRUE;
  if (backlog->on_adder++ < backlog->more)
    add_one (backlog);
  backlog->inside = FALSE;
}

/* One that is done when this returns. */
static void
add_one (Backlog *backlog)
{
  backlog->added++;
  zc_reaper_add (&backlog->stream->key, note_thread, backlog, backlog);
  cuda_test_synchronize (backlog->context);
}

/* With the reaper's thread busy. */
static gboolean
backlog_init (Backlog *self, gint more)
{
  GstZcStream *other;

  *self = (Backlog) { .adder = g_thread_self (), .more = more };
  self->context = cuda_test_context (0);
  if (!self->context)
    return FALSE;
  other = gst_zc_stream_new (self->context, NULL);
  self->stream = gst_zc_stream_new (self->context, NULL);
  zc_reaper_add (&other->key, occupy, self, self);
  g_mutex_lock (&self->lock);
  while (!self->busy)
    g_cond_wait (&self->changed, &self->lock);
  g_mutex_unlock (&self->lock);
  gst_zc_stream_unref (other);
  return TRUE;
}

static void
backlog_clear (Backlog *self)
{
  set_released (self);
  zc_reaper_drain (self->stream->key.context, self);
  g_assert_cmpint (self->on_adder + g_atomic_int_get (&self->on_thread), ==,
      self->added);
  gst_zc_stream_unref (self->stream);
  gst_object_unref (self->context);
}

/* Where the thread does not get to run, items do not pile up. */
static void
test_backlog (void)
{
  Backlog backlog;

  if (!backlog_init (&backlog, MORE))
    return;
  for (guint i = 0; i < MANY; i++) {
    add_one (&backlog);
    g_assert_cmpint (backlog.added - backlog.on_adder, <=, MOST_WAITING + MORE);
  }
  g_assert_cmpint (backlog.on_adder, >, MORE);
  backlog_clear (&backlog);
}

/* Who helps is not kept by what is added meanwhile. */
static void
test_endless_backlog (void)
{
  Backlog backlog;

  if (!backlog_init (&backlog, MANY))
    return;
  while (backlog.on_adder == 0 && backlog.added < MANY)
    add_one (&backlog);
  g_assert_cmpint (backlog.on_adder, >, 0);
  g_assert_cmpint (backlog.on_adder, <=, MOST_WAITING + 1);
  backlog_clear (&backlog);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  g_test_add_func ("/reaper/after-work", test_after_work);
  g_test_add_func ("/reaper/fifo-a-stream", test_fifo_a_stream);
  g_test_add_func ("/reaper/drain", test_drain);
  g_test_add_func ("/reaper/drain-inside", test_drain_inside);
  g_test_add_func ("/reaper/drain-each-other", test_drain_each_other);
  g_test_add_func ("/reaper/backlog", test_backlog);
  g_test_add_func ("/reaper/endless-backlog", test_endless_backlog);
  g_test_add_func ("/reaper/last-reference", test_last_reference);
  return g_test_run ();
}
