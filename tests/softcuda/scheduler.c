/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "scheduler.h"

#include <pthread.h>

#include "config.h"
#include "context.h"
#include "host.h"
#include "hostclock.h"
#include "lock.h"

#define MS ((int64_t) 1000000)
#define POLL_INTERVAL (MS / 2) /* for what other processes do */
#define WALKS 8

static ScOpList ready;
static ScOpList delays;
static ScOpList running; /* without the lock, on some thread */

static int64_t
lag (void)
{
  switch (sc_config ()->policy) {
    case SC_POLICY_LAZY:
      return MS + (int64_t) sc_random (3 * MS);
    case SC_POLICY_EAGER:
      return 0;
    default:
      return (int64_t) sc_random (2 * MS);
  }
}

static void
start_delay (ScOp *op)
{
  op->state = SC_OP_RUNNING;
  op->due = sc_now () + op->delay;
  sc_op_list_add (&delays, op);
  sc_wake ();
}

void
sc_sched_ready (ScOp *op)
{
  if (op->kind == SC_OP_DELAY) {
    start_delay (op);
    return;
  }
  op->state = SC_OP_READY;
  op->due = sc_now () + lag ();
  sc_op_list_add (&ready, op);
  sc_wake ();
}

static void
run_work (ScOp *op)
{
  if (op->check && !op->check (op))
    return;
  sc_op_list_add (&running, op);
  sc_unlock ();
  op->run (op);
  sc_lock ();
  sc_op_list_remove (&running, op);
  if (op->after_run)
    op->after_run (op);
}

static void
run (ScOp *op)
{
  sc_op_list_remove (&ready, op);
  op->state = SC_OP_RUNNING;
  if (op->kind == SC_OP_HOST) {
    sc_host_queue (op);
    return;
  }
  if (op->kind == SC_OP_WORK && op->ctx->sticky == CUDA_SUCCESS)
    run_work (op);
  sc_op_finish (op);
}

/* A ready operation that @op waits for, found by a random walk; or NULL if the
 * walk ends at one that is running. */
static ScOp *
ready_ancestor (ScOp *op)
{
  while (op->before.n)
    op = op->before.items[sc_random (op->before.n)];
  return op->state == SC_OP_READY ? op : NULL;
}

static ScOp *
pick_for (ScOp *op)
{
  ScOp *found = NULL;

  for (int i = 0; i < WALKS && !found; i++)
    found = ready_ancestor (op);
  return found;
}

static ScOp *
pick_by_rank (void)
{
  ScOp *best = NULL;

  for (unsigned i = 0; i < ready.n; i++)
    if (!best || ready.items[i]->rank > best->rank)
      best = ready.items[i];
  return best;
}

static ScOp *
pick (ScOp *wanted)
{
  if (ready.n == 0)
    return NULL;
  switch (sc_config ()->policy) {
    case SC_POLICY_RANDOM:
      return ready.items[sc_random (ready.n)];
    case SC_POLICY_PRIORITIES:
      return pick_by_rank ();
    case SC_POLICY_EAGER:
      return ready.items[0];
    default:
      return pick_for (wanted);
  }
}

static bool
is_over (ScOp *op, int64_t now)
{
  return op->poll ? op->poll (op) : op->due <= now;
}

static void
end_delays (void)
{
  int64_t now = sc_now ();

  for (unsigned i = delays.n; i-- > 0;) {
    ScOp *op = delays.items[i];
    if (is_over (op, now)) {
      sc_op_list_remove (&delays, op);
      sc_op_finish (op);
    }
  }
}

void
sc_sched_finish (ScOp *op)
{
  while (!sc_op_done (op)) {
    ScOp *next = pick (op);
    if (next)
      run (next);
    else
      sc_wait (INT64_MAX);
  }
  sc_vtime_wait (op->span.end);
}

static void
note_wait (const ScOp *op)
{
  ScTrace trace = { 0 };

  sc_host_saw (&op->clock);
  sc_trace_init (&trace);
  sc_trace_set_target (&trace, &op->trace);
  sc_trace_note (&trace);
}

void
sc_sched_wait (ScOp *op)
{
  sc_sched_finish (op);
  note_wait (op);
}

bool
sc_sched_poll (ScOp *op)
{
  ScOp *next = sc_op_done (op) || sc_chance (2) ? NULL : pick (op);

  if (next) {
    sc_op_ref (op);
    run (next);
    sc_op_unref (op);
  }
  if (!sc_op_done (op))
    return false;
  if (op) {
    sc_vtime_wait (op->span.end);
    note_wait (op);
  }
  return true;
}

void
sc_sched_flush (void)
{
  if (sc_config ()->policy != SC_POLICY_EAGER)
    return;
  while (ready.n)
    run (ready.items[0]);
}

void
sc_sched_wait_idle (ScContext *ctx)
{
  uint64_t limit = ctx->last_pending ? ctx->last_pending->seq : 0;

  while (ctx->pending && ctx->pending->seq <= limit) {
    ScOp *op = sc_op_ref (ctx->pending);
    sc_sched_finish (op);
    sc_op_unref (op);
  }
  sc_vtime_wait (ctx->end);
}

static bool
touches (const ScOp *op, uintptr_t start, size_t size)
{
  for (unsigned i = 0; i < op->n_accesses; i++)
    if (sc_access_meets (&op->accesses[i], start, size))
      return true;
  return false;
}

static ScOp *
running_on (uintptr_t start, size_t size)
{
  for (unsigned i = 0; i < running.n; i++)
    if (touches (running.items[i], start, size))
      return running.items[i];
  return NULL;
}

void
sc_sched_wait_running (uintptr_t start, size_t size)
{
  while (running_on (start, size))
    sc_wait (INT64_MAX);
}

static int64_t
next_time (void)
{
  int64_t next = INT64_MAX;

  for (unsigned i = 0; i < ready.n; i++)
    if (ready.items[i]->due < next)
      next = ready.items[i]->due;
  for (unsigned i = 0; i < delays.n; i++) {
    int64_t due = delays.items[i]->poll ? sc_now () + POLL_INTERVAL
                                        : delays.items[i]->due;
    if (due < next)
      next = due;
  }
  return next;
}

static ScOp *
pick_due (void)
{
  int64_t now = sc_now ();

  for (unsigned i = 0; i < ready.n; i++)
    if (ready.items[i]->due <= now)
      return ready.items[i];
  return NULL;
}

static void *
work (void *data)
{
  sc_lock ();
  for (;;) {
    ScOp *op;
    end_delays ();
    op = pick_due ();
    if (op)
      run (op);
    else
      sc_wait (next_time ());
  }
  return NULL;
}

bool
sc_sched_start (void)
{
  static bool started;
  pthread_t thread;

  if (started)
    return true;
  if (pthread_create (&thread, NULL, work, NULL))
    return false;
  pthread_detach (thread);
  started = true;
  return true;
}
