/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Who did what, for reports of races: a call, its place in the program, its
 * thread and its place in a stream; and the last of them in a ring. */

#pragma once

#include "cudaapi.h"

typedef struct CUctx_st ScContext;

#define SC_TRACE_FRAMES 8

typedef struct
{
  uint64_t seq; /* position in the history, from 1; 0: not in it */
  const char *call;
  const char *kernel; /* of a launch, else NULL */
  void
      *frames[SC_TRACE_FRAMES]; /* the caller first, then NULL or its callers */
  unsigned thread;
  char thread_name[16];

  /* Of an operation; @stream is 0 for what the host does itself. */
  ScContext *ctx;
  uint64_t stream; /* its id */
  bool blocking, legacy;
  unsigned actor;
  uint64_t tick;

  /* Of a wait: what for. */
  uint64_t of_stream, of_tick;
} ScTrace;

/* With the lock held. Of the call that this thread is in. */
void sc_trace_init (ScTrace *trace);
void sc_trace_set_target (ScTrace *wait, const ScTrace *target);
/* Puts it into the history. */
void sc_trace_note (ScTrace *trace);
/* From @position on, which moves on past it; NULL at the end. */
const ScTrace *sc_trace_next (uint64_t *position);
/* The operation @tick of @stream, if it is not too long ago. */
const ScTrace *sc_trace_find (uint64_t stream, uint64_t tick);
