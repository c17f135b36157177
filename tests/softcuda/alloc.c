/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "arena.h"
#include "call.h"
#include "config.h"
#include "context.h"
#include "counters.h"
#include "blocks.h"
#include "mapped.h"
#include "report.h"
#include "thread.h"
#include "watch.h"

#define PITCH_ALIGNMENT 512

static bool
fits (int device, size_t size)
{
  size_t used;

  sc_memory_sum (SC_MEMORY_DEVICE, device, &used);
  return used <= sc_config ()->memory && size <= sc_config ()->memory - used;
}

static CUresult
alloc (CUdeviceptr *address, size_t size)
{
  ScContext *ctx = sc_thread_current ();
  ScBlock block = {
    .size = size, .kind = SC_MEMORY_DEVICE, .ctx = ctx, .device = ctx->device
  };

  if (!address || size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (!fits (ctx->device, size))
    return CUDA_ERROR_OUT_OF_MEMORY;
  block.start = sc_arena_take (size);
  if (!block.start || !sc_memory_add (block))
    return CUDA_ERROR_OUT_OF_MEMORY;
  sc_counters ()->allocations++;
  sc_watch_note ("allocation", NULL, size);
  *address = block.start;
  return CUDA_SUCCESS;
}

static CUresult
alloc_pitch (CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
    unsigned element_size)
{
  if (!pitch || width == 0 || height == 0 ||
      (element_size != 4 && element_size != 8 && element_size != 16))
    return CUDA_ERROR_INVALID_VALUE;
  *pitch = (width + PITCH_ALIGNMENT - 1) & ~(size_t) (PITCH_ALIGNMENT - 1);
  return alloc (address, *pitch * height);
}

static CUresult
free_device (CUdeviceptr address)
{
  ScBlock *block = sc_memory_find (address);

  if (!address)
    return CUDA_SUCCESS;
  if (!block || block->start != address || block->kind != SC_MEMORY_DEVICE) {
    sc_report ("%#llx is no start of an allocation, or was freed", address);
    return CUDA_ERROR_INVALID_VALUE;
  }
  sc_memory_wait (block);
  sc_memory_release (address);
  sc_counters ()->frees++;
  return CUDA_SUCCESS;
}

static CUresult
get_info (size_t *free_bytes, size_t *total)
{
  size_t used;

  sc_memory_sum (SC_MEMORY_DEVICE, sc_thread_current ()->device, &used);
  if (total)
    *total = sc_config ()->memory;
  if (free_bytes)
    *free_bytes = used < sc_config ()->memory ? sc_config ()->memory - used : 0;
  return CUDA_SUCCESS;
}

static CUresult
get_range (CUdeviceptr *base, size_t *size, CUdeviceptr address)
{
  const ScBlock *block = sc_memory_find (address);
  uintptr_t start;
  size_t n_bytes;

  if (!block || !sc_memory_is_device (block))
    return CUDA_ERROR_NOT_FOUND;
  if (!sc_mapped_range (address, &start, &n_bytes)) {
    start = block->start;
    n_bytes = block->size;
  }
  if (base)
    *base = start;
  if (size)
    *size = n_bytes;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuMemAlloc_v2 (CUdeviceptr *address, size_t size)
{
  SC_API (SC_NEED_UNSAFE, alloc (address, size));
}

CUresult CUDAAPI
cuMemAllocPitch_v2 (CUdeviceptr *address, size_t *pitch, size_t width,
    size_t height, unsigned int element_size)
{
  SC_API (SC_NEED_UNSAFE,
      alloc_pitch (address, pitch, width, height, element_size));
}

CUresult CUDAAPI
cuMemFree_v2 (CUdeviceptr address)
{
  SC_API (SC_NEED_UNSAFE, free_device (address));
}

CUresult CUDAAPI
cuMemGetInfo_v2 (size_t *free_bytes, size_t *total)
{
  SC_API (SC_NEED_CONTEXT, get_info (free_bytes, total));
}

CUresult CUDAAPI
cuMemGetAddressRange_v2 (CUdeviceptr *base, size_t *size, CUdeviceptr address)
{
  SC_API (SC_NEED_CONTEXT, get_range (base, size, address));
}
