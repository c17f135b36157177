/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What a program may not do is named: each report counts as an error. */

#include "control.h"

#include <string.h>

#define SIZE 1000
#define POISON 0xcd

static void
test_poison (Scene *scene, gconstpointer data)
{
  CUdeviceptr memory;
  guint8 *view, *pinned;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  view = panel->host_view (memory);
  g_assert_cmpuint (view[0], ==, POISON);
  g_assert_cmpuint (view[SIZE - 1], ==, POISON);
  OK (cuMemFree (memory));
  g_assert_null (panel->host_view (memory));
  OK (cuMemHostAlloc ((void **) &pinned, SIZE, 0));
  g_assert_cmpuint (pinned[SIZE - 1], ==, POISON);
  OK (cuMemFreeHost (pinned));
}

static void
test_addresses_are_not_reused (Scene *scene, gconstpointer data)
{
  CUdeviceptr first, second;

  NEEDS (scene);
  OK (cuMemAlloc (&first, SIZE));
  OK (cuMemFree (first));
  OK (cuMemAlloc (&second, SIZE));
  g_assert_cmpuint (first, !=, second);
  OK (cuMemFree (second));
}

static void
touch_device_memory (Scene *scene, gconstpointer data)
{
  CUdeviceptr memory;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  *(volatile guint8 *) (gsize) memory = 1;
}

static void
touch_freed_pinned_memory (Scene *scene, gconstpointer data)
{
  void *memory;

  NEEDS (scene);
  OK (cuMemHostAlloc (&memory, SIZE, 0));
  OK (cuMemFreeHost (memory));
  *(volatile guint8 *) memory = 1;
}

static void
test_host_access_faults (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  g_test_trap_subprocess ("/softcuda/misuse/subprocess/device", 0,
      G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed ();
  g_test_trap_subprocess ("/softcuda/misuse/subprocess/pinned", 0,
      G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_failed ();
}

static void
expect_report (const char *word)
{
  g_assert_cmpuint (control_errors (), ==, 1);
  g_assert_nonnull (strstr (panel->last_error (), word));
  panel->reset_counters ();
}

static void
test_freed_memory (Scene *scene, gconstpointer data)
{
  guint8 bytes[SIZE] = { 0 };
  CUdeviceptr memory;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  OK (cuMemFree (memory));
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD (memory, bytes, SIZE));
  expect_report ("freed");
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemsetD8 (memory, 0, SIZE));
  expect_report ("allocation");
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemFree (memory));
  expect_report ("freed");
}

static void
test_bounds (Scene *scene, gconstpointer data)
{
  CUdeviceptr memory;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemsetD8 (memory + 1, 0, SIZE));
  expect_report ("allocation");
  OK (cuMemFree (memory));
}

static void
test_freed_while_queued (Scene *scene, gconstpointer data)
{
  CUcontext lost;
  CUdeviceptr memory;
  CUstream stream;

  NEEDS (scene);
  OK (create_context (&lost, 0, 0));
  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  OK (cuMemAlloc (&memory, SIZE));
  panel->set_free_mode (1);
  panel->set_races ("off"); /* that it is one, too, is tested elsewhere */
  g_assert_cmpint (panel->delay (stream, 20), ==, CUDA_SUCCESS);
  OK (cuMemsetD8Async (memory, 0, SIZE, stream));
  OK (cuMemFree (memory));
  panel->set_races ("abort");
  panel->set_free_mode (0);
  EXPECT (CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize (stream));
  expect_report ("queued");
  OK (cuCtxDestroy (lost));
}

static void
test_stale_handles (Scene *scene, gconstpointer data)
{
  CUstream stream;
  CUevent event;

  NEEDS (scene);
  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  OK (cuEventCreate (&event, 0));
  OK (cuStreamDestroy (stream));
  OK (cuEventDestroy (event));
  EXPECT (CUDA_ERROR_INVALID_HANDLE, cuStreamSynchronize (stream));
  expect_report ("stream");
  EXPECT (CUDA_ERROR_INVALID_HANDLE, cuEventRecord (event, scene->stream));
  expect_report ("event");
}

static gpointer
push_and_end (gpointer ctx)
{
  OK (cuCtxPushCurrent (ctx));
  return NULL;
}

static void
test_unbalanced_push (Scene *scene, gconstpointer data)
{
  CUcontext ctx;

  NEEDS (scene);
  g_thread_join (g_thread_new ("pusher", push_and_end, scene->ctx));
  /* the thread's own clean-up follows its return */
  for (int i = 0; i < 1000 && control_errors () == 0; i++)
    g_usleep (1000);
  expect_report ("popped");
  OK (cuCtxPopCurrent (&ctx));
  EXPECT (CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent (&ctx));
  expect_report ("pushed");
  OK (cuCtxPushCurrent (scene->ctx));
}

static void
test_dead_context (Scene *scene, gconstpointer data)
{
  CUcontext ctx, popped;

  NEEDS (scene);
  OK (create_context (&ctx, 0, 0));
  OK (cuCtxPopCurrent (&popped));
  OK (cuCtxDestroy (ctx));
  OK (cuCtxPushCurrent (ctx));
  expect_report ("destroyed");
  EXPECT (CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxSynchronize ());
  OK (cuCtxPopCurrent (&popped));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_CONTROL_TEST ("/softcuda/misuse/poison", test_poison);
  ADD_CONTROL_TEST ("/softcuda/misuse/addresses",
      test_addresses_are_not_reused);
  ADD_CONTROL_TEST ("/softcuda/misuse/host-access", test_host_access_faults);
  ADD_CONTROL_TEST ("/softcuda/misuse/freed", test_freed_memory);
  ADD_CONTROL_TEST ("/softcuda/misuse/bounds", test_bounds);
  ADD_CONTROL_TEST ("/softcuda/misuse/freed-queued", test_freed_while_queued);
  ADD_CONTROL_TEST ("/softcuda/misuse/stale-handles", test_stale_handles);
  ADD_CONTROL_TEST ("/softcuda/misuse/unbalanced", test_unbalanced_push);
  ADD_CONTROL_TEST ("/softcuda/misuse/dead-context", test_dead_context);
  ADD_CONTROL_TEST ("/softcuda/misuse/subprocess/device", touch_device_memory);
  ADD_CONTROL_TEST ("/softcuda/misuse/subprocess/pinned",
      touch_freed_pinned_memory);
  return g_test_run ();
}
