/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* As much of NVRTC's interface as there is. */

#pragma once

#include <stddef.h>

typedef enum
{
  NVRTC_SUCCESS = 0,
  NVRTC_ERROR_OUT_OF_MEMORY = 1,
  NVRTC_ERROR_INVALID_INPUT = 3,
  NVRTC_ERROR_INVALID_PROGRAM = 4,
  NVRTC_ERROR_COMPILATION = 6,
} NvrtcResult;

#pragma GCC visibility push(default)

NvrtcResult nvrtcVersion (int *major, int *minor);
const char *nvrtcGetErrorString (NvrtcResult result);
NvrtcResult nvrtcCreateProgram (void **made, const char *source,
    const char *name, int n_headers, const char *const *headers,
    const char *const *include_names);
NvrtcResult nvrtcDestroyProgram (void **handle);
NvrtcResult nvrtcCompileProgram (void *handle, int n,
    const char *const *options);
NvrtcResult nvrtcGetPTXSize (void *program, size_t *size);
NvrtcResult nvrtcGetPTX (void *program, char *ptx);
NvrtcResult nvrtcGetCUBINSize (void *program, size_t *size);
NvrtcResult nvrtcGetCUBIN (void *program, char *cubin);
NvrtcResult nvrtcGetProgramLogSize (void *handle, size_t *size);
NvrtcResult nvrtcGetProgramLog (void *handle, char *log);

#pragma GCC visibility pop
