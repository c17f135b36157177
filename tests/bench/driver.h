/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The driver functions that benches call themselves. */
#pragma once

#include <cuda.h>
#include <glib.h>

G_BEGIN_DECLS

#define BENCH_DRIVER_CALLS(X)                                                  \
  X (cuInit)                                                                   \
  X (cuDriverGetVersion)                                                       \
  X (cuDeviceGet)                                                              \
  X (cuDeviceGetName)                                                          \
  X (cuCtxPushCurrent)                                                         \
  X (cuCtxPopCurrent)                                                          \
  X (cuMemAlloc)                                                               \
  X (cuMemFree)                                                                \
  X (cuMemAllocHost)                                                           \
  X (cuMemFreeHost)                                                            \
  X (cuMemcpyHtoDAsync)                                                        \
  X (cuMemcpyDtoHAsync)                                                        \
  X (cuCtxGetCurrent)                                                          \
  X (cuMemsetD8Async)                                                          \
  X (cuStreamCreate)                                                           \
  X (cuStreamDestroy)                                                          \
  X (cuStreamSynchronize)                                                      \
  X (cuLaunchHostFunc)                                                         \
  X (cuMemcpyDtoDAsync)                                                        \
  X (cuEventCreate)                                                            \
  X (cuEventDestroy)                                                           \
  X (cuEventRecord)                                                            \
  X (cuEventSynchronize)

/* Members bear the exported names, "cuMemAlloc_v2", which cuda.h's macros
 * supply here as in calls. */
typedef struct
{
#define BENCH_DRIVER_MEMBER(name) __typeof__ (&name) name;
  BENCH_DRIVER_CALLS (BENCH_DRIVER_MEMBER)
#undef BENCH_DRIVER_MEMBER
  /* cuEventElapsedTime, as drivers before 12.8 have it, too */
  CUresult (*elapsed_time) (float *ms, CUevent start, CUevent end);
} BenchDriver;

extern BenchDriver cu;

/* Loads libcuda.so.1 and initialises it. FALSE if it is not there or finds no
 * device. */
gboolean driver_load (GError **error);

G_END_DECLS
