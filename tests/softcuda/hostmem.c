/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <sys/mman.h>

#include "arena.h"
#include "call.h"
#include "context.h"
#include "counters.h"
#include "blocks.h"
#include "report.h"
#include "thread.h"
#include "watch.h"

#define KNOWN_FLAGS                                                            \
  (CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP |                      \
      CU_MEMHOSTALLOC_WRITECOMBINED)

static bool
add_host_block (ScMemoryKind kind, void *memory, size_t size, unsigned flags)
{
  ScContext *ctx = sc_thread_current ();
  ScBlock block = { .start = (uintptr_t) memory,
    .size = size,
    .kind = kind,
    .ctx = ctx,
    .device = ctx->device,
    .flags = flags };

  return sc_memory_add (block);
}

static CUresult
alloc (void **memory, size_t size, unsigned flags)
{
  void *made;

  if (!memory || (flags & ~(unsigned) KNOWN_FLAGS))
    return CUDA_ERROR_INVALID_VALUE;
  *memory = NULL;
  if (size == 0)
    return CUDA_SUCCESS;
  made = mmap (NULL, sc_arena_span (size), PROT_READ | PROT_WRITE,
      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (made == MAP_FAILED)
    return CUDA_ERROR_OUT_OF_MEMORY;
  if (!add_host_block (SC_MEMORY_PINNED, made, size, flags)) {
    munmap (made, sc_arena_span (size));
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  sc_poison (made, size);
  sc_counters ()->host_allocations++;
  sc_watch_note ("host-allocation", NULL, size);
  *memory = made;
  return CUDA_SUCCESS;
}

static ScBlock *
find_start (void *memory, ScMemoryKind kind)
{
  ScBlock *block = sc_memory_find ((uintptr_t) memory);

  if (block && block->start == (uintptr_t) memory && block->kind == kind)
    return block;
  sc_report ("%p is not %s", memory,
      kind == SC_MEMORY_PINNED ? "pinned memory" : "registered memory");
  return NULL;
}

static CUresult
free_host (void *memory)
{
  ScBlock *block;

  if (!memory)
    return CUDA_SUCCESS;
  block = find_start (memory, SC_MEMORY_PINNED);
  if (!block)
    return CUDA_ERROR_INVALID_VALUE;
  sc_memory_wait (block);
  sc_memory_release ((uintptr_t) memory);
  sc_counters ()->host_frees++;
  return CUDA_SUCCESS;
}

static CUresult
register_host (void *memory, size_t size, unsigned flags)
{
  if (!memory || size == 0)
    return CUDA_ERROR_INVALID_VALUE;
  if (sc_memory_overlaps ((uintptr_t) memory, size))
    return CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED;
  if (!add_host_block (SC_MEMORY_REGISTERED, memory, size, flags))
    return CUDA_ERROR_OUT_OF_MEMORY;
  sc_counters ()->registrations++;
  return CUDA_SUCCESS;
}

static CUresult
unregister_host (void *memory)
{
  ScBlock *block;

  if (!memory)
    return CUDA_ERROR_INVALID_VALUE;
  block = find_start (memory, SC_MEMORY_REGISTERED);
  if (!block)
    return CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED;
  sc_memory_wait (block);
  sc_memory_release ((uintptr_t) memory);
  return CUDA_SUCCESS;
}

static CUresult
get_flags (unsigned *flags, void *memory)
{
  const ScBlock *block = sc_memory_find ((uintptr_t) memory);

  if (!block || sc_memory_is_device (block))
    return CUDA_ERROR_INVALID_VALUE;
  /* device-mapped, as each pinned allocation is under unified addressing */
  *flags = block->flags | CU_MEMHOSTALLOC_DEVICEMAP;
  return CUDA_SUCCESS;
}

static CUresult
get_device_pointer (CUdeviceptr *address, void *memory)
{
  const ScBlock *block = sc_memory_find ((uintptr_t) memory);

  if (!block || sc_memory_is_device (block))
    return CUDA_ERROR_INVALID_VALUE;
  *address = (uintptr_t) memory;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuMemHostAlloc (void **memory, size_t size, unsigned int flags)
{
  SC_API (SC_NEED_UNSAFE, alloc (memory, size, flags));
}

CUresult CUDAAPI
cuMemAllocHost_v2 (void **memory, size_t size)
{
  SC_API (SC_NEED_UNSAFE, alloc (memory, size, 0));
}

CUresult CUDAAPI
cuMemFreeHost (void *memory)
{
  SC_API (SC_NEED_UNSAFE, free_host (memory));
}

CUresult CUDAAPI
cuMemHostRegister_v2 (void *memory, size_t size, unsigned int flags)
{
  SC_API (SC_NEED_UNSAFE, register_host (memory, size, flags));
}

CUresult CUDAAPI
cuMemHostRegister (void *memory, size_t size, unsigned int flags)
{
  SC_API (SC_NEED_UNSAFE, register_host (memory, size, flags));
}

CUresult CUDAAPI
cuMemHostUnregister (void *memory)
{
  SC_API (SC_NEED_UNSAFE, unregister_host (memory));
}

CUresult CUDAAPI
cuMemHostGetFlags (unsigned int *flags, void *memory)
{
  SC_API (SC_NEED_CONTEXT, get_flags (flags, memory));
}

CUresult CUDAAPI
cuMemHostGetDevicePointer_v2 (CUdeviceptr *address, void *memory,
    unsigned int flags)
{
  SC_API (SC_NEED_CONTEXT, get_device_pointer (address, memory));
}
