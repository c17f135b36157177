/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "trace.h"

#include <execinfo.h>
#include <string.h>
#include <sys/prctl.h>

#include "call.h"
#include "config.h"
#include "thread.h"

#define HISTORY 512
#define DEPTH 32

static ScTrace history[HISTORY];
static uint64_t last_seq;

/* The frames from that of the driver's caller on. */
static void
unwind (ScTrace *trace, void *caller)
{
  void *frames[DEPTH];
  int n = backtrace (frames, DEPTH), first = 0;

  while (first < n && frames[first] != caller)
    first++;
  for (int i = 0; i < SC_TRACE_FRAMES && first + i < n; i++)
    trace->frames[i] = frames[first + i];
}

void
sc_trace_init (ScTrace *trace)
{
  const ScThread *thread = sc_thread ();

  trace->call = sc_call_name ();
  trace->thread = thread->id;
  trace->frames[0] = thread->caller;
  if (sc_config ()->races == SC_RACES_OFF)
    return;
  prctl (PR_GET_NAME, trace->thread_name);
  if (sc_config ()->backtrace)
    unwind (trace, thread->caller);
}

void
sc_trace_set_target (ScTrace *wait, const ScTrace *target)
{
  wait->of_stream = target->stream;
  wait->of_tick = target->tick;
}

void
sc_trace_note (ScTrace *trace)
{
  trace->seq = ++last_seq;
  history[trace->seq % HISTORY] = *trace;
}

const ScTrace *
sc_trace_next (uint64_t *position)
{
  if (last_seq >= HISTORY && *position <= last_seq - HISTORY)
    *position = last_seq - HISTORY + 1;
  if (*position == 0)
    *position = 1;
  return *position <= last_seq ? &history[(*position)++ % HISTORY] : NULL;
}

const ScTrace *
sc_trace_find (uint64_t stream, uint64_t tick)
{
  uint64_t position = 0;
  const ScTrace *trace;

  while ((trace = sc_trace_next (&position)))
    if (trace->stream == stream && trace->tick == tick)
      return trace;
  return NULL;
}
