/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Graphs by capture: what their launches do, and what is left over. */

#include "control.h"

#define SIZE 4096

static void
begin (CUstream stream)
{
  OK (cuStreamBeginCapture (stream, CU_STREAM_CAPTURE_MODE_RELAXED));
}

/* Ends the capture of @stream. */
static CUgraphExec
make_exec (CUstream stream)
{
  CUgraphExec exec;
  CUgraph graph;

  OK (cuStreamEndCapture (stream, &graph));
  OK (cuGraphInstantiate (&exec, graph, 0));
  OK (cuGraphDestroy (graph));
  return exec;
}

static void CUDA_CB
count_up (void *count)
{
  g_atomic_int_inc ((gint *) count);
}

/* Memory of the host is read when the graph runs, host functions run each time,
 * and nothing of it runs before. */
static void
test_each_launch (Scene *scene, gconstpointer data)
{
  CUdeviceptr memory;
  CUgraphExec exec;
  gint count = 0;
  void *pinned;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  OK (cuMemHostAlloc (&pinned, SIZE, 0));
  begin (scene->stream);
  OK (cuMemcpyHtoDAsync (memory, pinned, SIZE, scene->stream));
  OK (cuLaunchHostFunc (scene->stream, count_up, &count));
  exec = make_exec (scene->stream);
  panel->drain ();
  g_assert_cmpint (count, ==, 0);
  for (int i = 1; i <= 3; i++) {
    memset (pinned, i, SIZE);
    OK (cuGraphLaunch (exec, scene->stream));
    OK (cuStreamSynchronize (scene->stream));
    g_assert_cmpint (count, ==, i);
    g_assert_cmpuint (*(guint8 *) panel->host_view (memory), ==, i);
  }
  g_assert_cmpuint (control_errors (), ==, 0);
  OK (cuGraphExecDestroy (exec));
  OK (cuMemFreeHost (pinned));
  OK (cuMemFree (memory));
}

/* Bytes of pageable memory are not taken at the call, and none blocks. */
static void
test_pageable (Scene *scene, gconstpointer data)
{
  guint8 from[16] = { 1 }, to[16] = { 0 };
  CUdeviceptr memory;
  CUgraphExec exec;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  begin (scene->stream);
  OK (cuMemcpyHtoDAsync (memory, from, sizeof from, scene->stream));
  OK (cuMemcpyDtoHAsync (to, memory, sizeof to, scene->stream));
  exec = make_exec (scene->stream);
  g_assert_cmpuint (to[0], ==, 0);
  from[0] = 2;
  OK (cuGraphLaunch (exec, scene->stream));
  OK (cuStreamSynchronize (scene->stream));
  g_assert_cmpuint (to[0], ==, 2);
  OK (cuGraphExecDestroy (exec));
  OK (cuMemFree (memory));
}

/* What is captured races with nobody, what is launched may. */
static void
test_race (Scene *scene, gconstpointer data)
{
  CUdeviceptr memory;
  CUgraphExec exec;

  NEEDS (scene);
  panel->set_races ("count");
  OK (cuMemAlloc (&memory, SIZE));
  begin (scene->stream);
  OK (cuMemsetD8Async (memory, 1, SIZE, scene->stream));
  exec = make_exec (scene->stream);
  OK (cuMemsetD8Async (memory, 2, SIZE, scene->other));
  g_assert_cmpuint (panel->race_count (), ==, 0);
  OK (cuGraphLaunch (exec, scene->stream));
  g_assert_cmpuint (panel->race_count (), ==, 1);
  OK (cuCtxSynchronize ());
  panel->set_races ("abort");
  OK (cuGraphExecDestroy (exec));
  OK (cuMemFree (memory));
}

static guint64
graphs (void)
{
  SoftcudaOutstanding outstanding;

  panel->get_outstanding (&outstanding);
  return outstanding.graphs;
}

static void
test_outstanding (Scene *scene, gconstpointer data)
{
  CUgraphExec exec;
  CUgraph graph;

  NEEDS (scene);
  begin (scene->stream);
  OK (cuStreamEndCapture (scene->stream, &graph));
  g_assert_cmpuint (graphs (), ==, 1);
  OK (cuGraphInstantiate (&exec, graph, 0));
  g_assert_cmpuint (graphs (), ==, 2);
  OK (cuGraphDestroy (graph));
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuGraphDestroy (graph));
  g_assert_cmpuint (control_errors (), ==, 1);
  OK (cuGraphExecDestroy (exec));
  g_assert_cmpuint (graphs (), ==, 0);
}

/* A capture goes with its context. */
static void
test_context_gone (Scene *scene, gconstpointer data)
{
  CUdeviceptr memory;
  CUcontext ctx;
  CUstream stream;

  NEEDS (scene);
  OK (create_context (&ctx, 0, 0));
  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  OK (cuStreamBeginCapture (stream, CU_STREAM_CAPTURE_MODE_GLOBAL));
  OK (cuCtxDestroy (ctx));
  OK (cuMemAlloc (&memory, SIZE));
  OK (cuMemFree (memory));
  g_assert_cmpuint (control_errors (), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_CONTROL_TEST ("/softcuda/capture/each-launch", test_each_launch);
  ADD_CONTROL_TEST ("/softcuda/capture/pageable", test_pageable);
  ADD_CONTROL_TEST ("/softcuda/capture/race", test_race);
  ADD_CONTROL_TEST ("/softcuda/capture/outstanding", test_outstanding);
  ADD_CONTROL_TEST ("/softcuda/capture/context-gone", test_context_gone);
  return g_test_run ();
}
