/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* cuda.h as the driver's own build sees it: every version of every name is
 * declared under the name that it has in libcuda.so.1, and exported. */

#pragma once

#define __CUDA_API_VERSION_INTERNAL
#pragma GCC visibility push(default)
#include <cuda.h>
/* of CUDA 12.5, and needed with older headers too */
CUresult CUDAAPI cuCtxRecordEvent (CUcontext ctx, CUevent event);
CUresult CUDAAPI cuCtxWaitEvent (CUcontext ctx, CUevent event);
/* of CUDA 12.4 */
CUresult CUDAAPI cuFuncGetParamInfo (CUfunction func, size_t paramIndex,
    size_t *paramOffset, size_t *paramSize);
#pragma GCC visibility pop

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
