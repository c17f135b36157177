/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the driver knows of a host thread: its stack of contexts, its capture
 * mode, its clock. */

#pragma once

#include "clock.h"
#include "cudaapi.h"
#include "watch.h"

typedef struct CUctx_st ScContext;

#define SC_STACK_DEPTH 64

typedef struct
{
  const char *call;
  void *caller; /* where it returns to */
  bool tells_lost; /* that call, that the current context is */
  ScContext *stack[SC_STACK_DEPTH];
  bool pushed[SC_STACK_DEPTH]; /* by cuCtxPushCurrent, so a pop is owed */
  int depth;
  CUstreamCaptureMode capture_mode;
  ScClock clock; /* what it waited for */
  unsigned id; /* from 1 */
  int64_t vtime;
  ScDeeds deeds;
} ScThread;

/* This thread's, made at its first call. */
ScThread *sc_thread (void);
ScContext *sc_thread_current (void);
