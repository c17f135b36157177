/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* When the GPU did what was queued: events with timing around each call, read
 * once they have passed. Their times count from an event of the same context
 * whose time the host knows. */

#include "gstzctrace-private.h"

/* Of work that is looked at again with each call. */
#define LOOK_AT 16
/* Elapsed times are floats: a second is told to 60 ns. */
#define MAX_ELAPSED_NS G_GINT64_CONSTANT (1000000000)
#define NS_PER_MS 1e6

/* An event that has passed. */
typedef struct
{
  gint refs;
  CUevent event;
  gint64 time; /* ns, in the host's time */
} Base;

/* Of one context. */
typedef struct
{
  CUcontext context;
  CUstream stream; /* for bases alone, so that they pass at once */
  Base *base;
  GQueue pending; /* of ZcTraceWork */
  GPtrArray *idle; /* of CUevent */
} Clock;

struct _ZcTraceWork
{
  Clock *clock;
  Base *base;
  CUevent start;
  CUevent end;
  GstZcTraceWork told;
};

static GMutex lock; /* of all that follows and all clocks */
static GSList *clocks;
static guint64 last_number;

static CUevent
take_event (Clock *clock)
{
  CUevent event = NULL;

  if (clock->idle->len > 0)
    return g_ptr_array_steal_index_fast (clock->idle, clock->idle->len - 1);
  zc_trace_real.cuEventCreate (&event, CU_EVENT_DEFAULT);
  return event;
}

static void
give_event (Clock *clock, CUevent event)
{
  if (event)
    g_ptr_array_add (clock->idle, event);
}

static void
base_unref (Clock *clock, Base *base)
{
  if (!base || --base->refs > 0)
    return;
  give_event (clock, base->event);
  g_free (base);
}

/* Waits for an event on an idle stream. */
static Base *
base_new (Clock *clock)
{
  CUevent event = take_event (clock);
  Base *base;

  if (!event)
    return NULL;
  if (zc_trace_real.cuEventRecord (event, clock->stream) ||
      zc_trace_real.cuEventSynchronize (event)) {
    give_event (clock, event);
    return NULL;
  }
  base = g_new (Base, 1);
  *base = (Base) { 1, event, gst_util_get_timestamp () };
  return base;
}

static gboolean
elapsed (const Base *base, CUevent event, gint64 *time)
{
  float ms;

  if (zc_trace_real.cuEventElapsedTime (&ms, base->event, event))
    return FALSE;
  *time = base->time + (gint64) (ms * NS_PER_MS);
  return TRUE;
}

/* By the GPU's clock, so that times do not jump. */
static void
renew_base (Clock *clock)
{
  gint64 age = (gint64) gst_util_get_timestamp () - clock->base->time;
  Base *base;

  if (age < MAX_ELAPSED_NS)
    return;
  base = base_new (clock);
  if (!base)
    return;
  elapsed (clock->base, base->event, &base->time);
  base_unref (clock, clock->base);
  clock->base = base;
}

static Clock *
clock_new (CUcontext context)
{
  Clock *clock = g_new0 (Clock, 1);

  clock->context = context;
  clock->idle = g_ptr_array_new ();
  zc_trace_real.cuStreamCreate (&clock->stream, CU_STREAM_NON_BLOCKING);
  clock->base = base_new (clock);
  clocks = g_slist_prepend (clocks, clock);
  return clock;
}

static Clock *
clock_find (CUcontext context)
{
  for (GSList *link = clocks; link; link = link->next)
    if (((Clock *) link->data)->context == context)
      return link->data;
  return NULL;
}

static void
work_free (ZcTraceWork *work)
{
  Clock *clock = work->clock;

  give_event (clock, work->start);
  give_event (clock, work->end);
  base_unref (clock, work->base);
  g_free (work);
}

/* After an error, too: nothing comes any more. */
static gboolean
has_passed (const ZcTraceWork *work, gboolean wait)
{
  if (wait)
    zc_trace_real.cuEventSynchronize (work->end);
  return wait || zc_trace_real.cuEventQuery (work->end) != CUDA_ERROR_NOT_READY;
}

