/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Virtual time: what overlaps on a real device takes less of it. */

#include "control.h"

#define SIZE 5320
#define SCALE 10000
#define UPLOAD 1000000   /* ns for that much at 53.2 GB/s */
#define OVERHEAD 50000   /* of calls */

typedef struct
{
  CUdeviceptr up, down;
  void *source, *target;
} Memory;

static void
alloc (Memory *memory)
{
  OK (cuMemAlloc (&memory->up, SIZE));
  OK (cuMemAlloc (&memory->down, SIZE));
  OK (cuMemHostAlloc (&memory->source, SIZE, 0));
  OK (cuMemHostAlloc (&memory->target, SIZE, 0));
  panel->virtual_time_reset (SCALE);
}

static void
release (Memory *memory)
{
  OK (cuCtxSynchronize ());
  OK (cuMemFreeHost (memory->target));
  OK (cuMemFreeHost (memory->source));
  OK (cuMemFree (memory->down));
  OK (cuMemFree (memory->up));
}

static guint64
makespan (void)
{
  SoftcudaVirtualTime time;

  OK (cuCtxSynchronize ());
  panel->virtual_time_get (&time);
  return time.makespan;
}

#define ASSERT_ABOUT(time, expected)                                           \
  do {                                                                         \
    guint64 time_ = (time);                                                    \
    g_assert_cmpuint (time_, >=, (expected));                                  \
    g_assert_cmpuint (time_, <=, (expected) + OVERHEAD);                       \
  } while (0)

static void
upload (const Memory *memory, CUstream stream)
{
  OK (cuMemcpyHtoDAsync (memory->up, memory->source, SIZE, stream));
}

static void
download (const Memory *memory, CUstream stream)
{
  OK (cuMemcpyDtoHAsync (memory->target, memory->down, SIZE, stream));
}

static void
test_one_engine (Scene *scene, gconstpointer data)
{
  Memory first, second;

  NEEDS (scene);
  alloc (&first);
  alloc (&second);
  upload (&first, scene->stream);
  upload (&second, scene->other);
  ASSERT_ABOUT (makespan (), 2 * UPLOAD);
  release (&second);
  release (&first);
}

static void
test_both_ways (Scene *scene, gconstpointer data)
{
  Memory memory;

  NEEDS (scene);
  alloc (&memory);
  upload (&memory, scene->stream);
  download (&memory, scene->other);
  ASSERT_ABOUT (makespan (), UPLOAD);
  panel->virtual_time_reset (SCALE);
  upload (&memory, scene->stream);
  download (&memory, scene->stream);
  ASSERT_ABOUT (makespan (), 2 * UPLOAD * 0.99);
  release (&memory);
}

/* A host wait between the two loses the overlap. */
static void
test_host_wait (Scene *scene, gconstpointer data)
{
  Memory memory;

  NEEDS (scene);
  alloc (&memory);
  upload (&memory, scene->stream);
  OK (cuStreamSynchronize (scene->stream));
  download (&memory, scene->other);
  ASSERT_ABOUT (makespan (), 2 * UPLOAD * 0.99);
  release (&memory);
}

static void
test_event_wait (Scene *scene, gconstpointer data)
{
  Memory memory;
  CUevent event;

  NEEDS (scene);
  alloc (&memory);
  OK (cuEventCreate (&event, CU_EVENT_DISABLE_TIMING));
  upload (&memory, scene->stream);
  OK (cuEventRecord (event, scene->stream));
  g_usleep (20000); /* that it is done here does not make it so there */
  OK (cuStreamWaitEvent (scene->other, event, 0));
  download (&memory, scene->other);
  ASSERT_ABOUT (makespan (), 2 * UPLOAD * 0.99);
  OK (cuEventDestroy (event));
  release (&memory);
}

typedef struct
{
  const Scene *scene;
  Memory memory;
  gboolean hands_over; /* the memory that is downloaded then */
} Elsewhere;

static gpointer
upload_elsewhere (gpointer data)
{
  Elsewhere *elsewhere = data;
  const Scene *scene = elsewhere->scene;

  OK (cuCtxPushCurrent (scene->ctx));
  upload (&elsewhere->memory, scene->stream);
  OK (cuStreamSynchronize (scene->stream));
  if (elsewhere->hands_over)
    OK (cuMemsetD8Async (elsewhere->memory.down, 0, 1, scene->stream));
  OK (cuStreamSynchronize (scene->stream));
  OK (cuCtxPopCurrent (NULL));
  return NULL;
}

static guint64
with_upload_elsewhere (const Scene *scene, gboolean hands_over)
{
  Elsewhere elsewhere = { .scene = scene, .hands_over = hands_over };
  guint64 time;

  alloc (&elsewhere.memory);
  g_thread_join (g_thread_new ("uploads", upload_elsewhere, &elsewhere));
  download (&elsewhere.memory, scene->other);
  time = makespan ();
  release (&elsewhere.memory);
  return time;
}

/* Threads sleep side by side; who takes what another one wrote comes later. */
static void
test_threads (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  ASSERT_ABOUT (with_upload_elsewhere (scene, FALSE), UPLOAD);
  ASSERT_ABOUT (with_upload_elsewhere (scene, TRUE), 2 * UPLOAD * 0.99);
}

static void
test_delay (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  panel->virtual_time_reset (1);
  g_assert_cmpint (panel->delay (scene->stream, 3), ==, CUDA_SUCCESS);
  g_assert_cmpint (panel->delay (scene->other, 5), ==, CUDA_SUCCESS);
  ASSERT_ABOUT (makespan (), 5000000);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_CONTROL_TEST ("/softcuda/vtime/one-engine", test_one_engine);
  ADD_CONTROL_TEST ("/softcuda/vtime/both-ways", test_both_ways);
  ADD_CONTROL_TEST ("/softcuda/vtime/host-wait", test_host_wait);
  ADD_CONTROL_TEST ("/softcuda/vtime/event-wait", test_event_wait);
  ADD_CONTROL_TEST ("/softcuda/vtime/threads", test_threads);
  ADD_CONTROL_TEST ("/softcuda/vtime/delay", test_delay);
  return g_test_run ();
}
