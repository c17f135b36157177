/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* How streams and events take part in a capture. */

#include "busy.h"

#define SIZE ((gsize) 64)

static CUresult
end (CUstream stream)
{
  CUgraph graph = NULL;
  CUresult result = cu.cuStreamEndCapture (stream, &graph);

  g_assert_true ((graph != NULL) == (result == CUDA_SUCCESS));
  if (graph)
    OK (cuGraphDestroy (graph));
  return result;
}

/* What the driver says of @stream: a status, or an error. */
static int
ask (CUstream stream)
{
  CUstreamCaptureStatus status;
  CUresult result = cu.cuStreamIsCapturing (stream, &status);

  return result == CUDA_SUCCESS ? (int) status : (int) result;
}

#define NONE CU_STREAM_CAPTURE_STATUS_NONE
#define ACTIVE CU_STREAM_CAPTURE_STATUS_ACTIVE
#define INVALIDATED CU_STREAM_CAPTURE_STATUS_INVALIDATED
#define LOST CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
#define RELAXED CU_STREAM_CAPTURE_MODE_RELAXED

typedef struct
{
  CUstream captured; /* by this thread, mode relaxed */
  CUevent event;
  CUdeviceptr memory;
} Capture;

static void
begin (Capture *capture, unsigned flags)
{
  CUstreamCaptureMode mode = RELAXED;

  OK (cuThreadExchangeStreamCaptureMode (&mode));
  OK (cuMemAlloc (&capture->memory, SIZE));
  OK (cuMemsetD8 (capture->memory, 0, SIZE));
  OK (cuCtxSynchronize ());
  OK (cuEventCreate (&capture->event, CU_EVENT_DISABLE_TIMING));
  OK (cuStreamCreate (&capture->captured, flags));
  OK (cuStreamBeginCapture (capture->captured, RELAXED));
  OK (cuMemsetD8Async (capture->memory, 5, SIZE, capture->captured));
}

static void
finish (Capture *capture)
{
  OK (cuStreamDestroy (capture->captured));
  OK (cuEventDestroy (capture->event));
  OK (cuCtxSynchronize ());
  OK (cuMemFree (capture->memory));
}

static guint8
byte_of (const Capture *capture, gsize offset)
{
  guint8 byte;

  OK (cuMemcpyDtoH (&byte, capture->memory + offset, 1));
  return byte;
}

static void
test_replay (Scene *scene, gconstpointer data)
{
  CUgraphExec exec;
  CUgraph graph;
  Capture c;
  gsize n;

  NEEDS (scene);
  begin (&c, CU_STREAM_NON_BLOCKING);
  OK (cuMemsetD8Async (c.memory, 9, SIZE / 2, c.captured));
  OK (cuStreamEndCapture (c.captured, &graph));
  OK (cuGraphGetNodes (graph, NULL, &n));
  g_assert_cmpuint (n, ==, 2);
  g_assert_cmpuint (byte_of (&c, 0), ==, 0);
  OK (cuGraphInstantiate (&exec, graph, 0));
  OK (cuGraphDestroy (graph));
  OK (cuGraphLaunch (exec, scene->stream));
  OK (cuStreamSynchronize (scene->stream));
  g_assert_cmpuint (byte_of (&c, 0), ==, 9);
  g_assert_cmpuint (byte_of (&c, SIZE - 1), ==, 5);
  OK (cuMemsetD8Async (c.memory, 1, SIZE, scene->stream));
  OK (cuGraphLaunch (exec, scene->stream));
  OK (cuCtxRecordEvent (scene->ctx, c.event));
  OK (cuEventSynchronize (c.event));
  g_assert_cmpuint (byte_of (&c, 0), ==, 9);
  OK (cuGraphExecDestroy (exec));
  finish (&c);
}

/* An event that was recorded there can't be asked, nor waited for afterwards. */
static void
test_event (Scene *scene, gconstpointer data)
{
  Capture c;

  NEEDS (scene);
  begin (&c, CU_STREAM_NON_BLOCKING);
  OK (cuEventRecord (c.event, c.captured));
  EXPECT (CUDA_ERROR_CAPTURED_EVENT, cuEventQuery (c.event));
  g_assert_cmpint (ask (c.captured), ==, INVALIDATED);
  g_assert_cmpint (end (c.captured), ==, LOST);
  finish (&c);

  begin (&c, CU_STREAM_NON_BLOCKING);
  OK (cuEventRecord (c.event, c.captured));
  g_assert_cmpint (end (c.captured), ==, CUDA_SUCCESS);
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuEventQuery (c.event));
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuEventSynchronize (c.event));
  EXPECT (CUDA_ERROR_INVALID_VALUE,
      cuStreamWaitEvent (scene->stream, c.event, 0));
  OK (cuEventRecord (c.event, scene->stream));
  OK (cuEventSynchronize (c.event));
  finish (&c);
}

static void
fork_off (const Capture *c, CUstream stream)
{
  OK (cuEventRecord (c->event, c->captured));
  OK (cuStreamWaitEvent (stream, c->event, 0));
  g_assert_cmpint (ask (stream), ==, ACTIVE);
  OK (cuMemsetD8Async (c->memory, 7, 16, stream));
}

