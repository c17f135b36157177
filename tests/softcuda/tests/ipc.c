/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Memory and an event that go to a second process. */

#include "control.h"

#define SIZE 5000
#define VARIABLE "SOFTCUDA_TEST_HANDLES"

typedef struct
{
  CUipcMemHandle memory;
  CUipcEventHandle event;
} Handles;

static void
export_and_run (Scene *scene, gconstpointer data)
{
  g_autofree char *text = NULL;
  CUdeviceptr memory;
  CUevent event;
  Handles handles;
  guint8 bytes[SIZE];

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  OK (cuEventCreate (&event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING));
  OK (cuIpcGetMemHandle (&handles.memory, memory));
  OK (cuIpcGetEventHandle (&handles.event, event));
  g_assert_cmpint (panel->delay (scene->stream, 300), ==, CUDA_SUCCESS);
  OK (cuMemsetD8Async (memory, 4, SIZE, scene->stream));
  OK (cuEventRecord (event, scene->stream));
  text = g_base64_encode ((const guchar *) &handles, sizeof handles);
  control_run_with ("/softcuda/ipc/subprocess/import", VARIABLE, text);
  OK (cuEventSynchronize (event));
  OK (cuMemcpyDtoH (bytes, memory, SIZE));
  g_assert_cmpuint (bytes[SIZE - 1], ==, 6);
  OK (cuEventDestroy (event));
  OK (cuMemFree (memory));
}

static void
import (Scene *scene, gconstpointer data)
{
  g_autofree Handles *handles = NULL;
  CUdeviceptr memory;
  CUevent event;
  guint8 bytes[SIZE];
  gsize size;

  NEEDS (scene);
  handles = (Handles *) g_base64_decode (g_getenv (VARIABLE), &size);
  OK (cuIpcOpenMemHandle (&memory, handles->memory,
      CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  OK (cuIpcOpenEventHandle (&event, handles->event));
  EXPECT (CUDA_ERROR_NOT_READY, cuEventQuery (event));
  OK (cuStreamWaitEvent (scene->stream, event, 0));
  OK (cuMemcpyDtoHAsync (bytes, memory, SIZE, scene->stream));
  OK (cuStreamSynchronize (scene->stream));
  g_assert_cmpuint (bytes[0], ==, 4);
  g_assert_cmpuint (bytes[SIZE - 1], ==, 4);
  OK (cuEventQuery (event));
  OK (cuEventSynchronize (event));
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemsetD8 (memory, 6, SIZE + 1));
  OK (cuMemsetD8 (memory, 6, SIZE));
  OK (cuCtxSynchronize ());
  OK (cuEventDestroy (event));
  OK (cuIpcCloseMemHandle (memory));
}

static void
test_own_process (Scene *scene, gconstpointer data)
{
  CUipcMemHandle handle;
  CUdeviceptr memory, again;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  OK (cuIpcGetMemHandle (&handle, memory));
  EXPECT (CUDA_ERROR_INVALID_CONTEXT,
      cuIpcOpenMemHandle (&again, handle, CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS));
  OK (cuMemFree (memory));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_CONTROL_TEST ("/softcuda/ipc/two-processes", export_and_run);
  ADD_CONTROL_TEST ("/softcuda/ipc/own-process", test_own_process);
  ADD_CONTROL_TEST ("/softcuda/ipc/subprocess/import", import);
  return g_test_run ();
}
