/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "stream.h"

#include "call.h"
#include "config.h"
#include "context.h"
#include "counters.h"
#include "hostclock.h"
#include "pool.h"
#include "race.h"
#include "report.h"
#include "scheduler.h"
#include "thread.h"

static ScPool pool = SC_POOL_INIT (ScStream);
static uint64_t last_id;

ScStream *
sc_stream_new (ScContext *ctx, unsigned flags, int priority)
{
  ScStream *stream = sc_pool_take (&pool);

  if (!stream)
    return NULL;
  stream->ctx = ctx;
  stream->ctx_id = ctx->id;
  stream->flags = flags;
  stream->priority = priority;
  stream->id = ++last_id;
  stream->actor = sc_actor_new (&stream->clock);
  stream->rank = (unsigned) sc_random (1000);
  stream->next = ctx->streams;
  ctx->streams = stream;
  return stream;
}

static bool
is_blocking (const ScStream *stream)
{
  return !(stream->flags & CU_STREAM_NON_BLOCKING);
}

void
sc_stream_destroy (ScStream *stream)
{
  ScStream **link = &stream->ctx->streams;

  while (*link != stream)
    link = &(*link)->next;
  sc_capture_forget (stream);
  *link = stream->next;
  if (is_blocking (stream))
    sc_clock_join (&stream->ctx->dead_blocking, &stream->clock);
  sc_clock_join (&stream->ctx->dead_streams, &stream->clock);
  sc_op_clear_ref (&stream->tail);
  sc_actor_retire (stream->actor, sc_clock_get (&stream->clock, stream->actor));
  sc_clock_clear (&stream->clock);
  sc_pool_give (&pool, stream);
}

static CUresult
per_thread_stream (ScContext *ctx, ScStream **found)
{
  unsigned id = sc_thread ()->id;

  for (ScStream *stream = ctx->streams; stream; stream = stream->next)
    if (stream->thread == id) {
      *found = stream;
      return CUDA_SUCCESS;
    }
  *found = sc_stream_new (ctx, CU_STREAM_DEFAULT, 0);
  if (!*found)
    return CUDA_ERROR_OUT_OF_MEMORY;
  (*found)->thread = id;
  return CUDA_SUCCESS;
}

CUresult
sc_stream_find (CUstream handle, ScStream **stream)
{
  ScContext *ctx = sc_thread_current ();

  if (handle == NULL || handle == CU_STREAM_LEGACY) {
    *stream = ctx->legacy;
    return CUDA_SUCCESS;
  }
  if (handle == CU_STREAM_PER_THREAD)
    return per_thread_stream (ctx, stream);
  if (!sc_pool_live (&pool, handle)) {
    sc_report ("stream %p is destroyed or none", (void *) handle);
    return CUDA_ERROR_INVALID_HANDLE;
  }
  *stream = handle;
  return CUDA_SUCCESS;
}

CUresult
sc_stream_resolve (CUstream handle, ScStream **stream)
{
  CUresult result = sc_stream_find (handle, stream);

  return result == CUDA_SUCCESS ? sc_capture_check_work (*stream) : result;
}

/* What each later operation of the legacy stream waits for: the last one of
 * every blocking stream, those of destroyed streams included. */
static void
follow_blocking (ScContext *ctx, ScOp *op)
{
  for (ScOp *other = ctx->pending; other; other = other->next)
    if (other->blocking && !other->superseded)
      sc_op_after (op, other);
  for (const ScStream *s = ctx->streams; s; s = s->next)
    if (is_blocking (s))
      sc_clock_join (&op->clock, &s->clock);
  sc_clock_join (&op->clock, &ctx->dead_blocking);
  op->span.ready = ctx->blocking_end;
}

void
sc_stream_join_all (const ScContext *ctx, ScClock *clock)
{
  for (const ScStream *s = ctx->streams; s; s = s->next)
    sc_clock_join (clock, &s->clock);
  sc_clock_join (clock, &ctx->dead_streams);
}

void
sc_stream_saw_blocking (const ScContext *ctx)
{
  for (const ScStream *s = ctx->streams; s; s = s->next)
    if (is_blocking (s))
      sc_host_saw (&s->clock);
  sc_host_saw (&ctx->dead_blocking);
}

void
sc_stream_follow_all (ScContext *ctx, ScOp *op)
{
  for (ScOp *other = ctx->pending; other; other = other->next)
    if (!other->superseded)
      sc_op_after (op, other);
  sc_stream_join_all (ctx, &op->clock);
}

static void
follow_stream (ScStream *stream, ScOp *op)
{
  sc_op_after (op, stream->tail);
  if (stream->tail)
    stream->tail->superseded = true;
  sc_clock_join (&op->clock, &stream->clock);
}

static void
stamp (ScStream *stream, ScOp *op)
{
  ScTrace *trace = &op->trace;

  sc_clock_join (&op->clock, &sc_thread ()->clock);
  trace->ctx = stream->ctx;
  trace->stream = stream->id;
  trace->blocking = is_blocking (stream);
  trace->legacy = stream->legacy;
  trace->actor = stream->actor;
  trace->tick = sc_clock_tick (&op->clock, stream->actor);
  sc_clock_join (&stream->clock, &op->clock);
  sc_trace_note (trace);
}

void
sc_stream_push (ScStream *stream, ScOp *op)
{
  ScContext *ctx = stream->ctx;

  if (stream->capture) {
    sc_capture_add (stream, op);
    return;
  }
  op->blocking = is_blocking (stream);
  op->rank = stream->rank;
  if (stream->legacy)
    follow_blocking (ctx, op);
  else if (op->blocking)
    sc_op_after (op, ctx->legacy->tail);
  sc_op_after (op, ctx->fence);
  follow_stream (stream, op);
  stamp (stream, op);
  sc_race_check (op);
  sc_op_clear_ref (&stream->tail);
  stream->tail = sc_op_ref (op);
  sc_op_submit (op);
  sc_sched_flush ();
}
