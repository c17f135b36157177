/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Calls that are told to fail, and what stays afterwards. */

#include "control.h"

#define SIZE 4096

static CUresult
try_alloc (void)
{
  CUdeviceptr memory = 0;
  CUresult result = cu.cuMemAlloc (&memory, SIZE);

  if (result == CUDA_SUCCESS)
    OK (cuMemFree (memory));
  return result;
}

static void
test_nth (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  panel->fail ("cuMemAlloc_v2", 2, CUDA_ERROR_OUT_OF_MEMORY, 0);
  g_assert_cmpint (try_alloc (), ==, CUDA_SUCCESS);
  g_assert_cmpint (try_alloc (), ==, CUDA_ERROR_OUT_OF_MEMORY);
  g_assert_cmpint (try_alloc (), ==, CUDA_SUCCESS);
  g_assert_cmpuint (panel->call_count ("cuMemAlloc_v2"), ==, 3);
}

static void
test_each (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  panel->fail ("cuMemAlloc_v2", 0, CUDA_ERROR_UNKNOWN, 0);
  for (int i = 0; i < 3; i++)
    g_assert_cmpint (try_alloc (), ==, CUDA_ERROR_UNKNOWN);
  panel->fail_clear ();
  g_assert_cmpint (try_alloc (), ==, CUDA_SUCCESS);
}

/* Says that it did, and did not. */
static void
test_skipped (Scene *scene, gconstpointer data)
{
  CUdeviceptr memory;
  guint8 byte = 0;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  OK (cuMemsetD8 (memory, 1, SIZE));
  panel->fail ("cuMemsetD8_v2", 1, CUDA_SUCCESS, 0);
  OK (cuMemsetD8 (memory, 2, SIZE));
  OK (cuMemcpyDtoH (&byte, memory, 1));
  g_assert_cmpuint (byte, ==, 1);
  OK (cuMemsetD8 (memory, 2, SIZE));
  OK (cuMemcpyDtoH (&byte, memory, 1));
  g_assert_cmpuint (byte, ==, 2);
  OK (cuMemFree (memory));
}

static void
test_random (Scene *scene, gconstpointer data)
{
  int failed = 0;

  NEEDS (scene);
  panel->set_seed (7);
  panel->fail_randomly (4, CUDA_ERROR_OUT_OF_MEMORY);
  for (int i = 0; i < 100; i++)
    failed += try_alloc () != CUDA_SUCCESS;
  g_assert_cmpint (failed, >, 5);
  g_assert_cmpint (failed, <, 60);
}

static void
test_sticky (Scene *scene, gconstpointer data)
{
  CUcontext lost;
  CUstream stream;

  NEEDS (scene);
  OK (create_context (&lost, 0, 0));
  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  panel->fail ("cuStreamSynchronize", 1, CUDA_ERROR_LAUNCH_FAILED, 1);
  EXPECT (CUDA_ERROR_LAUNCH_FAILED, cuStreamSynchronize (stream));
  EXPECT (CUDA_ERROR_LAUNCH_FAILED, cuStreamSynchronize (stream));
  g_assert_cmpint (try_alloc (), ==, CUDA_ERROR_LAUNCH_FAILED);
  OK (cuCtxPushCurrent (lost));
  OK (cuCtxPopCurrent (&lost));
  OK (cuCtxDestroy (lost));
  g_assert_cmpint (try_alloc (), ==, CUDA_SUCCESS);
}

/* Of the context that the call names, not of the one that is current. */
static void
test_sticky_push (Scene *scene, gconstpointer data)
{
  CUcontext lost;

  NEEDS (scene);
  OK (create_context (&lost, 0, 0));
  OK (cuCtxPopCurrent (&lost));
  panel->fail ("cuCtxPushCurrent_v2", 1, CUDA_ERROR_CONTEXT_IS_DESTROYED, 1);
  EXPECT (CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxPushCurrent (lost));
  g_assert_cmpint (try_alloc (), ==, CUDA_SUCCESS);
  OK (cuCtxPushCurrent (lost));
  g_assert_cmpint (try_alloc (), ==, CUDA_ERROR_CONTEXT_IS_DESTROYED);
  OK (cuCtxDestroy (lost));
  g_assert_cmpint (try_alloc (), ==, CUDA_SUCCESS);
}

static void
test_out_of_memory (Scene *scene, gconstpointer data)
{
  CUdeviceptr first, second = 0;

  NEEDS (scene);
  panel->set_memory (3 * SIZE);
  OK (cuMemAlloc (&first, 2 * SIZE));
  EXPECT (CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc (&second, 2 * SIZE));
  OK (cuMemFree (first));
  OK (cuMemAlloc (&second, 2 * SIZE));
  OK (cuMemFree (second));
  panel->set_memory ((gsize) 16 << 30);
}

static void
fails_by_environment (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  g_assert_cmpint (try_alloc (), ==, CUDA_SUCCESS);
  g_assert_cmpint (try_alloc (), ==, CUDA_SUCCESS);
  g_assert_cmpint (try_alloc (), ==, CUDA_ERROR_OUT_OF_MEMORY);
  g_assert_cmpint (try_alloc (), ==, CUDA_SUCCESS);
}

static void
test_environment (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  control_run_with ("/softcuda/fail/subprocess/environment", "SOFTCUDA_FAIL",
      "cuMemAlloc_v2:3:2");
}

static void
add_count (const char *name, uint64_t count, void *data)
{
  g_hash_table_insert (data, g_strdup (name), GSIZE_TO_POINTER (count));
}

static void
test_listed (Scene *scene, gconstpointer data)
{
  g_autoptr (GHashTable) calls =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  NEEDS (scene);
  panel->reset_counters ();
  g_assert_cmpint (try_alloc (), ==, CUDA_SUCCESS);
  panel->fail ("cuMemAlloc_v2", 1, CUDA_ERROR_UNKNOWN, 0);
  g_assert_cmpint (try_alloc (), ==, CUDA_ERROR_UNKNOWN);

  panel->each_call (add_count, calls);
  g_assert_cmpuint (g_hash_table_size (calls), ==, 2);
  g_assert_cmpuint (GPOINTER_TO_SIZE (g_hash_table_lookup (calls,
                        "cuMemAlloc_v2")),
      ==, 2);
  g_assert_cmpuint (GPOINTER_TO_SIZE (g_hash_table_lookup (calls,
                        "cuMemFree_v2")),
      ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_CONTROL_TEST ("/softcuda/fail/nth", test_nth);
  ADD_CONTROL_TEST ("/softcuda/fail/each", test_each);
  ADD_CONTROL_TEST ("/softcuda/fail/skipped", test_skipped);
  ADD_CONTROL_TEST ("/softcuda/fail/random", test_random);
  ADD_CONTROL_TEST ("/softcuda/fail/sticky", test_sticky);
  ADD_CONTROL_TEST ("/softcuda/fail/sticky-push", test_sticky_push);
  ADD_CONTROL_TEST ("/softcuda/fail/out-of-memory", test_out_of_memory);
  ADD_CONTROL_TEST ("/softcuda/fail/listed", test_listed);
  ADD_CONTROL_TEST ("/softcuda/fail/environment", test_environment);
  ADD_CONTROL_TEST ("/softcuda/fail/subprocess/environment",
      fails_by_environment);
  return g_test_run ();
}
