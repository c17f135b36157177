/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: the driver's entry points. libgstcuda's loader lacks half of them
 * (events, host memory, primary contexts) and its headers do not say which. */

#include <cuda.h>
#include <gst/gst.h>
#include <gst/zc/gstzcdefs.h>

G_BEGIN_DECLS

/* GST_DEBUG=zc:5 shows all of the library. */
GstDebugCategory *zc_debug_category (void);
#ifndef GST_CAT_DEFAULT
#define GST_CAT_DEFAULT (zc_debug_category ())
#endif

/* One line an entry point: name in our table, symbol, parameters. The table,
 * the loader and the message for a missing symbol are all made from it.
 * clang-format takes the rows for casts. */
/* clang-format off */
#define ZC_CUDA_ENTRY_POINTS(X) \
  X (cuInit, "cuInit", (unsigned int)) \
  X (cuDriverGetVersion, "cuDriverGetVersion", (int *)) \
  X (cuGetErrorName, "cuGetErrorName", (CUresult, const char **)) \
  X (cuGetErrorString, "cuGetErrorString", (CUresult, const char **)) \
  X (cuDeviceGetCount, "cuDeviceGetCount", (int *)) \
  X (cuDeviceGet, "cuDeviceGet", (CUdevice *, int)) \
  X (cuDeviceGetAttribute, "cuDeviceGetAttribute", \
      (int *, CUdevice_attribute, CUdevice)) \
  X (cuDeviceGetName, "cuDeviceGetName", (char *, int, CUdevice)) \
  X (cuDeviceGetUuid, "cuDeviceGetUuid", (CUuuid *, CUdevice)) \
  X (cuDeviceGetPCIBusId, "cuDeviceGetPCIBusId", (char *, int, CUdevice)) \
  X (cuDeviceTotalMem, "cuDeviceTotalMem_v2", (size_t *, CUdevice)) \
  X (cuDeviceCanAccessPeer, "cuDeviceCanAccessPeer", \
      (int *, CUdevice, CUdevice)) \
  X (cuDevicePrimaryCtxGetState, "cuDevicePrimaryCtxGetState", \
      (CUdevice, unsigned int *, int *)) \
  X (cuDevicePrimaryCtxRetain, "cuDevicePrimaryCtxRetain", \
      (CUcontext *, CUdevice)) \
  X (cuDevicePrimaryCtxRelease, "cuDevicePrimaryCtxRelease_v2", (CUdevice)) \
  X (cuCtxPushCurrent, "cuCtxPushCurrent_v2", (CUcontext)) \
  X (cuCtxPopCurrent, "cuCtxPopCurrent_v2", (CUcontext *)) \
  X (cuCtxGetCurrent, "cuCtxGetCurrent", (CUcontext *)) \
  X (cuCtxGetDevice, "cuCtxGetDevice", (CUdevice *)) \
  X (cuCtxSynchronize, "cuCtxSynchronize", (void)) \
  X (cuThreadExchangeStreamCaptureMode, "cuThreadExchangeStreamCaptureMode", \
      (CUstreamCaptureMode *)) \
  X (cuStreamCreate, "cuStreamCreate", (CUstream *, unsigned int)) \
  X (cuStreamDestroy, "cuStreamDestroy_v2", (CUstream)) \
  X (cuStreamSynchronize, "cuStreamSynchronize", (CUstream)) \
  X (cuStreamWaitEvent, "cuStreamWaitEvent", \
      (CUstream, CUevent, unsigned int)) \
  X (cuStreamIsCapturing, "cuStreamIsCapturing", \
      (CUstream, CUstreamCaptureStatus *)) \
  X (cuStreamGetId, "cuStreamGetId", (CUstream, unsigned long long *)) \
  X (cuEventCreate, "cuEventCreate", (CUevent *, unsigned int)) \
  X (cuEventDestroy, "cuEventDestroy_v2", (CUevent)) \
  X (cuEventRecord, "cuEventRecord", (CUevent, CUstream)) \
  X (cuEventQuery, "cuEventQuery", (CUevent)) \
  X (cuEventSynchronize, "cuEventSynchronize", (CUevent)) \
  X (cuEventElapsedTime, "cuEventElapsedTime", (float *, CUevent, CUevent)) \
  X (cuMemAlloc, "cuMemAlloc_v2", (CUdeviceptr *, size_t)) \
  X (cuMemAllocPitch, "cuMemAllocPitch_v2", \
      (CUdeviceptr *, size_t *, size_t, size_t, unsigned int)) \
  X (cuMemFree, "cuMemFree_v2", (CUdeviceptr)) \
  X (cuMemGetAddressRange, "cuMemGetAddressRange_v2", \
      (CUdeviceptr *, size_t *, CUdeviceptr)) \
  X (cuPointerGetAttribute, "cuPointerGetAttribute", \
      (void *, CUpointer_attribute, CUdeviceptr)) \
  X (cuPointerGetAttributes, "cuPointerGetAttributes", \
      (unsigned int, CUpointer_attribute *, void **, CUdeviceptr)) \
  X (cuMemHostAlloc, "cuMemHostAlloc", (void **, size_t, unsigned int)) \
  X (cuMemFreeHost, "cuMemFreeHost", (void *)) \
  X (cuMemHostRegister, "cuMemHostRegister_v2", \
      (void *, size_t, unsigned int)) \
  X (cuMemHostUnregister, "cuMemHostUnregister", (void *)) \
  X (cuMemcpy2DAsync, "cuMemcpy2DAsync_v2", \
      (const CUDA_MEMCPY2D *, CUstream)) \
  X (cuMemcpy3DPeerAsync, "cuMemcpy3DPeerAsync", \
      (const CUDA_MEMCPY3D_PEER *, CUstream)) \
  X (cuMemcpyDtoDAsync, "cuMemcpyDtoDAsync_v2", \
      (CUdeviceptr, CUdeviceptr, size_t, CUstream)) \
  X (cuMemsetD8Async, "cuMemsetD8Async", \
      (CUdeviceptr, unsigned char, size_t, CUstream)) \
  X (cuModuleLoadData, "cuModuleLoadData", (CUmodule *, const void *)) \
  X (cuModuleUnload, "cuModuleUnload", (CUmodule)) \
  X (cuModuleGetFunction, "cuModuleGetFunction", \
      (CUfunction *, CUmodule, const char *)) \
  X (cuLaunchKernel, "cuLaunchKernel", \
      (CUfunction, unsigned int, unsigned int, unsigned int, unsigned int, \
          unsigned int, unsigned int, unsigned int, CUstream, void **, \
          void **))

