/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What crosses the border of a context, and what is left of a dead one. */

#include "busy.h"

#define SIZE ((gsize) 1 << 16)

/* A second context of the same device, not current. */
static CUcontext
other_context (void)
{
  CUcontext ctx, popped;

  OK (create_context (&ctx, 0, 0));
  OK (cuCtxPopCurrent (&popped));
  g_assert_true (popped == ctx);
  return ctx;
}

static void
enter (CUcontext ctx)
{
  OK (cuCtxPushCurrent (ctx));
}

static void
leave (void)
{
  CUcontext popped;

  OK (cuCtxPopCurrent (&popped));
}

static CUdeviceptr
alloc_in (CUcontext ctx)
{
  CUdeviceptr memory;

  enter (ctx);
  OK (cuMemAlloc (&memory, SIZE));
  leave ();
  return memory;
}

static CUstream
stream_in (CUcontext ctx)
{
  CUstream stream;

  enter (ctx);
  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  leave ();
  return stream;
}

static CUevent
event_in (CUcontext ctx)
{
  CUevent event;

  enter (ctx);
  OK (cuEventCreate (&event, CU_EVENT_DISABLE_TIMING));
  leave ();
  return event;
}

/* The event of a whole context covers each stream of it, non-blocking ones
 * too, and a stream can wait for it. */
static void
context_event_covers (CUcontext ctx)
{
  CUstream busy_stream, waiting;
  CUevent event;
  Busy busy;

  OK (cuStreamCreate (&busy_stream, CU_STREAM_NON_BLOCKING));
  OK (cuStreamCreate (&waiting, CU_STREAM_NON_BLOCKING));
  OK (cuEventCreate (&event, CU_EVENT_DISABLE_TIMING));
  busy_start (&busy, busy_stream);
  OK (cuCtxRecordEvent (ctx, event));
  OK (cuStreamWaitEvent (waiting, event, 0));
  OK (cuStreamSynchronize (waiting));
  g_assert_true (busy_done (&busy));
  OK (cuEventQuery (event));
  busy_finish (&busy);
  OK (cuEventDestroy (event));
  OK (cuStreamDestroy (waiting));
  OK (cuStreamDestroy (busy_stream));
}

static void
test_record_own (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  context_event_covers (scene->ctx);
}

static void
test_record_primary (Scene *scene, gconstpointer data)
{
  CUcontext primary;

  NEEDS (scene);
  OK (cuDevicePrimaryCtxRetain (&primary, 0));
  enter (primary);
  context_event_covers (primary);
  leave ();
  OK (cuDevicePrimaryCtxRelease (0));
}

static void
test_foreign_memory (Scene *scene, gconstpointer data)
{
  CUcontext other;
  CUdeviceptr theirs, ours;
  guint8 byte;

  NEEDS (scene);
  other = other_context ();
  theirs = alloc_in (other);
  OK (cuMemAlloc (&ours, SIZE));
  OK (cuMemsetD8Async (theirs, 5, SIZE, scene->stream));
  OK (cuMemcpyDtoDAsync (ours, theirs, SIZE, scene->stream));
  OK (cuStreamSynchronize (scene->stream));
  OK (cuMemcpyDtoH (&byte, ours + SIZE - 1, 1));
  g_assert_cmpuint (byte, ==, 5);
  OK (cuMemFree (ours));
  OK (cuCtxDestroy (other));
}

static void
test_foreign_stream (Scene *scene, gconstpointer data)
{
  CUcontext other;
  CUdeviceptr ours;
  CUstream theirs;
  guint8 byte;

  NEEDS (scene);
  other = other_context ();
  theirs = stream_in (other);
  OK (cuMemAlloc (&ours, SIZE));
  OK (cuMemsetD8Async (ours, 6, SIZE, theirs));
  OK (cuStreamSynchronize (theirs));
  OK (cuMemcpyDtoH (&byte, ours, 1));
  g_assert_cmpuint (byte, ==, 6);
  OK (cuMemFree (ours));
  OK (cuCtxDestroy (other));
}

static void
test_foreign_event (Scene *scene, gconstpointer data)
{
  CUcontext other;
  CUstream their_stream;
  CUevent theirs;
  Busy busy;

  NEEDS (scene);
  other = other_context ();
  their_stream = stream_in (other);
  theirs = event_in (other);
  EXPECT (CUDA_ERROR_INVALID_HANDLE, cuEventRecord (theirs, scene->stream));
  enter (other);
  busy_start (&busy, their_stream);
  OK (cuEventRecord (theirs, their_stream));
  leave ();
  OK (cuStreamWaitEvent (scene->stream, theirs, 0));
  OK (cuStreamSynchronize (scene->stream));
  g_assert_true (busy_done (&busy));
  busy_finish (&busy);
  OK (cuEventDestroy (theirs));
  OK (cuCtxDestroy (other));
}

