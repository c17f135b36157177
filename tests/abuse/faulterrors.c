/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "faulterrors.h"

#include <cuda.h>
#include <string.h>

/* What the driver's manual lists, a kind of functions a row. */
typedef struct
{
  const gchar *prefix; /* of the symbols */
  CUresult codes[6];
} Row;

static const Row rows[] = {
  { "cuInit",
      { CUDA_ERROR_NO_DEVICE, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
          CUDA_ERROR_STUB_LIBRARY, CUDA_ERROR_SYSTEM_NOT_READY,
          CUDA_ERROR_UNKNOWN } },
  { "cuDevice", { CUDA_ERROR_INVALID_DEVICE } },
  { "cuDevicePrimaryCtxRetain",
      { CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_UNKNOWN } },
  { "cuCtxCreate", { CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_UNKNOWN } },
  { "cuCtxRecordEvent",
      { CUDA_ERROR_NOT_SUPPORTED, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED } },
  { "cuCtxEnablePeerAccess",
      { CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, CUDA_ERROR_TOO_MANY_PEERS,
          CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED } },
  { "cuStreamCreate", { CUDA_ERROR_OUT_OF_MEMORY } },
  { "cuStreamDestroy", { CUDA_ERROR_INVALID_HANDLE } },
  { "cuStreamWaitEvent", { CUDA_ERROR_INVALID_HANDLE } },
  { "cuStreamSynchronize",
      { CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED } },
  { "cuStreamGetId", { CUDA_ERROR_INVALID_HANDLE } },
  { "cuEventCreate", { CUDA_ERROR_OUT_OF_MEMORY } },
  { "cuEventRecord", { CUDA_ERROR_INVALID_HANDLE } },
  { "cuEventQuery", { CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED } },
  { "cuEventSynchronize", { CUDA_ERROR_INVALID_HANDLE } },
  { "cuEventDestroy", { CUDA_ERROR_INVALID_HANDLE } },
  { "cuMemAlloc", { CUDA_ERROR_OUT_OF_MEMORY } },
  { "cuMemHostAlloc", { CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_NOT_SUPPORTED } },
  { "cuMemHostRegister",
      { CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_NOT_SUPPORTED,
          CUDA_ERROR_NOT_PERMITTED,
          CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED } },
  { "cuMemHostUnregister", { CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED } },
  { "cuMemGetAddressRange", { CUDA_ERROR_NOT_FOUND } },
  { "cuMemcpy",
      { CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED } },
  { "cuModuleLoadData",
      { CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_INVALID_IMAGE,
          CUDA_ERROR_NO_BINARY_FOR_GPU, CUDA_ERROR_INVALID_PTX,
          CUDA_ERROR_SHARED_OBJECT_INIT_FAILED } },
  { "cuModuleGetFunction", { CUDA_ERROR_NOT_FOUND } },
  { "cuModuleUnload", { CUDA_ERROR_INVALID_HANDLE } },
  { "cuLaunchKernel",
      { CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_INVALID_IMAGE,
          CUDA_ERROR_INVALID_HANDLE, CUDA_ERROR_NOT_SUPPORTED } },
};

/* What each function may return, and what earlier work may have it return. */
static const FaultError common[] = {
  { CUDA_ERROR_INVALID_VALUE, FALSE },
  { CUDA_ERROR_UNKNOWN, FALSE },
  { CUDA_ERROR_LAUNCH_FAILED, TRUE },
  { CUDA_ERROR_ILLEGAL_ADDRESS, TRUE },
  { CUDA_ERROR_CONTEXT_IS_DESTROYED, TRUE },
};

static void
add (FaultError errors[FAULT_MAX_ERRORS], guint *n, FaultError error)
{
  for (guint i = 0; i < *n; i++) {
    if (errors[i].code == error.code)
      return;
  }
  g_assert_cmpuint (*n, <, FAULT_MAX_ERRORS);
  errors[(*n)++] = error;
}

guint
fault_errors_of (const gchar *function, FaultError errors[FAULT_MAX_ERRORS])
{
  guint n = 0;

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    const CUresult *code = rows[i].codes;

    if (!g_str_has_prefix (function, rows[i].prefix))
      continue;
    for (; *code != CUDA_SUCCESS; code++)
      add (errors, &n, (FaultError) { *code, FALSE });
  }
  for (guint i = 0; i < G_N_ELEMENTS (common); i++)
    add (errors, &n, common[i]);
  return n;
}

gboolean
fault_frees (const gchar *function)
{
  static const gchar *const words[] = { "Destroy", "Free", "Unload",
    "Unregister", "Release" };

  for (guint i = 0; i < G_N_ELEMENTS (words); i++) {
    if (strstr (function, words[i]) != NULL)
      return TRUE;
  }
  return FALSE;
}
