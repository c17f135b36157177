/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The plain driver API for tests that ask the same of the real driver and of
 * softcuda. */

#pragma once

#include <cuda.h>
#include <glib.h>

#define DRIVER_CALLS(X)                                                        \
  X (cuInit)                                                                   \
  X (cuDeviceGet)                                                              \
  X (cuDeviceGetCount)                                                         \
  X (cuDeviceCanAccessPeer)                                                    \
  X (cuDeviceGetUuid)                                                          \
  X (cuDevicePrimaryCtxRetain)                                                 \
  X (cuDevicePrimaryCtxRelease)                                                \
  X (cuCtxDestroy)                                                             \
  X (cuCtxPushCurrent)                                                         \
  X (cuCtxPopCurrent)                                                          \
  X (cuCtxGetCurrent)                                                          \
  X (cuCtxSynchronize)                                                         \
  X (cuCtxEnablePeerAccess)                                                    \
  X (cuCtxRecordEvent)                                                         \
  X (cuStreamCreate)                                                           \
  X (cuStreamDestroy)                                                          \
  X (cuStreamQuery)                                                            \
  X (cuStreamSynchronize)                                                      \
  X (cuStreamWaitEvent)                                                        \
  X (cuLaunchHostFunc)                                                         \
  X (cuEventCreate)                                                            \
  X (cuEventDestroy)                                                           \
  X (cuEventRecord)                                                            \
  X (cuEventQuery)                                                             \
  X (cuEventSynchronize)                                                       \
  X (cuMemAlloc)                                                               \
  X (cuMemAllocPitch)                                                          \
  X (cuMemFree)                                                                \
  X (cuMemHostAlloc)                                                           \
  X (cuMemFreeHost)                                                            \
  X (cuMemHostRegister)                                                        \
  X (cuMemHostUnregister)                                                      \
  X (cuMemcpyHtoD)                                                             \
  X (cuMemcpyDtoH)                                                             \
  X (cuMemcpyHtoDAsync)                                                        \
  X (cuMemcpyDtoHAsync)                                                        \
  X (cuMemcpyDtoDAsync)                                                        \
  X (cuMemcpyPeerAsync)                                                        \
  X (cuMemcpy2DAsync)                                                          \
  X (cuMemsetD8)                                                               \
  X (cuMemsetD8Async)                                                          \
  X (cuModuleLoadData)                                                         \
  X (cuModuleUnload)                                                           \
  X (cuModuleGetFunction)                                                      \
  X (cuCtxSetCurrent)                                                          \
  X (cuCtxGetDevice)                                                           \
  X (cuCtxGetApiVersion)                                                       \
  X (cuCtxGetId)                                                               \
  X (cuDevicePrimaryCtxGetState)                                               \
  X (cuCtxDisablePeerAccess)                                                   \
  X (cuStreamGetId)                                                            \
  X (cuStreamGetCtx)                                                           \
  X (cuStreamIsCapturing)                                                      \
  X (cuStreamBeginCapture)                                                     \
  X (cuStreamEndCapture)                                                       \
  X (cuStreamGetFlags)                                                         \
  X (cuGraphGetNodes)                                                          \
  X (cuGraphInstantiate)                                                       \
  X (cuGraphLaunch)                                                            \
  X (cuGraphDestroy)                                                           \
  X (cuGraphExecDestroy)                                                       \
  X (cuCtxWaitEvent)                                                           \
  X (cuCtxGetLimit)                                                            \
  X (cuCtxSetLimit)                                                            \
  X (cuMemGetInfo)                                                             \
  X (cuThreadExchangeStreamCaptureMode)                                        \
  X (cuEventElapsedTime)                                                       \
  X (cuMemHostGetFlags)                                                        \
  X (cuMemGetAddressRange)                                                     \
  X (cuMemGetAllocationGranularity)                                            \
  X (cuMemAddressReserve)                                                      \
  X (cuMemAddressFree)                                                         \
  X (cuMemCreate)                                                              \
  X (cuMemRelease)                                                             \
  X (cuMemMap)                                                                 \
  X (cuMemSetAccess)                                                           \
  X (cuMemUnmap)                                                               \
  X (cuMemcpy2D)                                                               \
  X (cuMemcpyDtoD)                                                             \
  X (cuMemcpy)                                                                 \
  X (cuPointerGetAttribute)                                                    \
  X (cuPointerGetAttributes)                                                   \
  X (cuIpcGetMemHandle)                                                        \
  X (cuIpcOpenMemHandle)                                                       \
  X (cuIpcCloseMemHandle)                                                      \
  X (cuIpcGetEventHandle)                                                      \
  X (cuIpcOpenEventHandle)                                                     \
  X (cuMemcpy3DPeerAsync)                                                      \
  X (cuLaunchKernel)

/* Members bear the exported names, "cuMemAlloc_v2", which cuda.h's macros
 * supply here as in calls. */
typedef struct
{
#define DRIVER_MEMBER(name) __typeof__ (&name) name;
  DRIVER_CALLS (DRIVER_MEMBER)
#undef DRIVER_MEMBER
  CUresult (*create_context) (CUcontext *ctx, unsigned flags, CUdevice device);
} Driver;

extern Driver cu;

/* Loads libcuda.so.1 and initialises it. @why: what is missing. */
gboolean driver_load (const char **why);
/* After that. */
gboolean driver_is_softcuda (void);

#define EXPECT(result, call) g_assert_cmpint (cu.call, ==, (result))
#define OK(call) EXPECT (CUDA_SUCCESS, call)

/* A test in a context of its own, with two non-blocking streams; no context is
 * current outside. Skipped where there is no driver. */
typedef struct
{
  gboolean ready;
  CUcontext ctx;
  CUstream stream, other;
} Scene;

void scene_set_up (Scene *scene, gconstpointer data);
void scene_tear_down (Scene *scene, gconstpointer data);

#define ADD_TEST(path, func)                                                   \
  g_test_add (path, Scene, NULL, scene_set_up, func, scene_tear_down)

/* Tests end here, by what the set-up said, where there is no driver. */
#define NEEDS(scene)                                                           \
  if (!(scene)->ready)                                                         \
  return
