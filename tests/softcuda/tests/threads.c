/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Many threads at once, each with a stream, which hand buffers round. */

#include "control.h"

#define N_THREADS 6
#define N_ROUNDS 60
#define SIZE 4096

typedef struct
{
  GMutex mutex;
  CUcontext ctx;
  CUdeviceptr memory;
  CUevent written; /* of the memory's last write */
  CUevent read;    /* of the last read since */
  guint8 value;
} Shared;

static void
write_next (Shared *shared, CUstream stream)
{
  g_mutex_lock (&shared->mutex);
  OK (cuStreamWaitEvent (stream, shared->written, 0));
  OK (cuStreamWaitEvent (stream, shared->read, 0));
  OK (cuMemsetD8Async (shared->memory, ++shared->value, SIZE, stream));
  OK (cuEventRecord (shared->written, stream));
  g_mutex_unlock (&shared->mutex);
}

/* What the last writer wrote, whoever it was. */
static void
read_back (Shared *shared, CUstream stream, guint8 *pinned)
{
  guint8 expected;

  g_mutex_lock (&shared->mutex);
  expected = shared->value;
  OK (cuStreamWaitEvent (stream, shared->written, 0));
  OK (cuStreamWaitEvent (stream, shared->read, 0));
  OK (cuMemcpyDtoHAsync (pinned, shared->memory, SIZE, stream));
  OK (cuEventRecord (shared->read, stream));
  g_mutex_unlock (&shared->mutex);
  OK (cuStreamSynchronize (stream));
  g_assert_cmpuint (pinned[0], ==, expected);
  g_assert_cmpuint (pinned[SIZE - 1], ==, expected);
}

static gpointer
take_part (gpointer data)
{
  Shared *shared = data;
  CUcontext popped;
  CUstream stream;
  void *pinned;

  OK (cuCtxPushCurrent (shared->ctx));
  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  OK (cuMemHostAlloc (&pinned, SIZE, CU_MEMHOSTALLOC_PORTABLE));
  for (int i = 0; i < N_ROUNDS; i++) {
    write_next (shared, stream);
    read_back (shared, stream, pinned);
  }
  OK (cuMemFreeHost (pinned));
  OK (cuStreamDestroy (stream));
  OK (cuCtxPopCurrent (&popped));
  return NULL;
}

static void
test_threads (Scene *scene, gconstpointer data)
{
  Shared shared = { .ctx = scene->ctx };
  GThread *threads[N_THREADS];

  NEEDS (scene);
  g_mutex_init (&shared.mutex);
  OK (cuMemAlloc (&shared.memory, SIZE));
  OK (cuEventCreate (&shared.written, CU_EVENT_DISABLE_TIMING));
  OK (cuEventCreate (&shared.read, CU_EVENT_DISABLE_TIMING));
  for (int i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("part", take_part, &shared);
  for (int i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
  OK (cuEventDestroy (shared.read));
  OK (cuEventDestroy (shared.written));
  OK (cuMemFree (shared.memory));
  g_mutex_clear (&shared.mutex);
  g_assert_cmpuint (control_errors (), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_CONTROL_TEST ("/softcuda/threads", test_threads);
  return g_test_run ();
}
