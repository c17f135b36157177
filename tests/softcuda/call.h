/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The way into and out of each driver call: count it, let it fail on demand,
 * take the one lock of the driver, check the current context. */

#pragma once

#include "cudaapi.h"
#include "softcuda.h"

/* What a call needs before its body may run. */
typedef enum
{
  SC_NEED_NOTHING, /* answers even before cuInit */
  SC_NEED_INIT,
  SC_NEED_THREAD,  /* the same; it tells nothing of lost contexts */
  SC_NEED_CONTEXT, /* a live current context without a sticky error */
  SC_NEED_UNSAFE, /* that, and no capture that forbids potentially unsafe calls */
} ScNeed;

typedef struct _ScCall
{
  const char *name;
  uint64_t count;
  int64_t cost; /* ns of virtual time; 0: not looked up */
  bool listed;
  struct _ScCall *next;
} ScCall;

/* What sc_enter() returns for a call that shall do nothing and say that it
 * did. */
#define SC_SKIPPED ((CUresult) - 1)

/* Takes the lock when it returns CUDA_SUCCESS, and only then. */
CUresult sc_enter (ScCall *call, ScNeed need, void *caller);
/* Gives the lock back and returns @result, or the sticky error that came up. */
CUresult sc_leave (CUresult result);

uint64_t sc_call_count (const char *name);
void sc_call_each (SoftcudaCallFunc func, void *data);
void sc_call_reset (void);

/* The name of the call that this thread is in, for reports. */
const char *sc_call_name (void);

/* Body of an exported function: @expr runs with the lock held. */
#define SC_API(need, expr)                                                     \
  do {                                                                         \
    static ScCall call_ = { .name = __func__ };                                \
    CUresult entered_ =                                                        \
        sc_enter (&call_, (need), __builtin_return_address (0));               \
    return entered_ == CUDA_SUCCESS ? sc_leave (expr)                          \
        : entered_ == SC_SKIPPED    ? CUDA_SUCCESS                             \
                                    : entered_;                                   \
  } while (0)
