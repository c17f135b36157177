/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "call.h"
#include "module.h"

static CUresult
get_attribute (int *value, CUfunction_attribute attribute, CUfunction function)
{
  CUresult result = sc_function_check (function);

  if (result != CUDA_SUCCESS)
    return result;
  if (!value || (unsigned) attribute >= CU_FUNC_ATTRIBUTE_MAX)
    return CUDA_ERROR_INVALID_VALUE;
  switch (attribute) {
    case CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK:
      *value = 1024;
      break;
    case CU_FUNC_ATTRIBUTE_NUM_REGS:
      *value = 32;
      break;
    case CU_FUNC_ATTRIBUTE_PTX_VERSION:
    case CU_FUNC_ATTRIBUTE_BINARY_VERSION:
      *value = 90;
      break;
    default:
      *value = 0;
      break;
  }
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuFuncGetAttribute (int *value, CUfunction_attribute attribute,
    CUfunction function)
{
  SC_API (SC_NEED_CONTEXT, get_attribute (value, attribute, function));
}

static CUresult
get_param_info (CUfunction function, size_t index, size_t *offset, size_t *size)
{
  CUresult result = sc_function_check (function);

  if (result != CUDA_SUCCESS)
    return result;
  if (index >= function->kernel->n_params)
    return CUDA_ERROR_INVALID_VALUE;
  if (offset)
    *offset = function->kernel->params[index].offset;
  if (size)
    *size = function->kernel->params[index].size;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuFuncGetParamInfo (CUfunction function, size_t index, size_t *offset,
    size_t *size)
{
  SC_API (SC_NEED_CONTEXT, get_param_info (function, index, offset, size));
}

CUresult CUDAAPI
cuFuncSetAttribute (CUfunction function, CUfunction_attribute attribute,
    int value)
{
  SC_API (SC_NEED_CONTEXT, sc_function_check (function));
}

CUresult CUDAAPI
cuFuncSetCacheConfig (CUfunction function, CUfunc_cache config)
{
  SC_API (SC_NEED_CONTEXT, sc_function_check (function));
}

CUresult CUDAAPI
cuOccupancyMaxActiveBlocksPerMultiprocessor (int *n, CUfunction function,
    int threads, size_t shared)
{
  SC_API (SC_NEED_CONTEXT,
      (*n = threads > 0 ? 2048 / threads : 0, sc_function_check (function)));
}
