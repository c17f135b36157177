/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Contexts: the primary ones of the devices and those that programs make. */

#pragma once

#include "capture.h"
#include "op.h"
#include "oplist.h"

struct CUctx_st
{
  bool alive;
  bool primary;
  int device;
  unsigned flags, api_version;
  ScContext *next; /* link in the list of live ones */
  uint64_t id; /* a new one each time that the handle comes to life */
  CUresult sticky;
  ScStream *streams; /* live ones, linked by their next */
  ScStream *legacy;
  ScOp *pending, *last_pending; /* submitted and not done, oldest first */
  ScOp *fence; /* cuCtxWaitEvent: all later work waits for it */
  int64_t end, blocking_end; /* virtual, of what is done */
  ScClock dead_blocking; /* clock of blocking streams that are gone */
  ScClock dead_streams; /* of all that are gone */
  ScOpList host_calls;
  bool host_thread;
  size_t limits[16];
};

/* With the lock held. Makes a live context; NULL without memory. */
ScContext *sc_context_new (int device, unsigned flags, bool primary);
/* Brings a dead one to life again under the same handle. */
CUresult sc_context_revive (ScContext *ctx);
/* Calls @func for each live one. */
void sc_context_for_each (void (*func) (ScContext *ctx, ScCapture *),
    ScCapture *capture);
/* Waits for its work, on which the host may rely. */
void sc_context_wait (ScContext *ctx);
/* Does that, then everything in it is gone. */
void sc_context_destroy (ScContext *ctx);

bool sc_context_valid (const ScContext *ctx);
/* Of a handle: INVALID_CONTEXT, CONTEXT_IS_DESTROYED or success. */
CUresult sc_context_check (const ScContext *ctx);
/* Of this thread's current one; a sticky error too. */
CUresult sc_context_check_current (void);
/* From now on each call of @ctx returns @error. */
void sc_context_lose (ScContext *ctx, CUresult error);

unsigned sc_context_count (void);
/* Streams that programs made, in all contexts. */
unsigned sc_context_streams (void);
/* Operations that are not done, in all contexts. */
unsigned sc_context_operations (void);
/* One that holds these bytes, of any context; or NULL. */
ScOp *sc_context_holder (uintptr_t start, size_t size);
/* Until there are none. */
void sc_context_drain (void);
