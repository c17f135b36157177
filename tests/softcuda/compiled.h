/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the stand-in for NVRTC hands to cuModuleLoadData: a header and a shared
 * library, whose symbol "softcuda_kernels" lists what is in it. */

#pragma once

#include "softcuda.h"

#define SC_COMPILED_MAGIC "softcuda-nvrtc"
#define SC_COMPILED_LIST "softcuda_kernels"

typedef struct
{
  char magic[16];
  uint64_t size; /* of the library, which follows */
} ScCompiledHeader;

/* The list ends with a NULL name. */
typedef struct
{
  const char *name;
  size_t args_size;
  unsigned n_params;
  const size_t *offsets, *sizes; /* of the parameters in the buffer */
  SoftcudaKernelFunc run;
} ScCompiledKernel;
