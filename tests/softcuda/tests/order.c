/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* When queued work runs: as late as the policy wants, never too late. */

#include "control.h"

#define SIZE 4096

static guint8
peek (CUdeviceptr memory)
{
  return *(guint8 *) panel->host_view (memory);
}

static void
test_policy (Scene *scene, const char *policy, gboolean at_once)
{
  CUdeviceptr memory;

  OK (cuMemAlloc (&memory, SIZE));
  panel->set_policy (policy);
  OK (cuMemsetD8Async (memory, 5, SIZE, scene->stream));
  if (at_once)
    g_assert_cmpuint (peek (memory), ==, 5);
  OK (cuStreamSynchronize (scene->stream));
  g_assert_cmpuint (peek (memory), ==, 5);
  OK (cuMemFree (memory));
}

static void
test_policies (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  test_policy (scene, "lazy", FALSE);
  test_policy (scene, "random", FALSE);
  test_policy (scene, "priorities", FALSE);
  test_policy (scene, "eager", TRUE);
  panel->set_policy ("lazy");
  g_assert_false (panel->set_policy ("hasty"));
}

/* A read that nothing orders behind the write sees what was there before. */
static void
test_missing_wait_shows (Scene *scene, gconstpointer data)
{
  CUdeviceptr memory, copy;
  guint8 byte;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  OK (cuMemAlloc (&copy, SIZE));
  OK (cuMemsetD8 (memory, 1, SIZE));
  OK (cuCtxSynchronize ());
  g_assert_cmpint (panel->delay (scene->stream, 50), ==, CUDA_SUCCESS);
  panel->set_races ("off");
  OK (cuMemsetD8Async (memory, 2, SIZE, scene->stream));
  OK (cuMemcpyDtoDAsync (copy, memory, SIZE, scene->other));
  panel->set_races ("abort");
  OK (cuStreamSynchronize (scene->other));
  OK (cuMemcpyDtoH (&byte, copy, 1));
  g_assert_cmpuint (byte, ==, 1);
  OK (cuCtxSynchronize ());
  OK (cuMemFree (memory));
  OK (cuMemFree (copy));
}

static void
test_delay (Scene *scene, gconstpointer data)
{
  gint64 start = g_get_monotonic_time ();

  NEEDS (scene);
  g_assert_cmpint (panel->delay (scene->stream, 30), ==, CUDA_SUCCESS);
  OK (cuStreamSynchronize (scene->stream));
  g_assert_cmpint (g_get_monotonic_time () - start, >=, 30000);
}

/* Whoever sleeps, or only asks, is served too. */
static void
test_progress (Scene *scene, gconstpointer data)
{
  CUdeviceptr memory;
  CUevent event;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  OK (cuEventCreate (&event, CU_EVENT_DISABLE_TIMING));
  OK (cuMemsetD8Async (memory, 3, SIZE, scene->stream));
  for (int i = 0; i < 5000 && peek (memory) != 3; i++)
    g_usleep (1000);
  g_assert_cmpuint (peek (memory), ==, 3);
  OK (cuMemsetD8Async (memory, 4, SIZE, scene->stream));
  OK (cuEventRecord (event, scene->stream));
  while (cu.cuEventQuery (event) == CUDA_ERROR_NOT_READY)
    g_thread_yield ();
  g_assert_cmpuint (peek (memory), ==, 4);
  OK (cuEventDestroy (event));
  OK (cuMemFree (memory));
}

static void
test_rerecorded_event (Scene *scene, gconstpointer data)
{
  CUdeviceptr memory;
  CUevent event;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  OK (cuEventCreate (&event, CU_EVENT_DISABLE_TIMING));
  OK (cuMemsetD8Async (memory, 3, SIZE, scene->stream));
  OK (cuEventRecord (event, scene->stream));
  OK (cuStreamWaitEvent (scene->other, event, 0));
  g_assert_cmpint (panel->delay (scene->stream, 500), ==, CUDA_SUCCESS);
  OK (cuEventRecord (event, scene->stream));
  /* the wait is for the record that was the last one when it was queued */
  OK (cuStreamSynchronize (scene->other));
  EXPECT (CUDA_ERROR_NOT_READY, cuEventQuery (event));
  g_assert_cmpuint (peek (memory), ==, 3);
  OK (cuEventDestroy (event));
  OK (cuMemFree (memory));
}

static void
test_counters (Scene *scene, gconstpointer data)
{
  SoftcudaCounters c;
  CUdeviceptr memory;
  void *pinned;
  CUevent event;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  OK (cuMemHostAlloc (&pinned, SIZE, 0));
  OK (cuEventCreate (&event, CU_EVENT_DISABLE_TIMING));
  OK (cuMemcpyHtoDAsync (memory, pinned, SIZE, scene->stream));
  OK (cuEventRecord (event, scene->stream));
  OK (cuStreamWaitEvent (scene->other, event, 0));
  OK (cuMemcpyDtoHAsync (pinned, memory, SIZE / 2, scene->other));
  OK (cuStreamSynchronize (scene->other));
  panel->get_counters (&c);
  g_assert_cmpuint (c.allocations, ==, 1);
  g_assert_cmpuint (c.host_allocations, ==, 1);
  g_assert_cmpuint (c.events_created, ==, 1);
  g_assert_cmpuint (c.event_waits, ==, 1);
  g_assert_cmpuint (c.host_waits, ==, 1);
  g_assert_cmpuint (c.uploads, ==, 1);
  g_assert_cmpuint (c.bytes_uploaded, ==, SIZE);
  g_assert_cmpuint (c.downloads, ==, 1);
  g_assert_cmpuint (c.bytes_downloaded, ==, SIZE / 2);
  g_assert_cmpuint (c.errors, ==, 0);
  OK (cuEventDestroy (event));
  OK (cuMemFreeHost (pinned));
  OK (cuMemFree (memory));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_CONTROL_TEST ("/softcuda/order/policies", test_policies);
  ADD_CONTROL_TEST ("/softcuda/order/missing-wait", test_missing_wait_shows);
  ADD_CONTROL_TEST ("/softcuda/order/delay", test_delay);
  ADD_CONTROL_TEST ("/softcuda/order/progress", test_progress);
  ADD_CONTROL_TEST ("/softcuda/order/rerecorded", test_rerecorded_event);
  ADD_CONTROL_TEST ("/softcuda/order/counters", test_counters);
  return g_test_run ();
}
