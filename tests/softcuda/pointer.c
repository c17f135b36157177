/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <string.h>

#include "call.h"
#include "blocks.h"
#include "context.h"
#include "mapped.h"

static CUmemorytype
memory_type (const ScBlock *block)
{
  return sc_memory_is_device (block) ? CU_MEMORYTYPE_DEVICE
                                     : CU_MEMORYTYPE_HOST;
}

static CUresult
host_pointer (const ScBlock *block, CUdeviceptr address, void *answer)
{
  if (sc_memory_is_device (block))
    return CUDA_ERROR_INVALID_VALUE;
  *(void **) answer = (void *) (uintptr_t) address;
  return CUDA_SUCCESS;
}

static void
range (const ScBlock *block, uintptr_t address, uintptr_t *start, size_t *size)
{
  if (sc_mapped_range (address, start, size))
    return;
  *start = block->start;
  *size = block->size;
}

static CUresult
answer_for (const ScBlock *block, CUpointer_attribute attribute,
    CUdeviceptr address, void *answer)
{
  uintptr_t start;
  size_t size;

  range (block, address, &start, &size);
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_CONTEXT:
      *(CUcontext *) answer = block->ctx;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
      *(CUmemorytype *) answer = memory_type (block);
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_POINTER:
      *(CUdeviceptr *) answer = address;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_HOST_POINTER:
      return host_pointer (block, address, answer);
    case CU_POINTER_ATTRIBUTE_BUFFER_ID:
      *(unsigned long long *) answer = block->id;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      *(int *) answer = block->device;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_START_ADDR:
      *(CUdeviceptr *) answer = start;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_RANGE_SIZE:
      *(size_t *) answer = size;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_MAPPED:
      *(unsigned char *) answer = 1;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
      *(unsigned char *) answer = block->kind != SC_MEMORY_MAPPED;
      return CUDA_SUCCESS;
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      *(unsigned char *) answer = 0;
      return CUDA_SUCCESS;
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}

static CUresult
get_attribute (void *answer, CUpointer_attribute attribute, CUdeviceptr address)
{
  const ScBlock *block = sc_memory_find (address);

  if (!answer || !block)
    return CUDA_ERROR_INVALID_VALUE;
  return answer_for (block, attribute, address, answer);
}

static size_t
answer_size (CUpointer_attribute attribute)
{
  switch (attribute) {
    case CU_POINTER_ATTRIBUTE_MEMORY_TYPE:
    case CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL:
      return sizeof (int);
    case CU_POINTER_ATTRIBUTE_MAPPED:
    case CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE:
    case CU_POINTER_ATTRIBUTE_SYNC_MEMOPS:
    case CU_POINTER_ATTRIBUTE_IS_MANAGED:
      return 1;
    default:
      return sizeof (void *);
  }
}

/* Unlike the call for one attribute, this one answers zeros where nothing is
 * known. */
static CUresult
get_attributes (unsigned n, const CUpointer_attribute *attributes,
    void **answers, CUdeviceptr address)
{
  for (unsigned i = 0; i < n; i++)
    if (get_attribute (answers[i], attributes[i], address) != CUDA_SUCCESS)
      memset (answers[i], 0, answer_size (attributes[i]));
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuPointerGetAttribute (void *answer, CUpointer_attribute attribute,
    CUdeviceptr address)
{
  SC_API (SC_NEED_INIT, get_attribute (answer, attribute, address));
}

CUresult CUDAAPI
cuPointerGetAttributes (unsigned int n, CUpointer_attribute *attributes,
    void **answers, CUdeviceptr address)
{
  SC_API (SC_NEED_INIT, get_attributes (n, attributes, answers, address));
}
