/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "event.h"

#include "call.h"
#include "context.h"
#include "counters.h"
#include "ipc.h"
#include "pool.h"
#include "report.h"
#include "scheduler.h"
#include "stream.h"
#include "thread.h"

static ScPool pool = SC_POOL_INIT (struct CUevent_st);

static bool
context_is_gone (const struct CUevent_st *event)
{
  return !event->ctx->alive || event->ctx->id != event->ctx_id;
}

CUresult
sc_event_check (CUevent event)
{
  if (!sc_pool_live (&pool, event)) {
    sc_report ("event %p is destroyed or none", (void *) event);
    return CUDA_ERROR_INVALID_HANDLE;
  }
  if (context_is_gone (event)) {
    sc_report ("the context of event %p is destroyed", (void *) event);
    return CUDA_ERROR_CONTEXT_IS_DESTROYED;
  }
  return CUDA_SUCCESS;
}

CUresult
sc_event_new (CUevent *made, unsigned flags, ScIpcEvent *shared)
{
  struct CUevent_st *event = sc_pool_take (&pool);

  if (!event)
    return CUDA_ERROR_OUT_OF_MEMORY;
  event->ctx = sc_thread_current ();
  event->ctx_id = event->ctx->id;
  event->flags = flags;
  event->shared = shared;
  sc_counters ()->events_created++;
  *made = event;
  return CUDA_SUCCESS;
}

static CUresult
create (CUevent *made, unsigned flags)
{
  ScIpcEvent *shared = NULL;

  if (!made)
    return CUDA_ERROR_INVALID_VALUE;
  if (flags & CU_EVENT_INTERPROCESS) {
    if (!(flags & CU_EVENT_DISABLE_TIMING))
      return CUDA_ERROR_INVALID_VALUE;
    shared = sc_ipc_event_new ();
    if (!shared)
      return CUDA_ERROR_OUT_OF_MEMORY;
  }
  return sc_event_new (made, flags, shared);
}

static ScOp *
new_record (CUevent event, ScContext *ctx)
{
  return event->shared ? sc_ipc_event_record (event, ctx)
                       : sc_op_new (SC_OP_MARK, ctx, 0);
}

/* A record of an event that processes share may be another one's. */
ScOp *
sc_event_follow (CUevent event, ScContext *ctx)
{
  bool own = !event->shared || !sc_op_done (event->op);
  ScOp *op =
      own ? sc_op_new (SC_OP_MARK, ctx, 0) : sc_ipc_event_wait (event, ctx);

  if (op && event->op) {
    sc_op_after (op, event->op);
    sc_trace_set_target (&op->trace, &event->op->trace);
  }
  return op;
}

CUresult
sc_event_check_captured (CUevent event)
{
  if (!event->capture)
    return CUDA_SUCCESS;
  if (event->capture->ended)
    return CUDA_ERROR_INVALID_VALUE;
  sc_capture_invalidate (event->capture);
  return CUDA_ERROR_CAPTURED_EVENT;
}

static void
set_capture (CUevent event, ScCapture *capture)
{
  ScCapture *old = event->capture;

  if (capture)
    capture->refs++;
  event->capture = capture;
  sc_capture_unref (old);
  sc_clock_clear (&event->recorded);
}

static CUresult
destroy (CUevent event)
{
  CUresult result = sc_event_check (event);

  if (result == CUDA_ERROR_INVALID_HANDLE)
    return result;
  sc_op_clear_ref (&event->op);
  set_capture (event, NULL);
  sc_pool_give (&pool, event);
  return result;
}

static void
set_op (CUevent event, ScOp *op)
{
  sc_op_unref (event->op);
  event->op = op;
  set_capture (event, NULL);
  sc_counters ()->events_recorded++;
}

static CUresult
record_captured (CUevent event, ScStream *stream)
{
  sc_op_clear_ref (&event->op);
  set_capture (event, stream->capture);
  sc_clock_join (&event->recorded, &stream->recorded);
  return CUDA_SUCCESS;
}

static CUresult
record (CUevent event, CUstream handle)
{
  ScStream *stream;
  ScOp *op;
  CUresult result = sc_stream_resolve (handle, &stream);

  if (result == CUDA_SUCCESS)
    result = sc_event_check (event);
  if (result != CUDA_SUCCESS)
    return result;
  if (event->ctx != stream->ctx) {
    sc_report ("event and stream are of two contexts");
    return CUDA_ERROR_INVALID_HANDLE;
  }
  if (stream->capture)
    return record_captured (event, stream);
  op = new_record (event, stream->ctx);
  if (!op)
    return CUDA_ERROR_OUT_OF_MEMORY;
  sc_stream_push (stream, op);
  set_op (event, op);
  return CUDA_SUCCESS;
}

static CUresult
record_context (CUcontext ctx, CUevent event)
{
  ScOp *op;
  CUresult result = sc_context_check (ctx);

  if (result == CUDA_SUCCESS)
    result = sc_event_check (event);
  if (result != CUDA_SUCCESS)
    return result;
  if (event->ctx != ctx)
    return CUDA_ERROR_INVALID_HANDLE;
  result = sc_capture_check_context (ctx);
  if (result != CUDA_SUCCESS)
    return result;
  op = new_record (event, ctx);
  if (!op)
    return CUDA_ERROR_OUT_OF_MEMORY;
  sc_stream_follow_all (ctx, op);
  sc_op_submit (op);
  sc_sched_flush ();
  set_op (event, op);
  return CUDA_SUCCESS;
}

static CUresult
wait_context (CUcontext ctx, CUevent event)
{
  ScOp *op;
  CUresult result = sc_context_check (ctx);

  if (result == CUDA_SUCCESS)
    result = sc_capture_check_context (ctx);
  if (result == CUDA_SUCCESS)
    result = sc_event_check (event);
  if (result != CUDA_SUCCESS)
    return result;
  op = sc_event_follow (event, ctx);
  if (!op)
    return CUDA_ERROR_OUT_OF_MEMORY;
  sc_op_after (op, ctx->fence);
  sc_op_submit (op);
  sc_op_clear_ref (&ctx->fence);
  ctx->fence = op;
  return CUDA_SUCCESS;
}

static bool
is_usable (const void *event)
{
  return !context_is_gone (event);
}

unsigned
sc_event_count (void)
{
  return sc_pool_count (&pool, is_usable);
}

CUresult CUDAAPI
cuEventCreate (CUevent *event, unsigned int flags)
{
  SC_API (SC_NEED_CONTEXT, create (event, flags));
}

CUresult CUDAAPI
cuEventDestroy_v2 (CUevent event)
{
  SC_API (SC_NEED_INIT, destroy (event));
}

CUresult CUDAAPI
cuEventDestroy (CUevent event)
{
  SC_API (SC_NEED_INIT, destroy (event));
}

CUresult CUDAAPI
cuEventRecord (CUevent event, CUstream stream)
{
  SC_API (SC_NEED_CONTEXT, record (event, stream));
}

CUresult CUDAAPI
cuEventRecordWithFlags (CUevent event, CUstream stream, unsigned int flags)
{
  SC_API (SC_NEED_CONTEXT, record (event, stream));
}

CUresult CUDAAPI
cuCtxRecordEvent (CUcontext ctx, CUevent event)
{
  SC_API (SC_NEED_INIT, record_context (ctx, event));
}

CUresult CUDAAPI
cuCtxWaitEvent (CUcontext ctx, CUevent event)
{
  SC_API (SC_NEED_INIT, wait_context (ctx, event));
}
