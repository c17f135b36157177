/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "ipc.h"

#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <fcntl.h>
#include <unistd.h>

#include "arena.h"
#include "blocks.h"
#include "call.h"
#include "context.h"
#include "counters.h"
#include "report.h"
#include "thread.h"

struct _ScIpcEvent
{
  atomic_ullong recorded, done;
};

/* Fits both CUipcMemHandle and CUipcEventHandle. */
typedef struct
{
  int pid, file;
  uint64_t offset, size;
} Handle;

_Static_assert (sizeof (Handle) <= CU_IPC_HANDLE_SIZE, "too large a handle");

typedef struct
{
  ScIpcEvent *shared;
  unsigned long long number; /* of the record that it is or waits for */
} Record;

static void
fill_handle (void *to, uintptr_t address, size_t size)
{
  Handle handle = { getpid (), sc_arena_file (), sc_arena_offset (address),
    size };

  memset (to, 0, CU_IPC_HANDLE_SIZE);
  memcpy (to, &handle, sizeof handle);
}

/* Maps what @from names into this process' arena. */
static CUresult
import (const void *from, uintptr_t *address, size_t *size)
{
  Handle handle;
  char path[64];
  int file;

  memcpy (&handle, from, sizeof handle);
  if (handle.pid == getpid ())
    return CUDA_ERROR_INVALID_CONTEXT;
  snprintf (path, sizeof path, "/proc/%d/fd/%d", handle.pid, handle.file);
  file = open (path, O_RDWR | O_CLOEXEC);
  if (file < 0)
    return CUDA_ERROR_INVALID_VALUE;
  *address = sc_arena_import (file, handle.offset, handle.size);
  *size = handle.size;
  close (file);
  return *address ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

ScIpcEvent *
sc_ipc_event_new (void)
{
  uintptr_t address = sc_arena_take (sizeof (ScIpcEvent));
  ScIpcEvent *shared = address ? sc_arena_view (address) : NULL;

  if (shared)
    memset (shared, 0, sizeof *shared);
  return shared;
}

static void
signal_record (ScOp *op)
{
  const Record *record = (const Record *) op->data;

  if (atomic_load (&record->shared->done) < record->number)
    atomic_store (&record->shared->done, record->number);
}

ScOp *
sc_ipc_event_record (CUevent event, ScContext *ctx)
{
  ScOp *op = sc_op_new (SC_OP_WORK, ctx, sizeof (Record));

  if (!op)
    return NULL;
  *(Record *) op->data = (Record) { event->shared,
    atomic_fetch_add (&event->shared->recorded, 1) + 1 };
  op->run = signal_record;
  return op;
}

static bool
is_done (ScOp *op)
{
  const Record *record = (const Record *) op->data;

  return atomic_load (&record->shared->done) >= record->number;
}

ScOp *
sc_ipc_event_wait (CUevent event, ScContext *ctx)
{
  ScOp *op = sc_op_new (SC_OP_DELAY, ctx, sizeof (Record));

  if (!op)
    return NULL;
  *(Record *) op->data =
      (Record) { event->shared, atomic_load (&event->shared->recorded) };
  op->poll = is_done;
  return op;
}

bool
sc_ipc_event_done (CUevent event)
{
  return atomic_load (&event->shared->done) >=
      atomic_load (&event->shared->recorded);
}

static CUresult
get_event (CUipcEventHandle *handle, CUevent event)
{
  CUresult result = sc_event_check (event);

  if (result != CUDA_SUCCESS)
    return result;
  if (!handle || !event->shared || event->imported)
    return CUDA_ERROR_INVALID_HANDLE;
  fill_handle (handle, sc_arena_address (event->shared), sizeof (ScIpcEvent));
  return CUDA_SUCCESS;
}

static CUresult
open_event (CUevent *event, const CUipcEventHandle *handle)
{
  uintptr_t address;
  size_t size;
  CUresult result = import (handle, &address, &size);

  if (result == CUDA_SUCCESS)
    result =
        sc_event_new (event, CU_EVENT_INTERPROCESS | CU_EVENT_DISABLE_TIMING,
            sc_arena_view (address));
  if (result == CUDA_SUCCESS)
    (*event)->imported = true;
  return result;
}

static CUresult
get_memory (CUipcMemHandle *handle, CUdeviceptr address)
{
  const ScBlock *block = sc_memory_find (address);

  if (!handle || !block || block->kind != SC_MEMORY_DEVICE)
    return CUDA_ERROR_INVALID_VALUE;
  fill_handle (handle, block->start, block->size);
  return CUDA_SUCCESS;
}

static CUresult
open_memory (CUdeviceptr *address, const CUipcMemHandle *handle, unsigned flags)
{
  ScContext *ctx = sc_thread_current ();
  ScBlock block = {
    .kind = SC_MEMORY_IMPORTED, .ctx = ctx, .device = ctx->device
  };
  CUresult result;

  if (!address || flags != CU_IPC_MEM_LAZY_ENABLE_PEER_ACCESS)
    return CUDA_ERROR_INVALID_VALUE;
  result = import (handle, &block.start, &block.size);
  if (result != CUDA_SUCCESS)
    return result;
  *address = block.start;
  return sc_memory_add (block) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult
close_memory (CUdeviceptr address)
{
  ScBlock *block = sc_memory_find (address);

  if (!block || block->start != address || block->kind != SC_MEMORY_IMPORTED) {
    sc_report ("%#llx is no memory of another process", address);
    return CUDA_ERROR_INVALID_VALUE;
  }
  sc_memory_wait (block);
  sc_memory_release (address);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuIpcGetEventHandle (CUipcEventHandle *handle, CUevent event)
{
  SC_API (SC_NEED_CONTEXT, get_event (handle, event));
}

CUresult CUDAAPI
cuIpcOpenEventHandle (CUevent *event, CUipcEventHandle handle)
{
  SC_API (SC_NEED_CONTEXT, open_event (event, &handle));
}

CUresult CUDAAPI
cuIpcGetMemHandle (CUipcMemHandle *handle, CUdeviceptr address)
{
  SC_API (SC_NEED_CONTEXT, get_memory (handle, address));
}

CUresult CUDAAPI
cuIpcOpenMemHandle_v2 (CUdeviceptr *address, CUipcMemHandle handle,
    unsigned int flags)
{
  SC_API (SC_NEED_CONTEXT, open_memory (address, &handle, flags));
}

CUresult CUDAAPI
cuIpcOpenMemHandle (CUdeviceptr *address, CUipcMemHandle handle,
    unsigned int flags)
{
  SC_API (SC_NEED_CONTEXT, open_memory (address, &handle, flags));
}

CUresult CUDAAPI
cuIpcCloseMemHandle (CUdeviceptr address)
{
  SC_API (SC_NEED_CONTEXT, close_memory (address));
}
