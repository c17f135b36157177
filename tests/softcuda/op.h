/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Operations: the nodes of a graph whose edges are what the rules of CUDA
 * order. A stream is a chain in it, an event points at the node that was last
 * recorded, a wait adds an edge. */

#pragma once

#include "access.h"
#include "clock.h"
#include "cudaapi.h"
#include "oplist.h"
#include "trace.h"
#include "vtime.h"

typedef struct CUctx_st ScContext;
typedef struct CUstream_st ScStream;

typedef enum
{
  SC_OP_MARK, /* nothing but its place in the order */
  SC_OP_WORK, /* copies, memsets, kernels: @run, without the lock */
  SC_OP_HOST, /* @run on the context's thread for host functions */
  SC_OP_DELAY,
} ScOpKind;

typedef enum
{
  SC_OP_BLOCKED,
  SC_OP_READY,
  SC_OP_RUNNING,
  SC_OP_DONE,
} ScOpState;

struct _ScOp
{
  unsigned refs;
  ScOpKind kind;
  ScOpState state;
  ScContext *ctx;
  uint64_t seq;

  ScTrace trace;

  /* Of its stream; copies, since a stream may be gone before its work is. */
  unsigned rank;       /* for SC_POLICY_PRIORITIES */
  bool blocking;       /* takes part in the legacy stream's order */
  bool superseded;     /* a later operation of the stream waits for it */

  ScOpList before; /* held, not yet done */
  ScOpList after;  /* not held */
  ScClock clock;   /* all that happens before it, and itself */
  ScAccess *accesses;
  unsigned n_accesses;
  ScSpan span;

  int64_t due;      /* when it runs although nobody waits for it */
  int64_t delay;    /* of SC_OP_DELAY, in ns */
  int64_t finished; /* when it was done */
  CUresult result;
  bool (*check) (ScOp *op); /* with the lock, before run; false: skip it */
  bool (*poll) (ScOp *op); /* SC_OP_DELAY: done at last? NULL: by time */
  void (*run) (ScOp *op);       /* without the lock */
  void (*after_run) (ScOp *op); /* with it again */
  void (*clear) (ScOp *op);
  size_t data_size;
  ScOp *prev, *next; /* link in ScContext.pending */
  _Alignas (16) char data[];
};

/* All with the lock held. @data_size bytes follow it, zeroed. NULL without
 * memory. The caller owns one reference. */
ScOp *sc_op_new (ScOpKind kind, ScContext *ctx, size_t data_size);
/* The same work once more, for @ctx: what a call queued, before it is ordered. */
ScOp *sc_op_clone (const ScOp *op, ScContext *ctx);
ScOp *sc_op_ref (ScOp *op);
void sc_op_unref (ScOp *op);
void sc_op_clear_ref (ScOp **op);

void sc_op_add_access (ScOp *op, ScAccess access);

/* @op waits for @earlier, which may be NULL or done. */
void sc_op_after (ScOp *op, ScOp *earlier);
/* Hands @op over to the scheduler; no edge is added from here on. */
void sc_op_submit (ScOp *op);
void sc_op_finish (ScOp *op);

bool sc_op_done (const ScOp *op); /* true for NULL */
