/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "context.h"

#include "call.h"
#include "hostclock.h"
#include "lock.h"
#include "blocks.h"
#include "module.h"
#include "peer.h"
#include "pool.h"
#include "report.h"
#include "scheduler.h"
#include "stream.h"
#include "thread.h"

static ScPool pool = SC_POOL_INIT (ScContext);
static uint64_t last_id;
static ScContext *alive;

CUresult
sc_context_revive (ScContext *ctx)
{
  ctx->legacy = sc_stream_new (ctx, CU_STREAM_DEFAULT, 0);
  if (!ctx->legacy)
    return CUDA_ERROR_OUT_OF_MEMORY;
  ctx->legacy->legacy = true;
  ctx->id = ++last_id;
  ctx->sticky = CUDA_SUCCESS;
  ctx->alive = true;
  ctx->next = alive;
  alive = ctx;
  return CUDA_SUCCESS;
}

ScContext *
sc_context_new (int device, unsigned flags, bool primary)
{
  ScContext *ctx = sc_pool_take (&pool);

  if (!ctx)
    return NULL;
  ctx->device = device;
  ctx->flags = flags;
  ctx->primary = primary;
  ctx->api_version = 3020;
  if (!primary && sc_context_revive (ctx) != CUDA_SUCCESS)
    return NULL;
  return ctx;
}

void
sc_context_for_each (void (*func) (ScContext *ctx, ScCapture *),
    ScCapture *capture)
{
  for (ScContext *ctx = alive; ctx; ctx = ctx->next)
    func (ctx, capture);
}

static void
unlink_alive (ScContext *ctx)
{
  ScContext **link = &alive;

  while (*link != ctx)
    link = &(*link)->next;
  *link = ctx->next;
}

void
sc_context_wait (ScContext *ctx)
{
  ScClock clock = { 0 };

  sc_stream_join_all (ctx, &clock);
  sc_sched_wait_idle (ctx);
  sc_host_saw (&clock);
  sc_clock_clear (&clock);
}

void
sc_context_destroy (ScContext *ctx)
{
  sc_context_wait (ctx);
  ctx->alive = false;
  sc_wake (); /* its thread for host functions ends */
  unlink_alive (ctx);
  sc_op_clear_ref (&ctx->fence);
  sc_module_unload_all (ctx);
  sc_memory_free_all (ctx);
  sc_peer_forget (ctx);
  while (ctx->streams)
    sc_stream_destroy (ctx->streams);
  ctx->legacy = NULL;
  sc_clock_clear (&ctx->dead_blocking);
  sc_clock_clear (&ctx->dead_streams);
}

bool
sc_context_valid (const ScContext *ctx)
{
  return sc_pool_live (&pool, ctx);
}

CUresult
sc_context_check (const ScContext *ctx)
{
  if (!sc_context_valid (ctx))
    return CUDA_ERROR_INVALID_CONTEXT;
  return ctx->alive ? CUDA_SUCCESS : CUDA_ERROR_CONTEXT_IS_DESTROYED;
}

CUresult
sc_context_check_current (void)
{
  const ScContext *ctx = sc_thread_current ();

  if (!ctx)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (!ctx->alive) {
    sc_report ("the current context %p is destroyed", (void *) ctx);
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  }
  return ctx->sticky;
}

void
sc_context_lose (ScContext *ctx, CUresult error)
{
  if (ctx->sticky == CUDA_SUCCESS)
    ctx->sticky = error;
}

unsigned
sc_context_count (void)
{
  unsigned n = 0;

  for (const ScContext *ctx = alive; ctx; ctx = ctx->next)
    n++;
  return n;
}

unsigned
sc_context_streams (void)
{
  unsigned n = 0;

  for (const ScContext *ctx = alive; ctx; ctx = ctx->next)
    for (const ScStream *stream = ctx->streams; stream; stream = stream->next)
      n += !stream->legacy && !stream->thread;
  return n;
}

unsigned
sc_context_operations (void)
{
  unsigned n = 0;

  for (const ScContext *ctx = alive; ctx; ctx = ctx->next)
    for (const ScOp *op = ctx->pending; op; op = op->next)
      n++;
  return n;
}

static bool
holds (const ScOp *op, uintptr_t start, size_t size)
{
  for (unsigned i = 0; i < op->n_accesses; i++)
    if (op->accesses[i].held && sc_access_meets (&op->accesses[i], start, size))
      return true;
  return false;
}

ScOp *
sc_context_holder (uintptr_t start, size_t size)
{
  for (ScContext *ctx = alive; ctx; ctx = ctx->next)
    for (ScOp *op = ctx->pending; op; op = op->next)
      if (holds (op, start, size))
        return op;
  return NULL;
}

void
sc_context_drain (void)
{
  while (sc_context_operations ())
    for (ScContext *ctx = alive; ctx; ctx = ctx->next)
      if (ctx->pending) {
        sc_context_wait (ctx);
        break;
      }
}
