/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Virtual time: how long the same calls would take on a real device, whatever
 * the CPU needs for them here. Each thread has a clock, each operation an end,
 * each engine of a device a queue. */

#pragma once

#include "engine.h"

typedef struct _ScOp ScOp;
typedef struct _ScCall ScCall;
typedef struct CUctx_st ScContext;

/* Of an operation; ns. */
typedef struct
{
  ScEngine engine;
  int64_t cost;
  int64_t ready; /* not before */
  int64_t end;   /* known when it is done */
} ScSpan;

typedef enum
{
  SC_RATE_UPLOAD,
  SC_RATE_UPLOAD_PAGEABLE,
  SC_RATE_DOWNLOAD,
  SC_RATE_DOWNLOAD_PAGEABLE,
  SC_RATE_DEVICE,      /* linear copies, memsets and kernels */
  SC_RATE_DEVICE_ROWS, /* copies of rows */
} ScRate;

/* All with the lock held. The thread spends the time that @call takes. */
void sc_vtime_call (ScCall *call);
/* The thread spends the time that staging @bytes takes. */
void sc_vtime_stage (uint64_t bytes);
/* The work of @op: @bytes at @rate. */
void sc_vtime_set_work (ScOp *op, ScRate rate, uint64_t bytes);
/* @op is queued now: after the thread's past, and after the last use of its
 * memory by another thread, who handed it over. */
void sc_vtime_submit (ScOp *op);
void sc_vtime_follow (ScOp *op, const ScOp *earlier);
void sc_vtime_finish (ScOp *op);
/* The thread waits until @end. */
void sc_vtime_wait (int64_t end);

void sc_vtime_reset (void);
void sc_vtime_set_scale (unsigned scale);
/* Since the reset until the last thing is done. */
int64_t sc_vtime_makespan (void);
