/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A watcher is told what each call did, by whatever thread and library. */

#include "control.h"

#define SIZE 4096

static GString *told;

static void
note (const char *call, const char *what, void *stream, uint64_t bytes,
    int64_t start, int64_t end, void *data)
{
  g_assert_cmpint (start, <=, end);
  g_assert_true (data == &told);
  g_string_append_printf (told, "%s: %s %" G_GUINT64_FORMAT "\n", call, what,
      bytes);
}

static void
watch (void)
{
  told = g_string_new (NULL);
  panel->watch (note, &told);
}

static void
unwatch (const gchar *expected)
{
  panel->watch (NULL, NULL);
  g_assert_cmpstr (told->str, ==, expected);
  g_string_free (told, TRUE);
}

static void
test_copies (Scene *scene, gconstpointer data)
{
  CUdeviceptr memory;
  void *pinned;

  NEEDS (scene);
  watch ();
  OK (cuMemAlloc (&memory, 2 * SIZE));
  OK (cuMemHostAlloc (&pinned, SIZE, 0));
  OK (cuMemcpyHtoDAsync (memory, pinned, SIZE, scene->stream));
  OK (cuMemcpyDtoDAsync (memory + SIZE, memory, SIZE / 2, scene->stream));
  OK (cuMemcpyDtoHAsync (pinned, memory, SIZE, scene->stream));
  OK (cuStreamSynchronize (scene->stream));
  OK (cuMemcpyDtoH (pinned, memory, SIZE));
  unwatch ("cuMemAlloc_v2: allocation 8192\n"
           "cuMemHostAlloc: host-allocation 4096\n"
           "cuMemcpyHtoDAsync_v2: upload 4096\n"
           "cuMemcpyDtoDAsync_v2: device-copy 2048\n"
           "cuMemcpyDtoHAsync_v2: download 4096\n"
           "cuStreamSynchronize: host-wait 0\n"
           "cuMemcpyDtoH_v2: download 4096\n"
           "cuMemcpyDtoH_v2: host-wait 0\n");
  OK (cuMemFreeHost (pinned));
  OK (cuMemFree (memory));
}

static void
test_events (Scene *scene, gconstpointer data)
{
  CUevent event;

  NEEDS (scene);
  OK (cuEventCreate (&event, CU_EVENT_DISABLE_TIMING));
  watch ();
  OK (cuEventRecord (event, scene->stream));
  OK (cuStreamWaitEvent (scene->other, event, 0));
  OK (cuEventSynchronize (event));
  OK (cuCtxSynchronize ());
  unwatch ("cuStreamWaitEvent: event-wait 0\n"
           "cuEventSynchronize: host-wait 0\n"
           "cuCtxSynchronize: host-wait 0\n");
  OK (cuEventDestroy (event));
}

/* What failed did nothing. */
static void
test_failure (Scene *scene, gconstpointer data)
{
  CUdeviceptr memory;

  NEEDS (scene);
  watch ();
  panel->fail ("cuMemAlloc_v2", 1, CUDA_ERROR_OUT_OF_MEMORY, 0);
  EXPECT (CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc (&memory, SIZE));
  unwatch ("");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  ADD_CONTROL_TEST ("/softcuda/watch/copies", test_copies);
  ADD_CONTROL_TEST ("/softcuda/watch/events", test_events);
  ADD_CONTROL_TEST ("/softcuda/watch/failure", test_failure);
  return g_test_run ();
}
