/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "vtime.h"

#include <string.h>

#include "blocks.h"
#include "call.h"
#include "context.h"
#include "thread.h"

/* All as measured on an H200; what was not, is taken to be like its kin. */
#define CALL_COST 30
#define SUBMIT_COST 3700
#define WAIT_COST 5400

typedef struct
{
  const char *prefix;
  int64_t cost;
} CallCost;

static const CallCost call_costs[] = {
  { "cuLaunch", SUBMIT_COST },
  { "cuMemcpy", SUBMIT_COST },
  { "cuMemset", SUBMIT_COST },
  { "cuEventRecord", 290 },
  { "cuStreamWaitEvent", 210 },
  { "cuEventQuery", 300 },
  { "cuStreamQuery", 300 },
  { "cuEventSynchronize", WAIT_COST },
  { "cuStreamSynchronize", WAIT_COST },
  { "cuCtxSynchronize", WAIT_COST },
  { "cuMemHostRegister", 1000000 },
};

static const struct
{
  ScEngine engine;
  int64_t rate; /* bytes a us */
} rates[] = {
  [SC_RATE_UPLOAD] = { SC_ENGINE_UPLOAD, 53200 },
  [SC_RATE_UPLOAD_PAGEABLE] = { SC_ENGINE_UPLOAD, 14000 },
  [SC_RATE_DOWNLOAD] = { SC_ENGINE_DOWNLOAD, 53900 },
  [SC_RATE_DOWNLOAD_PAGEABLE] = { SC_ENGINE_DOWNLOAD, 13800 },
  [SC_RATE_DEVICE] = { SC_ENGINE_COMPUTE, 4290000 },
  [SC_RATE_DEVICE_ROWS] = { SC_ENGINE_COMPUTE, 1716000 },
};

static int64_t base, last;
static int64_t scale = 1; /* each byte counts as so many */

static int64_t
latest (int64_t a, int64_t b)
{
  return a > b ? a : b;
}

static int64_t
now (void)
{
  return latest (sc_thread ()->vtime, base);
}

static void
move_to (int64_t time)
{
  sc_thread ()->vtime = latest (now (), time);
  last = latest (last, sc_thread ()->vtime);
}

static int64_t
time_of (ScRate rate, uint64_t bytes)
{
  return (int64_t) bytes * scale * 1000 / rates[rate].rate;
}

static int64_t
cost_of (const char *name)
{
  for (unsigned i = 0; i < sizeof call_costs / sizeof *call_costs; i++)
    if (!strncmp (name, call_costs[i].prefix, strlen (call_costs[i].prefix)))
      return call_costs[i].cost;
  return CALL_COST;
}

void
sc_vtime_call (ScCall *call)
{
  if (call->cost == 0)
    call->cost = cost_of (call->name);
  move_to (now () + call->cost);
}

void
sc_vtime_stage (uint64_t bytes)
{
  move_to (now () + time_of (SC_RATE_UPLOAD_PAGEABLE, bytes));
}

void
sc_vtime_set_work (ScOp *op, ScRate rate, uint64_t bytes)
{
  op->span.engine = rates[rate].engine;
  op->span.cost = time_of (rate, bytes);
}

/* Whoever reads got the memory from who wrote it; whoever writes, from all. */
static void
take_over (const ScAccess *access)
{
  const ScBlock *block = sc_memory_find (access->start);

  if (block)
    move_to (access->write ? latest (block->written_at, block->read_at)
                           : block->written_at);
}

static void
leave (const ScAccess *access)
{
  ScBlock *block = sc_memory_find (access->start);

  if (block)
    *(access->write ? &block->written_at : &block->read_at) = now ();
}

void
sc_vtime_submit (ScOp *op)
{
  for (unsigned i = 0; i < op->n_accesses; i++)
    take_over (&op->accesses[i]);
  for (unsigned i = 0; i < op->n_accesses; i++)
    leave (&op->accesses[i]);
  op->span.ready = latest (op->span.ready, now ());
}

void
sc_vtime_follow (ScOp *op, const ScOp *earlier)
{
  op->span.ready = latest (op->span.ready, earlier->span.end);
}

void
sc_vtime_finish (ScOp *op)
{
  ScContext *ctx = op->ctx;
  ScSpan *span = &op->span;

  span->end =
      sc_engine_take (ctx->device, span->engine, span->ready, span->cost);
  ctx->end = latest (ctx->end, span->end);
  if (op->blocking)
    ctx->blocking_end = latest (ctx->blocking_end, span->end);
  last = latest (last, span->end);
}

void
sc_vtime_wait (int64_t end)
{
  move_to (end);
}

void
sc_vtime_reset (void)
{
  base = last;
  sc_engine_reset ();
}

void
sc_vtime_set_scale (unsigned new_scale)
{
  scale = new_scale;
}

int64_t
sc_vtime_makespan (void)
{
  return last - base;
}
