/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Which calls wait for work that is queued, and which do not. */

#include "busy.h"

#include "flipfatbin.h"

#define MB ((gsize) 1 << 20)

/* The legacy stream waits for blocking streams, not for others. */
static void
sync_legacy (CUstream busy_stream, gboolean waits)
{
  Busy busy;

  busy_begin (&busy, busy_stream, waits);
  OK (cuStreamSynchronize (NULL));
  busy_end (&busy, waits);
}

/* @probe with a blocking stream, for which it waits, and with another one. */
static void
with_both (Scene *scene, void (*probe) (CUstream stream, gboolean waits))
{
  CUstream blocking;

  NEEDS (scene);
  OK (cuStreamCreate (&blocking, CU_STREAM_DEFAULT));
  probe (blocking, TRUE);
  probe (scene->stream, FALSE);
  OK (cuStreamDestroy (blocking));
}

static void
test_legacy_sync (Scene *scene, gconstpointer data)
{
  with_both (scene, sync_legacy);
}

static void
record_on_legacy (CUstream busy_stream, gboolean waits)
{
  CUevent event;
  Busy busy;

  OK (cuEventCreate (&event, CU_EVENT_DISABLE_TIMING));
  busy_begin (&busy, busy_stream, waits);
  OK (cuEventRecord (event, NULL));
  OK (cuEventSynchronize (event));
  busy_end (&busy, waits);
  OK (cuEventDestroy (event));
}

static void
test_legacy_event (Scene *scene, gconstpointer data)
{
  with_both (scene, record_on_legacy);
}

/* Work on a blocking stream waits for earlier work of the legacy stream, that
 * of a non-blocking one does not. */
static void
work_after_legacy (CUstream stream, gboolean waits)
{
  CUdeviceptr memory;
  Busy busy;

  OK (cuMemAlloc (&memory, MB));
  busy_begin (&busy, NULL, waits);
  OK (cuMemsetD8Async (memory, 0, MB, stream));
  OK (cuStreamSynchronize (stream));
  busy_end (&busy, waits);
  OK (cuMemFree (memory));
}

static void
test_after_legacy (Scene *scene, gconstpointer data)
{
  with_both (scene, work_after_legacy);
}

static void
test_free_waits (Scene *scene, gconstpointer data)
{
  CUdeviceptr memory;
  Busy busy;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, MB));
  busy_begin (&busy, scene->stream, TRUE);
  OK (cuMemFree (memory));
  busy_end (&busy, TRUE);
}

static void
test_free_host_waits (Scene *scene, gconstpointer data)
{
  void *memory;
  Busy busy;

  NEEDS (scene);
  OK (cuMemHostAlloc (&memory, MB, 0));
  busy_begin (&busy, scene->stream, TRUE);
  OK (cuMemFreeHost (memory));
  busy_end (&busy, TRUE);
}

static void
test_unregister_waits (Scene *scene, gconstpointer data)
{
  g_autofree void *memory = g_malloc (4 * MB);
  Busy busy;

  NEEDS (scene);
  OK (cuMemHostRegister (memory, 4 * MB, 0));
  busy_begin (&busy, scene->stream, TRUE);
  OK (cuMemHostUnregister (memory));
  busy_end (&busy, TRUE);
}

static void
test_module_load_waits (Scene *scene, gconstpointer data)
{
  CUmodule module;
  Busy busy;

  NEEDS (scene);
  if (zc_flip_fatbin_size == 0) {
    g_test_skip ("this build has no kernels");
    return;
  }
  busy_begin (&busy, scene->stream, TRUE);
  OK (cuModuleLoadData (&module, zc_flip_fatbin));
  busy_end (&busy, TRUE);
  OK (cuModuleUnload (module));
}

static void
test_these_do_not_wait (Scene *scene, gconstpointer data)
{
  g_autofree void *memory = g_malloc (4 * MB);
  CUdeviceptr allocated;
  CUevent event;
  CUstream stream, busy_stream;
  Busy busy;

  NEEDS (scene);
  OK (cuStreamCreate (&busy_stream, CU_STREAM_NON_BLOCKING));
  busy_hold (&busy, busy_stream);
  OK (cuMemAlloc (&allocated, MB));
  OK (cuMemHostRegister (memory, 4 * MB, 0));
  OK (cuEventCreate (&event, CU_EVENT_DISABLE_TIMING));
  OK (cuEventRecord (event, busy_stream));
  EXPECT (CUDA_ERROR_NOT_READY, cuEventQuery (event));
  EXPECT (CUDA_ERROR_NOT_READY, cuStreamQuery (busy_stream));
  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  OK (cuStreamDestroy (stream));
  OK (cuStreamDestroy (busy_stream));
  busy_release (&busy);
  OK (cuEventSynchronize (event));
  OK (cuEventDestroy (event));
  OK (cuMemHostUnregister (memory));
  OK (cuMemFree (allocated));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_TEST ("/driver/wait/legacy-sync", test_legacy_sync);
  ADD_TEST ("/driver/wait/legacy-event", test_legacy_event);
  ADD_TEST ("/driver/wait/after-legacy", test_after_legacy);
  ADD_TEST ("/driver/wait/free", test_free_waits);
  ADD_TEST ("/driver/wait/free-host", test_free_host_waits);
  ADD_TEST ("/driver/wait/unregister", test_unregister_waits);
  ADD_TEST ("/driver/wait/module-load", test_module_load_waits);
  ADD_TEST ("/driver/wait/these-do-not", test_these_do_not_wait);
  return g_test_run ();
}
