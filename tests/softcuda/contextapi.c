/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "call.h"
#include "context.h"
#include "fail.h"
#include "device.h"
#include "counters.h"
#include "report.h"
#include "scheduler.h"
#include "stream.h"
#include "thread.h"
#include "watch.h"

#define N_LIMITS 16

static CUresult
push (ScContext *ctx, bool owed)
{
  ScThread *thread = sc_thread ();
  CUresult result = sc_context_check (ctx);

  if (result != CUDA_SUCCESS)
    sc_report ("context %p is %s", (void *) ctx,
        result == CUDA_ERROR_INVALID_CONTEXT ? "none" : "destroyed");
  /* As measured, one that is destroyed can be pushed. */
  if (result == CUDA_ERROR_INVALID_CONTEXT)
    return result;
  if (thread->depth == SC_STACK_DEPTH) {
    sc_report ("%d contexts are pushed: pops are missing", thread->depth);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  thread->pushed[thread->depth] = owed;
  thread->stack[thread->depth++] = ctx;
  return CUDA_SUCCESS;
}

static CUresult
pop (CUcontext *ctx)
{
  ScThread *thread = sc_thread ();

  if (thread->depth == 0) {
    sc_report ("no context is pushed");
    return CUDA_ERROR_INVALID_CONTEXT;
  }
  thread->depth--;
  if (ctx)
    *ctx = thread->stack[thread->depth];
  return CUDA_SUCCESS;
}

static CUresult
set_current (CUcontext ctx)
{
  ScThread *thread = sc_thread ();
  CUresult result = CUDA_SUCCESS;

  if (thread->depth)
    thread->depth--;
  if (ctx)
    result = push (ctx, false);
  return result;
}

static CUresult
create (CUcontext *ctx, unsigned flags, CUdevice device)
{
  ScContext *made;

  if (!ctx)
    return CUDA_ERROR_INVALID_VALUE;
  if (!sc_device_valid (device))
    return CUDA_ERROR_INVALID_DEVICE;
  made = sc_context_new (device, flags, false);
  if (!made)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *ctx = made;
  return push (made, false);
}

static CUresult
destroy (CUcontext ctx)
{
  CUresult result = sc_context_check (ctx);

  if (result != CUDA_SUCCESS)
    return result;
  if (ctx->primary)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (sc_thread_current () == ctx)
    sc_thread ()->depth--;
  sc_context_destroy (ctx);
  return CUDA_SUCCESS;
}

static CUresult
synchronize (void)
{
  CUresult result = sc_capture_check_context (sc_thread_current ());

  if (result != CUDA_SUCCESS)
    return result;
  sc_counters ()->host_waits++;
  sc_watch_note ("host-wait", NULL, 0);
  sc_context_wait (sc_thread_current ());
  return CUDA_SUCCESS;
}

static CUresult
get_current (CUcontext *ctx)
{
  if (!ctx)
    return CUDA_ERROR_INVALID_VALUE;
  *ctx = sc_thread_current ();
  return CUDA_SUCCESS;
}

static CUresult
get_limit (size_t *value, CUlimit limit)
{
  if (!value || (unsigned) limit >= N_LIMITS)
    return CUDA_ERROR_INVALID_VALUE;
  *value = sc_thread_current ()->limits[limit];
  return CUDA_SUCCESS;
}

static CUresult
set_limit (CUlimit limit, size_t value)
{
  if ((unsigned) limit >= N_LIMITS)
    return CUDA_ERROR_INVALID_VALUE;
  sc_thread_current ()->limits[limit] = value;
  return CUDA_SUCCESS;
}

/* NULL stands for the current one. */
static ScContext *
or_current (CUcontext ctx)
{
  return ctx ? ctx : sc_thread_current ();
}

static CUresult
get_api_version (CUcontext ctx, unsigned *version)
{
  CUresult result = sc_context_check (or_current (ctx));

  if (result == CUDA_SUCCESS)
    *version = or_current (ctx)->api_version;
  return result;
}

static CUresult
get_id (CUcontext ctx, unsigned long long *id)
{
  CUresult result = sc_context_check (or_current (ctx));

  if (result == CUDA_SUCCESS)
    *id = or_current (ctx)->id;
  return result;
}

CUresult CUDAAPI
cuCtxPushCurrent_v2 (CUcontext ctx)
{
  sc_fail_about (ctx);
  SC_API (SC_NEED_THREAD, push (ctx, true));
}

CUresult CUDAAPI
cuCtxPushCurrent (CUcontext ctx)
{
  sc_fail_about (ctx);
  SC_API (SC_NEED_THREAD, push (ctx, true));
}

CUresult CUDAAPI
cuCtxPopCurrent_v2 (CUcontext *ctx)
{
  SC_API (SC_NEED_THREAD, pop (ctx));
}

CUresult CUDAAPI
cuCtxPopCurrent (CUcontext *ctx)
{
  SC_API (SC_NEED_THREAD, pop (ctx));
}

CUresult CUDAAPI
cuCtxSetCurrent (CUcontext ctx)
{
  sc_fail_about (ctx);
  SC_API (SC_NEED_THREAD, set_current (ctx));
}

CUresult CUDAAPI
cuCtxGetCurrent (CUcontext *ctx)
{
  SC_API (SC_NEED_THREAD, get_current (ctx));
}

CUresult CUDAAPI
cuCtxGetDevice (CUdevice *device)
{
  SC_API (SC_NEED_CONTEXT,
      (*device = sc_thread_current ()->device, CUDA_SUCCESS));
}

CUresult CUDAAPI
cuCtxGetFlags (unsigned int *flags)
{
  SC_API (SC_NEED_CONTEXT,
      (*flags = sc_thread_current ()->flags, CUDA_SUCCESS));
}

CUresult CUDAAPI
cuCtxCreate_v2 (CUcontext *ctx, unsigned int flags, CUdevice device)
{
  SC_API (SC_NEED_INIT, create (ctx, flags, device));
}

CUresult CUDAAPI
cuCtxCreate (CUcontext *ctx, unsigned int flags, CUdevice device)
{
  SC_API (SC_NEED_INIT, create (ctx, flags, device));
}

CUresult CUDAAPI
cuCtxCreate_v3 (CUcontext *ctx, CUexecAffinityParam *params, int n_params,
    unsigned int flags, CUdevice device)
{
  SC_API (SC_NEED_INIT, create (ctx, flags, device));
}

#if CUDA_VERSION >= 12050
CUresult CUDAAPI
cuCtxCreate_v4 (CUcontext *ctx, CUctxCreateParams *params, unsigned int flags,
    CUdevice device)
{
  SC_API (SC_NEED_INIT, create (ctx, flags, device));
}
#endif

CUresult CUDAAPI
cuCtxDestroy_v2 (CUcontext ctx)
{
  SC_API (SC_NEED_INIT, destroy (ctx));
}

CUresult CUDAAPI
cuCtxDestroy (CUcontext ctx)
{
  SC_API (SC_NEED_INIT, destroy (ctx));
}

CUresult CUDAAPI
cuCtxSynchronize (void)
{
  SC_API (SC_NEED_CONTEXT, synchronize ());
}

CUresult CUDAAPI
cuCtxGetLimit (size_t *value, CUlimit limit)
{
  SC_API (SC_NEED_CONTEXT, get_limit (value, limit));
}

CUresult CUDAAPI
cuCtxSetLimit (CUlimit limit, size_t value)
{
  SC_API (SC_NEED_UNSAFE, set_limit (limit, value));
}

CUresult CUDAAPI
cuCtxGetApiVersion (CUcontext ctx, unsigned int *version)
{
  SC_API (SC_NEED_INIT, get_api_version (ctx, version));
}

CUresult CUDAAPI
cuCtxGetId (CUcontext ctx, unsigned long long *id)
{
  SC_API (SC_NEED_INIT, get_id (ctx, id));
}

CUresult CUDAAPI
cuCtxGetStreamPriorityRange (int *least, int *greatest)
{
  SC_API (SC_NEED_CONTEXT, (*least = 0, *greatest = -5, CUDA_SUCCESS));
}