/* Drivers were seen to crash on it, one time and not another. */
static void
use_event_of_dead_context (void)
{
  CUcontext mine, other, popped;
  CUevent theirs;
  CUstream stream;
  const char *why;

  g_assert_true (driver_load (&why));
  OK (create_context (&mine, 0, 0));
  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  other = other_context ();
  theirs = event_in (other);
  OK (cuCtxDestroy (other));
  g_assert_cmpint (cu.cuStreamWaitEvent (stream, theirs, 0), !=, CUDA_SUCCESS);
  EXPECT (CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventQuery (theirs));
  OK (cuCtxPushCurrent (other));
  EXPECT (CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventQuery (theirs));
  EXPECT (CUDA_ERROR_CONTEXT_IS_DESTROYED, cuCtxRecordEvent (other, theirs));
  OK (cuCtxPopCurrent (&popped));
  EXPECT (CUDA_ERROR_CONTEXT_IS_DESTROYED, cuEventDestroy (theirs));
}

static void
test_event_of_dead_context (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  g_test_trap_subprocess ("/driver/context/subprocess/dead-event", 0, 0);
  if (driver_is_softcuda ())
    g_test_trap_assert_passed ();
  else if (!g_test_trap_has_passed ())
    g_test_skip ("this driver crashes, or says something else");
}

/* Work of ours on memory of theirs, that of ours being @ours or @pinned. */
typedef CUresult (*Work) (CUdeviceptr theirs, CUdeviceptr ours, void *pinned,
    CUstream stream);

static CUresult
set (CUdeviceptr theirs, CUdeviceptr ours, void *pinned, CUstream stream)
{
  return cu.cuMemsetD8Async (theirs, 5, SIZE, stream);
}

static CUresult
copy_to (CUdeviceptr theirs, CUdeviceptr ours, void *pinned, CUstream stream)
{
  return cu.cuMemcpyDtoDAsync (theirs, ours, SIZE, stream);
}

static CUresult
copy_from (CUdeviceptr theirs, CUdeviceptr ours, void *pinned, CUstream stream)
{
  return cu.cuMemcpyDtoDAsync (ours, theirs, SIZE, stream);
}

static CUresult
upload (CUdeviceptr theirs, CUdeviceptr ours, void *pinned, CUstream stream)
{
  return cu.cuMemcpyHtoDAsync (theirs, pinned, SIZE, stream);
}

static CUresult
download (CUdeviceptr theirs, CUdeviceptr ours, void *pinned, CUstream stream)
{
  return cu.cuMemcpyDtoHAsync (pinned, theirs, SIZE, stream);
}

/* Frees memory of theirs while @work of ours on it is queued. */
static CUresult
free_under (Work work, gboolean waits)
{
  CUcontext mine, other;
  CUdeviceptr theirs, ours;
  CUstream stream;
  void *pinned;
  const char *why;
  Busy busy;

  g_assert_true (driver_load (&why));
  OK (create_context (&mine, 0, 0));
  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  OK (cuMemHostAlloc (&pinned, SIZE, 0));
  OK (cuMemAlloc (&ours, SIZE));
  other = other_context ();
  theirs = alloc_in (other);
  if (waits)
    busy_start (&busy, stream);
  else
    busy_hold (&busy, stream);
  g_assert_cmpint (work (theirs, ours, pinned, stream), ==, CUDA_SUCCESS);
  OK (cuMemFree (theirs));
  g_assert_cmpint (busy_done (&busy), ==, waits);
  if (waits)
    busy_finish (&busy);
  else
    busy_release (&busy);
  return cu.cuStreamSynchronize (stream);
}

/* These two lose their process' contexts. */
static void
free_under_memset (void)
{
  g_assert_cmpint (free_under (set, FALSE), ==, CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void
free_under_copy (void)
{
  g_assert_cmpint (free_under (copy_to, FALSE), ==, CUDA_ERROR_ILLEGAL_ADDRESS);
}

static void
frees_that_wait (void)
{
  g_assert_cmpint (free_under (copy_from, TRUE), ==, CUDA_SUCCESS);
  g_assert_cmpint (free_under (upload, TRUE), ==, CUDA_SUCCESS);
  g_assert_cmpint (free_under (download, TRUE), ==, CUDA_SUCCESS);
}

static void
test_free_of_foreign_memory (Scene *scene, gconstpointer data)
{
  static const char *const parts[] = { "memset", "copy", "waiting" };

  NEEDS (scene);
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_autofree char *path =
        g_strconcat ("/driver/context/subprocess/", parts[i], NULL);
    g_test_trap_subprocess (path, 0, 0);
    g_test_trap_assert_passed ();
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_TEST ("/driver/context/record-own", test_record_own);
  ADD_TEST ("/driver/context/record-primary", test_record_primary);
  ADD_TEST ("/driver/context/foreign-memory", test_foreign_memory);
  ADD_TEST ("/driver/context/foreign-stream", test_foreign_stream);
  ADD_TEST ("/driver/context/foreign-event", test_foreign_event);
  ADD_TEST ("/driver/context/dead-event", test_event_of_dead_context);
  ADD_TEST ("/driver/context/free-of-foreign", test_free_of_foreign_memory);
  g_test_add_func ("/driver/context/subprocess/dead-event",
      use_event_of_dead_context);
  g_test_add_func ("/driver/context/subprocess/memset", free_under_memset);
  g_test_add_func ("/driver/context/subprocess/copy", free_under_copy);
  g_test_add_func ("/driver/context/subprocess/waiting", frees_that_wait);
  return g_test_run ();
}
