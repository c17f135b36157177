/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "capturer.h"

#include "cudacall.h"
#include "cudatest.h"

#define SIZE 64
#define VALUE 0x5a

const Capturer capturers[] = {
  { "blocking/global", TRUE, FALSE, CU_STREAM_CAPTURE_MODE_GLOBAL },
  { "blocking/thread-local", TRUE, FALSE, CU_STREAM_CAPTURE_MODE_THREAD_LOCAL },
  { "blocking/relaxed", TRUE, FALSE, CU_STREAM_CAPTURE_MODE_RELAXED },
  { "non-blocking/global", FALSE, TRUE, CU_STREAM_CAPTURE_MODE_GLOBAL },
  { "non-blocking/thread-local", FALSE, TRUE,
      CU_STREAM_CAPTURE_MODE_THREAD_LOCAL },
  { "non-blocking/relaxed", FALSE, TRUE, CU_STREAM_CAPTURE_MODE_RELAXED },
};
const guint n_capturers = G_N_ELEMENTS (capturers);

struct _CapturerRun
{
  const Capturer *self;
  GstCudaContext *context; /* owned */
  GThread *thread;
  GMutex lock;
  GCond changed;
  gboolean begun, end;
};

static gboolean
graph_works (CUgraph graph, CUdeviceptr memory)
{
  CUgraphExec exec;
  CUstream stream;
  guint8 byte;

  CUDA_TEST_CALL ("cuGraphInstantiateWithFlags",
      (CUgraphExec *, CUgraph, unsigned long long), &exec, graph, 0);
  CUDA_TEST_CALL ("cuStreamCreate", (CUstream *, unsigned int), &stream,
      CU_STREAM_NON_BLOCKING);
  CUDA_TEST_CALL ("cuGraphLaunch", (CUgraphExec, CUstream), exec, stream);
  CUDA_TEST_CALL ("cuStreamSynchronize", (CUstream), stream);
  CUDA_TEST_CALL ("cuMemcpyDtoH_v2", (void *, CUdeviceptr, size_t), &byte,
      memory, 1);
  CUDA_TEST_CALL ("cuStreamDestroy_v2", (CUstream), stream);
  CUDA_TEST_CALL ("cuGraphExecDestroy", (CUgraphExec), exec);
  CUDA_TEST_CALL ("cuGraphDestroy", (CUgraph), graph);
  return byte == VALUE;
}

static void
wait_for_end (CapturerRun *capture)
{
  g_mutex_lock (&capture->lock);
  capture->begun = TRUE;
  g_cond_broadcast (&capture->changed);
  while (!capture->end)
    g_cond_wait (&capture->changed, &capture->lock);
  g_mutex_unlock (&capture->lock);
}

static gboolean
capture_stream (CapturerRun *capture, CUstream stream, CUdeviceptr memory)
{
  CUgraph graph = NULL;
  CUresult result;

  CUDA_TEST_CALL ("cuStreamBeginCapture_v2", (CUstream, CUstreamCaptureMode),
      stream, capture->self->mode);
  CUDA_TEST_CALL ("cuMemsetD8Async",
      (CUdeviceptr, unsigned char, size_t, CUstream), memory, VALUE, SIZE,
      stream);
  wait_for_end (capture);
  result = CUDA_TEST_RESULT ("cuStreamEndCapture", (CUstream, CUgraph *),
      stream, &graph);
  if (result == CUDA_SUCCESS)
    return graph_works (graph, memory);
  g_test_message ("the capture of a %s stream was broken: %d",
      capture->self->name, result);
  return FALSE;
}

static gpointer
run (gpointer data)
{
  CapturerRun *capture = data;
  CUdeviceptr memory = cuda_test_alloc (capture->context, SIZE);
  gboolean declared = capture->self->declared;
  CUstream stream;
  gboolean ok;

  cuda_test_push (capture->context);
  CUDA_TEST_CALL ("cuStreamCreate", (CUstream *, unsigned int), &stream,
      capture->self->blocking ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING);
  if (declared)
    g_assert_true (gst_zc_context_begin_capture (capture->context, NULL));
  ok = capture_stream (capture, stream, memory);
  if (declared)
    gst_zc_context_end_capture (capture->context);
  CUDA_TEST_CALL ("cuStreamDestroy_v2", (CUstream), stream);
  cuda_test_pop ();
  cuda_test_free (capture->context, memory);
  return GINT_TO_POINTER (ok);
}

CapturerRun *
capturer_begin (const Capturer *self, GstCudaContext *context)
{
  CapturerRun *capture = g_new0 (CapturerRun, 1);

  capture->self = self;
  capture->context = gst_object_ref (context);
  g_mutex_init (&capture->lock);
  g_cond_init (&capture->changed);
  capture->thread = g_thread_new ("capturer", run, capture);
  g_mutex_lock (&capture->lock);
  while (!capture->begun)
    g_cond_wait (&capture->changed, &capture->lock);
  g_mutex_unlock (&capture->lock);
  return capture;
}

gboolean
capturer_end (CapturerRun *capture)
{
  gboolean ok;

  g_mutex_lock (&capture->lock);
  capture->end = TRUE;
  g_cond_broadcast (&capture->changed);
  g_mutex_unlock (&capture->lock);
  ok = GPOINTER_TO_INT (g_thread_join (capture->thread));
  gst_object_unref (capture->context);
  g_cond_clear (&capture->changed);
  g_mutex_clear (&capture->lock);
  g_free (capture);
  return ok;
}
