/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What single calls answer, to right and to wrong arguments. */

#include "driver.h"

#define SIZE ((gsize) 4096)

static void
test_contexts (Scene *scene, gconstpointer data)
{
  CUcontext popped, current;
  CUdevice device;
  unsigned long long id = 0, other_id = 0;

  NEEDS (scene);
  OK (cuCtxGetDevice (&device));
  g_assert_cmpint (device, ==, 0);
  OK (cuCtxGetId (scene->ctx, &id));
  OK (cuCtxGetId (NULL, &other_id));
  g_assert_cmpuint (id, ==, other_id);
  OK (cuCtxPopCurrent (&popped));
  g_assert_true (popped == scene->ctx);
  EXPECT (CUDA_ERROR_INVALID_CONTEXT, cuCtxPopCurrent (&popped));
  EXPECT (CUDA_ERROR_INVALID_CONTEXT, cuCtxGetDevice (&device));
  EXPECT (CUDA_ERROR_INVALID_CONTEXT, cuCtxSynchronize ());
  OK (cuCtxSetCurrent (scene->ctx));
  OK (cuCtxGetCurrent (&current));
  g_assert_true (current == scene->ctx);
  OK (cuCtxSetCurrent (NULL));
  OK (cuCtxGetCurrent (&current));
  g_assert_null (current);
  OK (cuCtxPushCurrent (scene->ctx));
}

static void
test_primary (Scene *scene, gconstpointer data)
{
  CUcontext first, second;
  unsigned flags;
  int active;

  NEEDS (scene);
  OK (cuDevicePrimaryCtxGetState (0, &flags, &active));
  g_assert_false (active);
  OK (cuDevicePrimaryCtxRetain (&first, 0));
  OK (cuDevicePrimaryCtxGetState (0, &flags, &active));
  g_assert_true (active);
  OK (cuDevicePrimaryCtxRetain (&second, 0));
  g_assert_true (first == second);
  OK (cuDevicePrimaryCtxRelease (0));
  OK (cuDevicePrimaryCtxRelease (0));
  OK (cuDevicePrimaryCtxGetState (0, &flags, &active));
  g_assert_false (active);
  EXPECT (CUDA_ERROR_INVALID_CONTEXT, cuDevicePrimaryCtxRelease (0));
  OK (cuDevicePrimaryCtxRetain (&second, 0));
  g_assert_true (first == second);
  OK (cuDevicePrimaryCtxRelease (0));
}

static void
test_streams (Scene *scene, gconstpointer data)
{
  CUstreamCaptureStatus status;
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;
  unsigned long long first, second;
  CUcontext ctx;
  CUstream bad;

  NEEDS (scene);
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuStreamCreate (&bad, 0x100));
  OK (cuStreamQuery (NULL));
  OK (cuStreamQuery (scene->stream));
  OK (cuStreamGetId (scene->stream, &first));
  OK (cuStreamGetId (scene->other, &second));
  g_assert_cmpuint (first, !=, second);
  OK (cuStreamGetCtx (scene->stream, &ctx));
  g_assert_true (ctx == scene->ctx);
  OK (cuStreamIsCapturing (scene->stream, &status));
  g_assert_cmpint (status, ==, CU_STREAM_CAPTURE_STATUS_NONE);
  OK (cuThreadExchangeStreamCaptureMode (&mode));
  g_assert_cmpint (mode, ==, CU_STREAM_CAPTURE_MODE_GLOBAL);
  OK (cuThreadExchangeStreamCaptureMode (&mode));
  g_assert_cmpint (mode, ==, CU_STREAM_CAPTURE_MODE_RELAXED);
}

static void
test_events (Scene *scene, gconstpointer data)
{
  CUevent plain, timed;
  float ms;

  NEEDS (scene);
  OK (cuEventCreate (&plain, CU_EVENT_DISABLE_TIMING));
  OK (cuEventCreate (&timed, CU_EVENT_DEFAULT));
  OK (cuEventQuery (plain));
  OK (cuEventSynchronize (plain));
  OK (cuStreamWaitEvent (scene->stream, plain, 0));
  OK (cuEventRecord (plain, scene->stream));
  OK (cuEventSynchronize (plain));
  EXPECT (CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime (&ms, timed, timed));
  OK (cuEventRecord (timed, scene->stream));
  OK (cuEventSynchronize (timed));
  OK (cuEventElapsedTime (&ms, timed, timed));
  EXPECT (CUDA_ERROR_INVALID_HANDLE, cuEventElapsedTime (&ms, plain, timed));
  OK (cuEventDestroy (timed));
  OK (cuEventDestroy (plain));
}

static void
test_allocations (Scene *scene, gconstpointer data)
{
  CUdeviceptr memory, base;
  void *pinned;
  gsize pitch, size;

  NEEDS (scene);
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemAlloc (&memory, 0));
  OK (cuMemHostAlloc (&pinned, 0, 0));
  g_assert_null (pinned);
  EXPECT (CUDA_ERROR_INVALID_VALUE,
      cuMemAllocPitch (&memory, &pitch, 64, 4, 3));
  EXPECT (CUDA_ERROR_OUT_OF_MEMORY, cuMemAlloc (&memory, (gsize) 1 << 42));
  OK (cuMemFree (0));
  OK (cuMemAlloc (&memory, SIZE));
  OK (cuMemGetAddressRange (&base, &size, memory + 100));
  g_assert_cmpuint (base, ==, memory);
  g_assert_cmpuint (size, ==, SIZE);
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemFree (memory + 1));
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemsetD8 (memory + 1, 0, SIZE));
  OK (cuMemFree (memory));
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemFree (memory));
  EXPECT (CUDA_ERROR_NOT_FOUND, cuMemGetAddressRange (&base, &size, memory));
}

