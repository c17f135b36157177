/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* How the host asks an event and waits for it. */

#include "call.h"
#include "context.h"
#include "counters.h"
#include "event.h"
#include "ipc.h"
#include "scheduler.h"
#include "watch.h"

static CUresult
check (CUevent event)
{
  CUresult result = sc_event_check (event);

  if (result == CUDA_SUCCESS)
    result = sc_event_check_captured (event);
  return result == CUDA_SUCCESS ? sc_capture_check_unsafe () : result;
}

static CUresult
query (CUevent event)
{
  CUresult result = check (event);

  if (result != CUDA_SUCCESS)
    return result;
  if (!sc_sched_poll (event->op))
    return CUDA_ERROR_NOT_READY;
  return !event->shared || sc_ipc_event_done (event) ? CUDA_SUCCESS
                                                     : CUDA_ERROR_NOT_READY;
}

static CUresult
synchronize_shared (CUevent event)
{
  ScOp *op = sc_event_follow (event, event->ctx);

  if (!op)
    return CUDA_ERROR_OUT_OF_MEMORY;
  sc_op_submit (op);
  sc_sched_wait (op);
  sc_op_unref (op);
  return CUDA_SUCCESS;
}

static CUresult
synchronize (CUevent event)
{
  ScOp *op;
  CUresult result = check (event);

  if (result != CUDA_SUCCESS)
    return result;
  sc_counters ()->host_waits++;
  sc_watch_note ("host-wait", NULL, 0);
  if (event->shared)
    return synchronize_shared (event);
  if (!event->op)
    return CUDA_SUCCESS;
  op = sc_op_ref (event->op);
  sc_sched_wait (op);
  sc_op_unref (op);
  return CUDA_SUCCESS;
}

static CUresult
elapsed (float *ms, CUevent start, CUevent end)
{
  CUresult result = sc_event_check (start);

  if (result == CUDA_SUCCESS)
    result = sc_event_check (end);
  if (result != CUDA_SUCCESS)
    return result;
  if (((start->flags | end->flags) & CU_EVENT_DISABLE_TIMING) || !start->op ||
      !end->op)
    return CUDA_ERROR_INVALID_HANDLE;
  if (!sc_op_done (start->op) || !sc_op_done (end->op))
    return CUDA_ERROR_NOT_READY;
  *ms = (float) (end->op->finished - start->op->finished) / 1e6f;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuEventQuery (CUevent event)
{
  SC_API (SC_NEED_INIT, query (event));
}

CUresult CUDAAPI
cuEventSynchronize (CUevent event)
{
  SC_API (SC_NEED_INIT, synchronize (event));
}

CUresult CUDAAPI
cuEventElapsedTime (float *ms, CUevent start, CUevent end)
{
  SC_API (SC_NEED_INIT, elapsed (ms, start, end));
}

#if CUDA_VERSION >= 12080
CUresult CUDAAPI
cuEventElapsedTime_v2 (float *ms, CUevent start, CUevent end)
{
  SC_API (SC_NEED_INIT, elapsed (ms, start, end));
}
#endif
