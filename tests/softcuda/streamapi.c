/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "call.h"
#include "context.h"
#include "counters.h"
#include "event.h"
#include "report.h"
#include "scheduler.h"
#include "stream.h"
#include "thread.h"
#include "watch.h"

static CUresult
create (CUstream *made, unsigned flags, int priority)
{
  if (!made || (flags & ~(unsigned) CU_STREAM_NON_BLOCKING))
    return CUDA_ERROR_INVALID_VALUE;
  *made = sc_stream_new (sc_thread_current (), flags, priority);
  if (!*made)
    return CUDA_ERROR_OUT_OF_MEMORY;
  sc_counters ()->streams_created++;
  return CUDA_SUCCESS;
}

static CUresult
destroy (CUstream handle)
{
  ScStream *stream;
  CUresult result = sc_stream_find (handle, &stream);

  if (result != CUDA_SUCCESS)
    return result;
  if (stream->legacy || stream->thread)
    return CUDA_ERROR_INVALID_HANDLE;
  sc_stream_destroy (stream);
  return CUDA_SUCCESS;
}

/* A mark behind everything that a wait for @stream covers. */
static ScOp *
push_mark (ScStream *stream)
{
  ScOp *op = sc_op_new (SC_OP_MARK, stream->ctx, 0);

  if (op)
    sc_stream_push (stream, op);
  return op;
}

static CUresult
synchronize (CUstream handle)
{
  ScStream *stream;
  ScOp *op;
  CUresult result = sc_stream_find (handle, &stream);

  if (result == CUDA_SUCCESS)
    result = sc_capture_check_wait (stream);
  if (result != CUDA_SUCCESS)
    return result;
  sc_counters ()->host_waits++;
  sc_watch_note ("host-wait", handle, 0);
  op = push_mark (stream);
  if (!op)
    return CUDA_ERROR_OUT_OF_MEMORY;
  sc_sched_wait (op);
  result = op->ctx->sticky;
  sc_op_unref (op);
  return result;
}

static ScOp *
first_blocking (ScContext *ctx)
{
  for (ScOp *op = ctx->pending; op; op = op->next)
    if (op->blocking)
      return op;
  return NULL;
}

static CUresult
query (CUstream handle)
{
  ScStream *stream;
  ScOp *op;
  CUresult result = sc_stream_find (handle, &stream);

  if (result == CUDA_SUCCESS)
    result = sc_capture_check_wait (stream);
  if (result != CUDA_SUCCESS)
    return result;
  op = stream->legacy ? first_blocking (stream->ctx) : stream->tail;
  if (!sc_sched_poll (op))
    return CUDA_ERROR_NOT_READY;
  if (stream->legacy && first_blocking (stream->ctx))
    return CUDA_ERROR_NOT_READY;
  if (stream->legacy)
    sc_stream_saw_blocking (stream->ctx);
  return CUDA_SUCCESS;
}

/* One of the two takes part in a capture. */
static CUresult
wait_captured (ScStream *stream, CUevent event, unsigned flags)
{
  if (event->capture) {
    if (event->capture->ended)
      return CUDA_ERROR_INVALID_VALUE;
    if (!stream->legacy)
      return sc_capture_join (stream, event->capture, &event->recorded);
    sc_capture_invalidate (event->capture);
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  }
  if (!event->op || (flags & CU_EVENT_WAIT_EXTERNAL))
    return CUDA_SUCCESS;
  sc_capture_invalidate (stream->capture);
  return CUDA_ERROR_STREAM_CAPTURE_ISOLATION;
}

static CUresult
wait_event (CUstream handle, CUevent event, unsigned flags)
{
  ScStream *stream;
  ScOp *op;
  CUresult result = sc_stream_resolve (handle, &stream);

  if (result == CUDA_SUCCESS)
    result = sc_event_check (event);
  if (result != CUDA_SUCCESS)
    return result;
  if (event->capture || stream->capture)
    return wait_captured (stream, event, flags);
  sc_counters ()->event_waits++;
  sc_watch_note ("event-wait", handle, 0);
  op = sc_event_follow (event, stream->ctx);
  if (!op)
    return CUDA_ERROR_OUT_OF_MEMORY;
  sc_stream_push (stream, op);
  sc_op_unref (op);
  return CUDA_SUCCESS;
}

typedef enum
{
  ASK_ID,
  ASK_CONTEXT,
  ASK_FLAGS,
  ASK_PRIORITY,
  ASK_DEVICE,
} Question;

static CUresult
ask (CUstream handle, Question question, void *answer)
{
  ScStream *stream;
  CUresult result = sc_stream_find (handle, &stream);

  if (result == CUDA_SUCCESS)
    result = sc_capture_check_question (stream);
  if (result != CUDA_SUCCESS)
    return result;
  if (!answer)
    return CUDA_ERROR_INVALID_VALUE;
  switch (question) {
    case ASK_ID:
      *(unsigned long long *) answer = stream->id;
      break;
    case ASK_CONTEXT:
      *(CUcontext *) answer = stream->ctx;
      break;
    case ASK_FLAGS:
      *(unsigned int *) answer = stream->flags;
      break;
    case ASK_PRIORITY:
      *(int *) answer = stream->priority;
      break;
    case ASK_DEVICE:
      *(CUdevice *) answer = stream->ctx->device;
      break;
  }
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuStreamCreate (CUstream *stream, unsigned int flags)
{
  SC_API (SC_NEED_CONTEXT, create (stream, flags, 0));
}

CUresult CUDAAPI
cuStreamCreateWithPriority (CUstream *stream, unsigned int flags, int priority)
{
  SC_API (SC_NEED_CONTEXT, create (stream, flags, priority));
}

CUresult CUDAAPI
cuStreamDestroy_v2 (CUstream stream)
{
  SC_API (SC_NEED_CONTEXT, destroy (stream));
}

CUresult CUDAAPI
cuStreamDestroy (CUstream stream)
{
  SC_API (SC_NEED_CONTEXT, destroy (stream));
}

CUresult CUDAAPI
cuStreamSynchronize (CUstream stream)
{
  SC_API (SC_NEED_CONTEXT, synchronize (stream));
}

CUresult CUDAAPI
cuStreamQuery (CUstream stream)
{
  SC_API (SC_NEED_CONTEXT, query (stream));
}

CUresult CUDAAPI
cuStreamWaitEvent (CUstream stream, CUevent event, unsigned int flags)
{
  SC_API (SC_NEED_CONTEXT, wait_event (stream, event, flags));
}

CUresult CUDAAPI
cuStreamGetId (CUstream stream, unsigned long long *id)
{
  SC_API (SC_NEED_CONTEXT, ask (stream, ASK_ID, id));
}

CUresult CUDAAPI
cuStreamGetCtx (CUstream stream, CUcontext *ctx)
{
  SC_API (SC_NEED_CONTEXT, ask (stream, ASK_CONTEXT, ctx));
}

CUresult CUDAAPI
cuStreamGetFlags (CUstream stream, unsigned int *flags)
{
  SC_API (SC_NEED_CONTEXT, ask (stream, ASK_FLAGS, flags));
}

CUresult CUDAAPI
cuStreamGetPriority (CUstream stream, int *priority)
{
  SC_API (SC_NEED_CONTEXT, ask (stream, ASK_PRIORITY, priority));
}

#if CUDA_VERSION >= 12080
CUresult CUDAAPI
cuStreamGetDevice (CUstream stream, CUdevice *device)
{
  SC_API (SC_NEED_CONTEXT, ask (stream, ASK_DEVICE, device));
}
#endif
