/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "op.h"

#include <stdlib.h>
#include <string.h>

#include "context.h"
#include "lock.h"
#include "scheduler.h"

static uint64_t last_seq;

ScOp *
sc_op_new (ScOpKind kind, ScContext *ctx, size_t data_size)
{
  ScOp *op = calloc (1, sizeof *op + data_size);

  if (!op)
    return NULL;
  op->refs = 1;
  op->kind = kind;
  op->ctx = ctx;
  op->data_size = data_size;
  op->span.engine = SC_ENGINE_NONE;
  sc_trace_init (&op->trace);
  return op;
}

ScOp *
sc_op_clone (const ScOp *op, ScContext *ctx)
{
  ScOp *clone = sc_op_new (op->kind, ctx, op->data_size);

  if (!clone)
    return NULL;
  for (unsigned i = 0; i < op->n_accesses; i++)
    sc_op_add_access (clone, op->accesses[i]);
  clone->trace.kernel = op->trace.kernel;
  clone->span = op->span;
  clone->delay = op->delay;
  clone->check = op->check;
  clone->poll = op->poll;
  clone->run = op->run;
  clone->after_run = op->after_run;
  clone->clear = op->clear;
  memcpy (clone->data, op->data, op->data_size);
  return clone;
}

ScOp *
sc_op_ref (ScOp *op)
{
  op->refs++;
  return op;
}

void
sc_op_unref (ScOp *op)
{
  if (!op || --op->refs > 0)
    return;
  if (op->clear)
    op->clear (op);
  free (op->before.items);
  free (op->after.items);
  free (op->accesses);
  sc_clock_clear (&op->clock);
  free (op);
}

void
sc_op_clear_ref (ScOp **op)
{
  ScOp *old = *op;

  *op = NULL;
  sc_op_unref (old);
}

void
sc_op_add_access (ScOp *op, ScAccess access)
{
  op->accesses =
      realloc (op->accesses, (op->n_accesses + 1) * sizeof *op->accesses);
  if (!op->accesses)
    abort ();
  op->accesses[op->n_accesses++] = access;
}

bool
sc_op_done (const ScOp *op)
{
  return !op || op->state == SC_OP_DONE;
}

void
sc_op_after (ScOp *op, ScOp *earlier)
{
  if (!earlier)
    return;
  sc_clock_join (&op->clock, &earlier->clock);
  if (sc_op_done (earlier)) {
    sc_vtime_follow (op, earlier);
    return;
  }
  sc_op_list_add (&op->before, sc_op_ref (earlier));
  sc_op_list_add (&earlier->after, op);
}

static void
link_pending (ScOp *op)
{
  ScContext *ctx = op->ctx;

  op->prev = ctx->last_pending;
  if (op->prev)
    op->prev->next = op;
  else
    ctx->pending = op;
  ctx->last_pending = op;
}

static void
unlink_pending (ScOp *op)
{
  ScContext *ctx = op->ctx;

  if (op->prev)
    op->prev->next = op->next;
  else
    ctx->pending = op->next;
  if (op->next)
    op->next->prev = op->prev;
  else
    ctx->last_pending = op->prev;
  op->prev = op->next = NULL;
}

void
sc_op_submit (ScOp *op)
{
  sc_op_ref (op);
  sc_vtime_submit (op);
  op->seq = ++last_seq;
  link_pending (op);
  if (op->before.n == 0)
    sc_sched_ready (op);
}

void
sc_op_finish (ScOp *op)
{
  op->state = SC_OP_DONE;
  op->finished = sc_now ();
  sc_vtime_finish (op);
  unlink_pending (op);
  for (unsigned i = 0; i < op->after.n; i++) {
    ScOp *later = op->after.items[i];
    sc_op_list_remove (&later->before, op);
    sc_vtime_follow (later, op);
    sc_op_unref (op);
    if (later->before.n == 0)
      sc_sched_ready (later);
  }
  op->after.n = 0;
  sc_wake ();
  sc_op_unref (op);
}