static void
test_fork (Scene *scene, gconstpointer data)
{
  CUstream blocking;
  Capture c;

  NEEDS (scene);
  begin (&c, CU_STREAM_NON_BLOCKING);
  fork_off (&c, scene->stream);
  OK (cuEventRecord (c.event, scene->stream));
  g_assert_cmpint (end (c.captured), ==, CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  g_assert_cmpint (ask (scene->stream), ==, NONE);
  finish (&c);

  OK (cuStreamCreate (&blocking, CU_STREAM_DEFAULT));
  begin (&c, CU_STREAM_NON_BLOCKING);
  g_assert_cmpint (ask (CU_STREAM_LEGACY), ==, NONE);
  fork_off (&c, blocking);
  g_assert_cmpint (ask (CU_STREAM_LEGACY), ==,
      CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  OK (cuEventRecord (c.event, blocking));
  OK (cuStreamWaitEvent (c.captured, c.event, 0));
  g_assert_cmpint (end (c.captured), ==, CUDA_SUCCESS);
  g_assert_cmpint (ask (blocking), ==, NONE);
  finish (&c);
  OK (cuStreamDestroy (blocking));
}

static void
test_isolation (Scene *scene, gconstpointer data)
{
  Capture c;

  NEEDS (scene);
  begin (&c, CU_STREAM_NON_BLOCKING);
  OK (cuEventRecord (c.event, scene->stream));
  OK (cuStreamWaitEvent (c.captured, c.event, CU_EVENT_WAIT_EXTERNAL));
  g_assert_cmpint (ask (c.captured), ==, ACTIVE);
  EXPECT (CUDA_ERROR_STREAM_CAPTURE_ISOLATION,
      cuStreamWaitEvent (c.captured, c.event, 0));
  g_assert_cmpint (end (c.captured), ==, LOST);
  finish (&c);

  begin (&c, CU_STREAM_NON_BLOCKING);
  OK (cuEventRecord (c.event, c.captured));
  EXPECT (CUDA_ERROR_STREAM_CAPTURE_IMPLICIT,
      cuStreamWaitEvent (NULL, c.event, 0));
  g_assert_cmpint (end (c.captured), ==, LOST);
  finish (&c);
}

static void
test_merge (Scene *scene, gconstpointer data)
{
  Capture c;

  NEEDS (scene);
  begin (&c, CU_STREAM_NON_BLOCKING);
  OK (cuStreamBeginCapture (scene->stream, RELAXED));
  OK (cuEventRecord (c.event, c.captured));
  EXPECT (CUDA_ERROR_STREAM_CAPTURE_MERGE,
      cuStreamWaitEvent (scene->stream, c.event, 0));
  g_assert_cmpint (end (c.captured), ==, LOST);
  g_assert_cmpint (end (scene->stream), ==, LOST);
  finish (&c);
}

static void
test_fork_ends_wrongly (Scene *scene, gconstpointer data)
{
  CUstream stream;
  Capture c;

  NEEDS (scene);
  begin (&c, CU_STREAM_NON_BLOCKING);
  fork_off (&c, scene->stream);
  g_assert_cmpint (end (scene->stream), ==,
      CUDA_ERROR_STREAM_CAPTURE_UNMATCHED);
  g_assert_cmpint (ask (c.captured), ==, INVALIDATED);
  g_assert_cmpint (end (c.captured), ==, LOST);
  finish (&c);

  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  begin (&c, CU_STREAM_NON_BLOCKING);
  fork_off (&c, stream);
  OK (cuStreamDestroy (stream));
  g_assert_cmpint (end (c.captured), ==, CUDA_ERROR_STREAM_CAPTURE_UNJOINED);
  finish (&c);
}

typedef struct
{
  CUcontext ctx;
  CUstream stream;
} Ender;

static gpointer
end_there (gpointer data)
{
  const Ender *ender = data;
  CUcontext popped;

  OK (cuCtxPushCurrent (ender->ctx));
  g_assert_cmpint (end (ender->stream), ==,
      CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD);
  OK (cuCtxPopCurrent (&popped));
  return NULL;
}

/* Only in mode relaxed may another thread end it, but it does end. */
static void
test_other_thread (Scene *scene, gconstpointer data)
{
  Ender ender = { scene->ctx, scene->stream };

  NEEDS (scene);
  OK (cuStreamBeginCapture (scene->stream,
      CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  g_thread_join (g_thread_new ("ender", end_there, &ender));
  g_assert_cmpint (ask (scene->stream), ==, NONE);
  g_assert_cmpint (end (scene->stream), ==, CUDA_ERROR_ILLEGAL_STATE);
}

/* A record that fails leaves the event as it was. */
static void
test_failed_record (Scene *scene, gconstpointer data)
{
  Busy busy;
  Capture c;

  NEEDS (scene);
  begin (&c, CU_STREAM_DEFAULT);
  busy_hold (&busy, scene->stream);
  OK (cuEventRecord (c.event, scene->stream));
  EXPECT (CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
      cuCtxRecordEvent (scene->ctx, c.event));
  EXPECT (CUDA_ERROR_NOT_READY, cuEventQuery (c.event));
  EXPECT (CUDA_ERROR_STREAM_CAPTURE_IMPLICIT, cuEventRecord (c.event, NULL));
  EXPECT (CUDA_ERROR_NOT_READY, cuEventQuery (c.event));
  busy_release (&busy);
  OK (cuEventSynchronize (c.event));
  g_assert_cmpint (end (c.captured), ==, LOST);
  finish (&c);
}

/* One that is lost is in the way until it is ended. */
static void
test_invalidated (Scene *scene, gconstpointer data)
{
  Capture c;

  NEEDS (scene);
  begin (&c, CU_STREAM_DEFAULT);
  EXPECT (CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, cuCtxSynchronize ());
  g_assert_cmpint (ask (c.captured), ==, INVALIDATED);
  g_assert_cmpint (ask (CU_STREAM_LEGACY), ==,
      CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  EXPECT (LOST, cuMemsetD8Async (c.memory, 1, SIZE, c.captured));
  EXPECT (CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED,
      cuCtxRecordEvent (scene->ctx, c.event));
  g_assert_cmpint (end (c.captured), ==, LOST);
  OK (cuCtxRecordEvent (scene->ctx, c.event));
  finish (&c);
}

static void
test_destroyed (Scene *scene, gconstpointer data)
{
  CUstream stream;
  CUevent event;

  NEEDS (scene);
  OK (cuEventCreate (&event, CU_EVENT_DISABLE_TIMING));
  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  OK (cuStreamBeginCapture (stream, RELAXED));
  OK (cuStreamDestroy (stream));
  OK (cuCtxRecordEvent (scene->ctx, event));
  OK (cuEventSynchronize (event));
  OK (cuEventDestroy (event));
}

/* Contexts are nobody's neighbours. */
static void
test_other_context (Scene *scene, gconstpointer data)
{
  CUcontext other, popped;
  CUstream stream;
  Capture c;

  NEEDS (scene);
  OK (create_context (&other, 0, 0));
  OK (cuStreamCreate (&stream, CU_STREAM_DEFAULT));
  OK (cuStreamBeginCapture (stream, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL));
  OK (cuCtxPopCurrent (&popped));
  OK (cuEventCreate (&c.event, CU_EVENT_DISABLE_TIMING));
  OK (cuCtxRecordEvent (scene->ctx, c.event));
  OK (cuEventRecord (c.event, NULL));
  g_assert_cmpint (ask (CU_STREAM_LEGACY), ==, NONE);
  OK (cuCtxPushCurrent (other));
  g_assert_cmpint (end (stream), ==, CUDA_SUCCESS);
  OK (cuStreamDestroy (stream));
  OK (cuCtxDestroy (other));
  OK (cuEventDestroy (c.event));
}

static void
test_wrong_use (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  OK (cuStreamBeginCapture (scene->stream, RELAXED));
  EXPECT (CUDA_ERROR_ILLEGAL_STATE,
      cuStreamBeginCapture (scene->stream, RELAXED));
  g_assert_cmpint (ask (scene->stream), ==, ACTIVE);
  g_assert_cmpint (end (scene->stream), ==, CUDA_SUCCESS);
  g_assert_cmpint (end (scene->stream), ==, CUDA_ERROR_ILLEGAL_STATE);
}

/* The calling thread's own default stream is a blocking one. */
static void
test_per_thread (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  OK (cuStreamBeginCapture (CU_STREAM_PER_THREAD, RELAXED));
  g_assert_cmpint (ask (CU_STREAM_PER_THREAD), ==, ACTIVE);
  g_assert_cmpint (ask (CU_STREAM_LEGACY), ==,
      CUDA_ERROR_STREAM_CAPTURE_IMPLICIT);
  g_assert_cmpint (end (CU_STREAM_PER_THREAD), ==, CUDA_SUCCESS);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions (); /* list each difference */
  ADD_TEST ("/driver/capture/replay", test_replay);
  ADD_TEST ("/driver/capture/event", test_event);
  ADD_TEST ("/driver/capture/fork", test_fork);
  ADD_TEST ("/driver/capture/merge", test_merge);
  ADD_TEST ("/driver/capture/fork-ends-wrongly", test_fork_ends_wrongly);
  ADD_TEST ("/driver/capture/other-thread", test_other_thread);
  ADD_TEST ("/driver/capture/isolation", test_isolation);
  ADD_TEST ("/driver/capture/failed-record", test_failed_record);
  ADD_TEST ("/driver/capture/invalidated", test_invalidated);
  ADD_TEST ("/driver/capture/destroyed", test_destroyed);
  ADD_TEST ("/driver/capture/other-context", test_other_context);
  ADD_TEST ("/driver/capture/wrong-use", test_wrong_use);
  ADD_TEST ("/driver/capture/per-thread", test_per_thread);
  return g_test_run ();
}