/* Entry points of newer drivers: NULL where the driver lacks them. */
#define ZC_CUDA_OPTIONAL_ENTRY_POINTS(X) \
  X (cuCtxRecordEvent, "cuCtxRecordEvent", (CUcontext, CUevent)) \
  X (cuFuncGetParamInfo, "cuFuncGetParamInfo", \
      (CUfunction, size_t, size_t *, size_t *))
/* clang-format on */

#define ZC_CUDA_MEMBER(name, symbol, params) CUresult (CUDAAPI *name) params;
typedef struct
{
  ZC_CUDA_ENTRY_POINTS (ZC_CUDA_MEMBER)
  ZC_CUDA_OPTIONAL_ENTRY_POINTS (ZC_CUDA_MEMBER)
} ZcCuda;
#undef ZC_CUDA_MEMBER

/* Good after zc_cuda_init() returned TRUE. */
extern ZcCuda zc_cu;

/* Opens libcuda.so.1 and calls cuInit, once a process; the first answer stays.
 * Nothing of ours touches the driver before, so a plugin scan needs none. */
gboolean zc_cuda_init (GError **error);

/* TRUE for success; else sets an error that names the call. While the process
 * exits, each call fails with DEINITIALIZED, and gives nothing. */
gboolean zc_cuda_check (CUresult result, const gchar *call, GError **error);

/* TRUE for the errors after which nothing that was queued in a context runs any
 * more: it is destroyed or lost, or the process exits. Only then may a call that
 * failed count as an answer that work is done. */
gboolean zc_cuda_is_over (CUresult result);
/* The same for an error that zc_cuda_check() has set. */
gboolean zc_cuda_error_is_over (const GError *error);

/* ZC_CU (error, cuEventRecord, event, stream): calls, checks, names. */
#define ZC_CU(error, name, ...)                                                \
  zc_cuda_check (zc_cu.name (__VA_ARGS__), #name, (error))

/* Makes a context current for a scope. Also sets the thread's capture mode to
 * relaxed, so that our calls do not break a graph that a neighbour captures.
 * Costs next to nothing inside another guard of the same context.
 *
 *   g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
 *   if (!zc_context_guard_push (&guard, handle, error))
 *     return FALSE;
 */
typedef struct
{
  gboolean pushed;
  CUstreamCaptureMode mode;
  CUcontext outer; /* of the guard around this one, or NULL */
} ZcContextGuard;

#define ZC_CONTEXT_GUARD_INIT { FALSE, CU_STREAM_CAPTURE_MODE_RELAXED, NULL }

/* The same, for who must tell errors apart. */
CUresult zc_context_guard_try (ZcContextGuard *guard, CUcontext handle);
gboolean zc_context_guard_push (ZcContextGuard *guard, CUcontext handle,
    GError **error);
void zc_context_guard_clear (ZcContextGuard *guard);
/* Whether a guard of this thread is at work, so that the thread is relaxed. */
gboolean zc_context_guard_is_held (void);

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (ZcContextGuard, zc_context_guard_clear)

G_END_DECLS
