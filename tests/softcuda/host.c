/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "host.h"

#include <pthread.h>

#include "call.h"
#include "context.h"
#include "hostclock.h"
#include "lock.h"
#include "scheduler.h"
#include "stream.h"
#include "thread.h"

typedef struct
{
  CUhostFn func;
  CUstreamCallback callback;
  CUstream stream;
  void *user_data;
} HostCall;

static void
serve_one (ScOp *op)
{
  int64_t start;

  sc_host_saw (&op->clock); /* it may tell others */
  start = sc_now ();
  sc_unlock ();
  op->run (op);
  sc_lock ();
  op->span.cost = sc_now () - start;
  sc_op_finish (op);
}

static void *
serve (void *data)
{
  ScContext *ctx = data;

  sc_lock ();
  sc_thread ()->call = "a host function";
  while (ctx->alive) {
    ScOp *op = sc_op_list_pop (&ctx->host_calls);
    if (op)
      serve_one (op);
    else
      sc_wait (INT64_MAX);
  }
  ctx->host_thread = false;
  sc_unlock ();
  return NULL;
}

static bool
start_thread (ScContext *ctx)
{
  pthread_t thread;

  if (ctx->host_thread)
    return true;
  if (pthread_create (&thread, NULL, serve, ctx))
    return false;
  pthread_detach (thread);
  ctx->host_thread = true;
  return true;
}

void
sc_host_queue (ScOp *op)
{
  if (!start_thread (op->ctx)) {
    sc_context_lose (op->ctx, CUDA_ERROR_OUT_OF_MEMORY);
    sc_op_finish (op);
    return;
  }
  sc_op_list_add (&op->ctx->host_calls, op);
  sc_wake ();
}

static void
run_host_call (ScOp *op)
{
  HostCall *call = (HostCall *) op->data;

  if (call->func)
    call->func (call->user_data);
  else
    call->callback (call->stream, op->ctx->sticky, call->user_data);
}

static CUresult
push_host_call (CUstream handle, HostCall call)
{
  ScStream *stream;
  ScOp *op;
  CUresult result;

  if (!call.func && !call.callback)
    return CUDA_ERROR_INVALID_VALUE;
  result = sc_stream_resolve (handle, &stream);
  if (result != CUDA_SUCCESS)
    return result;
  op = sc_op_new (SC_OP_HOST, stream->ctx, sizeof call);
  if (!op)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *(HostCall *) op->data = call;
  op->run = run_host_call;
  sc_stream_push (stream, op);
  sc_op_unref (op);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuLaunchHostFunc (CUstream stream, CUhostFn func, void *user_data)
{
  HostCall call = { .func = func, .user_data = user_data };

  SC_API (SC_NEED_CONTEXT, push_host_call (stream, call));
}

CUresult CUDAAPI
cuStreamAddCallback (CUstream stream, CUstreamCallback callback,
    void *user_data, unsigned int flags)
{
  HostCall call = {
    .callback = callback, .stream = stream, .user_data = user_data
  };

  SC_API (SC_NEED_CONTEXT, push_host_call (stream, call));
}