static void
test_host_memory (Scene *scene, gconstpointer data)
{
  g_autofree guint8 *memory = g_malloc (SIZE);
  void *pinned;
  unsigned flags;

  NEEDS (scene);
  OK (cuMemHostAlloc (&pinned, SIZE, CU_MEMHOSTALLOC_PORTABLE));
  OK (cuMemHostGetFlags (&flags, pinned));
  g_assert_cmpuint (flags, ==,
      CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP);
  OK (cuMemHostGetFlags (&flags, (guint8 *) pinned + 10));
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemHostGetFlags (&flags, memory));
  OK (cuMemFreeHost (pinned));
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemFreeHost (pinned));
  OK (cuMemFreeHost (NULL));
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemHostUnregister (NULL));
  OK (cuMemHostRegister (memory, SIZE, 0));
  EXPECT (CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
      cuMemHostRegister (memory, SIZE, 0));
  OK (cuMemHostUnregister (memory));
  EXPECT (CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister (memory));
}

static CUmemorytype
memory_type (gconstpointer memory)
{
  CUmemorytype type = 0;

  OK (cuPointerGetAttribute (&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
      (CUdeviceptr) (gsize) memory));
  return type;
}

static void
test_pointers (Scene *scene, gconstpointer data)
{
  CUmemorytype type = CU_MEMORYTYPE_DEVICE;
  CUpointer_attribute attribute = CU_POINTER_ATTRIBUTE_MEMORY_TYPE;
  void *answers[] = { &type };
  CUdeviceptr memory;
  CUcontext ctx;
  void *pinned;
  int device = 1;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  OK (cuMemHostAlloc (&pinned, SIZE, 0));
  g_assert_cmpint (memory_type ((gpointer) (gsize) memory), ==,
      CU_MEMORYTYPE_DEVICE);
  g_assert_cmpint (memory_type (pinned), ==, CU_MEMORYTYPE_HOST);
  OK (cuPointerGetAttribute (&ctx, CU_POINTER_ATTRIBUTE_CONTEXT, memory));
  g_assert_true (ctx == scene->ctx);
  OK (cuPointerGetAttribute (&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
      memory));
  g_assert_cmpint (device, ==, 0);
  EXPECT (CUDA_ERROR_INVALID_VALUE,
      cuPointerGetAttribute (&type, attribute, (CUdeviceptr) (gsize) &device));
  OK (cuPointerGetAttributes (1, &attribute, answers,
      (CUdeviceptr) (gsize) &device));
  g_assert_cmpint (type, ==, 0);
  OK (cuMemFreeHost (pinned));
  OK (cuMemFree (memory));
}

static void
test_copies (Scene *scene, gconstpointer data)
{
  g_autofree guint8 *host = g_malloc0 (SIZE);
  CUdeviceptr memory;

  NEEDS (scene);
  OK (cuMemAlloc (&memory, SIZE));
  OK (cuMemcpyHtoD (memory, host, 0));
  OK (cuMemcpy (memory, (CUdeviceptr) (gsize) host, SIZE));
  OK (cuMemcpy ((CUdeviceptr) (gsize) host, memory, SIZE));
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD (memory, host, SIZE + 1));
  EXPECT (CUDA_ERROR_INVALID_VALUE,
      cuMemcpyDtoD (memory, memory + SIZE / 2, SIZE));
  EXPECT (CUDA_ERROR_INVALID_VALUE,
      cuMemcpyHtoD ((CUdeviceptr) (gsize) host, host, SIZE));
  OK (cuMemFree (memory));
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemcpyHtoD (memory, host, SIZE));
}

static void
test_peers (Scene *scene, gconstpointer data)
{
  int can = 1;

  NEEDS (scene);
  OK (cuDeviceCanAccessPeer (&can, 0, 0));
  g_assert_false (can);
  EXPECT (CUDA_ERROR_INVALID_DEVICE, cuDeviceCanAccessPeer (&can, 0, 99));
  EXPECT (CUDA_ERROR_PEER_ACCESS_NOT_ENABLED,
      cuCtxDisablePeerAccess (scene->ctx));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions (); /* list each difference */
  ADD_TEST ("/driver/answer/contexts", test_contexts);
  ADD_TEST ("/driver/answer/primary", test_primary);
  ADD_TEST ("/driver/answer/streams", test_streams);
  ADD_TEST ("/driver/answer/events", test_events);
  ADD_TEST ("/driver/answer/allocations", test_allocations);
  ADD_TEST ("/driver/answer/host-memory", test_host_memory);
  ADD_TEST ("/driver/answer/pointers", test_pointers);
  ADD_TEST ("/driver/answer/copies", test_copies);
  ADD_TEST ("/driver/answer/peers", test_peers);
  return g_test_run ();
}
