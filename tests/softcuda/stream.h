/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Streams, and what order a new operation has in them. */

#pragma once

#include "capture.h"

struct CUstream_st
{
  ScContext *ctx;
  uint64_t ctx_id;
  unsigned flags;
  int priority;
  uint64_t id;
  bool legacy;
  uint64_t thread; /* owner of a per-thread default stream, else 0 */
  unsigned actor, rank;
  ScClock clock;
  ScCapture *capture; /* in which it takes part, or NULL */
  ScClock recorded; /* what its work in there comes after */
  ScOp *tail; /* last operation, done or not; may be NULL */
  ScStream *next;
};

/* With the lock held. NULL without memory. */
ScStream *sc_stream_new (ScContext *ctx, unsigned flags, int priority);
void sc_stream_destroy (ScStream *stream);
/* The stream of a handle; NULL, 1 and 2 mean streams of the current context.
 * Reports a stale one. */
CUresult sc_stream_find (CUstream handle, ScStream **stream);
/* The same for new work, which may break a capture, or fail for one that is
 * broken. */
CUresult sc_stream_resolve (CUstream handle, ScStream **stream);

/* Puts @op behind all that it must follow, and submits it; or into the graph that
 * @stream is being captured for. */
void sc_stream_push (ScStream *stream, ScOp *op);
/* The host waited for all blocking streams of @ctx. */
void sc_stream_saw_blocking (const ScContext *ctx);
/* Adds to @clock all that was queued in @ctx. */
void sc_stream_join_all (const ScContext *ctx, ScClock *clock);
/* An operation of its own that follows everything in @ctx. Not submitted. */
void sc_stream_follow_all (ScContext *ctx, ScOp *op);