static void
tell (ZcTraceWork *work)
{
  const GstZcTraceFuncs *funcs = zc_trace_funcs ();
  GstZcTraceWork *told = &work->told;

  if (funcs && funcs->work && elapsed (work->base, work->start, &told->start) &&
      elapsed (work->base, work->end, &told->end))
    funcs->work (told);
}

static gboolean
holds (gpointer *array, guint n, gpointer item)
{
  for (guint i = 0; i < n; i++)
    if (array[i] == item)
      return TRUE;
  return FALSE;
}

/* Streams overtake each other, so not the first alone; what is told of one
 * stream is told in its order. With the lock. */
static void
settle (Clock *clock, gboolean all)
{
  GList *link = clock->pending.head, *next;
  gpointer busy[LOOK_AT];
  guint n_busy = 0;

  for (guint n = 0; link && (all || n < LOOK_AT); n++, link = next) {
    ZcTraceWork *work = link->data;

    next = link->next;
    if (holds (busy, n_busy, work->told.stream))
      continue;
    if (!has_passed (work, all)) {
      busy[n_busy++] = work->told.stream;
      continue;
    }
    tell (work);
    work_free (work);
    g_queue_delete_link (&clock->pending, link);
  }
}

static ZcTraceWork *
work_new (Clock *clock, CUstream stream)
{
  ZcTraceWork *work = g_new0 (ZcTraceWork, 1);

  work->clock = clock;
  work->base = clock->base;
  work->base->refs++;
  work->start = take_event (clock);
  work->end = take_event (clock);
  work->told.number = ++last_number;
  work->told.context = clock->context;
  work->told.stream = stream;
  if (work->start && work->end &&
      zc_trace_real.cuEventRecord (work->start, stream) == CUDA_SUCCESS)
    return work;
  work_free (work);
  return NULL;
}

ZcTraceWork *
zc_trace_work_begin (CUcontext context, CUstream stream)
{
  ZcTraceWork *work = NULL;
  Clock *clock;

  g_mutex_lock (&lock);
  clock = clock_find (context);
  if (!clock)
    clock = clock_new (context);
  if (clock->base) {
    settle (clock, FALSE);
    renew_base (clock);
    work = work_new (clock, stream);
  }
  g_mutex_unlock (&lock);
  return work;
}

void
zc_trace_work_end (ZcTraceWork *work, gboolean queued, GstZcTraceCall *call)
{
  g_mutex_lock (&lock);
  if (queued &&
      zc_trace_real.cuEventRecord (work->end, call->stream) == CUDA_SUCCESS) {
    work->told.name = call->name;
    work->told.deed = call->deed;
    work->told.bytes = call->bytes;
    call->work = work->told.number;
    g_queue_push_tail (&work->clock->pending, work);
  } else {
    work_free (work);
  }
  g_mutex_unlock (&lock);
}

static void
clock_free (Clock *clock)
{
  base_unref (clock, clock->base);
  for (guint i = 0; i < clock->idle->len; i++)
    zc_trace_real.cuEventDestroy (g_ptr_array_index (clock->idle, i));
  g_ptr_array_unref (clock->idle);
  if (clock->stream)
    zc_trace_real.cuStreamDestroy (clock->stream);
  g_free (clock);
}

void
zc_trace_work_context_ends (CUcontext context)
{
  Clock *clock;

  zc_trace_enter_own_call ();
  g_mutex_lock (&lock);
  clock = clock_find (context);
  if (clock) {
    settle (clock, TRUE);
    clocks = g_slist_remove (clocks, clock);
    clock_free (clock);
  }
  g_mutex_unlock (&lock);
  zc_trace_leave_own_call ();
}

void
gst_zc_trace_finish_work (void)
{
  zc_trace_enter_own_call ();
  g_mutex_lock (&lock);
  for (GSList *link = clocks; link; link = link->next) {
    Clock *clock = link->data;
    CUcontext popped;

    if (zc_trace_real.cuCtxPushCurrent (clock->context))
      continue;
    settle (clock, TRUE);
    zc_trace_real.cuCtxPopCurrent (&popped);
  }
  g_mutex_unlock (&lock);
  zc_trace_leave_own_call ();
}
