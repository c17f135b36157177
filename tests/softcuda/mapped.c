/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Virtual memory management, as PyTorch's expandable segments use it: addresses
 * are reserved, memory is made and mapped there piece by piece. In the table of
 * memory, pieces that follow each other are one block, since copies and kernels
 * may cross from one to the next. The memory of a piece stands for itself: it
 * can be mapped once. */

#include "mapped.h"

#include <stdlib.h>

#include "arena.h"
#include "blocks.h"
#include "call.h"
#include "counters.h"
#include "device.h"
#include "report.h"

#define GRANULARITY ((size_t) 2 << 20)

typedef struct _Piece
{
  size_t size;
  int device;
  bool is_held; /* cuMemRelease () was not called */
  uintptr_t start; /* 0: not mapped */
  bool is_accessible;
  struct _Piece *next;
} Piece;

typedef struct _Reservation
{
  uintptr_t start;
  size_t size;
  struct _Reservation *next;
} Reservation;

static Piece *pieces;
static Reservation *reservations;

static Piece *
piece_at (uintptr_t address)
{
  Piece *piece = pieces;

  while (piece && (!piece->start || address - piece->start >= piece->size))
    piece = piece->next;
  return piece;
}

static Piece *
piece_of (CUmemGenericAllocationHandle handle)
{
  Piece *piece = pieces;

  while (piece && piece != (Piece *) (uintptr_t) handle)
    piece = piece->next;
  return piece && piece->is_held ? piece : NULL;
}

/* It lives until it is neither held nor mapped. */
static void
drop_if_unused (Piece *piece)
{
  Piece **link = &pieces;

  if (piece->is_held || piece->start)
    return;
  while (*link != piece)
    link = &(*link)->next;
  *link = piece->next;
  free (piece);
}

bool
sc_mapped_range (uintptr_t address, uintptr_t *start, size_t *size)
{
  const Piece *piece = piece_at (address);

  if (!piece || !piece->is_accessible)
    return false;
  *start = piece->start;
  *size = piece->size;
  return true;
}

static CUresult
granularity (size_t *size, const CUmemAllocationProp *prop)
{
  if (!size || !prop)
    return CUDA_ERROR_INVALID_VALUE;
  *size = GRANULARITY;
  return CUDA_SUCCESS;
}

static bool
is_whole (size_t size)
{
  return size && size % GRANULARITY == 0;
}

/* All start where pages of the granularity may. */
static uintptr_t
take_aligned (size_t size)
{
  uintptr_t address = sc_arena_take (size + GRANULARITY);

  return address ? (address + GRANULARITY - 1) / GRANULARITY * GRANULARITY : 0;
}

static CUresult
reserve (CUdeviceptr *address, size_t size)
{
  Reservation *made;

  if (!address || !is_whole (size))
    return CUDA_ERROR_INVALID_VALUE;
  made = calloc (1, sizeof *made);
  if (!made)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *made = (Reservation) { take_aligned (size), size, reservations };
  if (!made->start) {
    free (made);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  reservations = made;
  *address = made->start;
  return CUDA_SUCCESS;
}

static Reservation **
find_reservation (uintptr_t start, size_t size)
{
  Reservation **link = &reservations;

  while (*link &&
      (start < (*link)->start || start - (*link)->start >= (*link)->size ||
          size > (*link)->size - (start - (*link)->start)))
    link = &(*link)->next;
  return link;
}

static CUresult
free_addresses (uintptr_t start, size_t size)
{
  Reservation **link = find_reservation (start, size), *old = *link;

  if (!old || old->start != start || old->size != size ||
      sc_memory_overlaps (start, size)) {
    sc_report ("%zu bytes at %#zx are no reservation, or have memory", size,
        (size_t) start);
    return CUDA_ERROR_INVALID_VALUE;
  }
  *link = old->next;
  sc_arena_drop (start, size);
  free (old);
  return CUDA_SUCCESS;
}

static CUresult
create (CUmemGenericAllocationHandle *handle, size_t size,
    const CUmemAllocationProp *prop)
{
  Piece *made;

  if (!handle || !prop || !is_whole (size) ||
      prop->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
      prop->location.type != CU_MEM_LOCATION_TYPE_DEVICE ||
      !sc_device_valid (prop->location.id))
    return CUDA_ERROR_INVALID_VALUE;
  made = calloc (1, sizeof *made);
  if (!made)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *made = (Piece) {
    .size = size, .device = prop->location.id, .is_held = true, .next = pieces
  };
  pieces = made;
  sc_counters ()->allocations++;
  *handle = (CUmemGenericAllocationHandle) (uintptr_t) made;
  return CUDA_SUCCESS;
}

static CUresult
release (CUmemGenericAllocationHandle handle)
{
  Piece *piece = piece_of (handle);

  if (!piece)
    return CUDA_ERROR_INVALID_VALUE;
  piece->is_held = false;
  drop_if_unused (piece);
  return CUDA_SUCCESS;
}

static bool
has_piece (uintptr_t start, size_t size)
{
  for (uintptr_t at = start; at < start + size; at += GRANULARITY)
    if (piece_at (at))
      return true;
  return false;
}

static CUresult
map (uintptr_t start, size_t size, size_t offset,
    CUmemGenericAllocationHandle handle)
{
  Piece *piece = piece_of (handle);

  if (!piece || size != piece->size || offset || start % GRANULARITY ||
      !*find_reservation (start, size) || has_piece (start, size))
    return CUDA_ERROR_INVALID_VALUE;
  if (piece->start)
    return CUDA_ERROR_NOT_SUPPORTED;
  piece->start = start;
  return CUDA_SUCCESS;
}

/* Behind a piece that is there already, or on its own. */
static bool
add_to_table (const Piece *piece)
{
  ScBlock *before = sc_memory_find (piece->start - 1);

  if (before && before->kind == SC_MEMORY_MAPPED &&
      before->device == piece->device) {
    before->size += piece->size;
    return true;
  }
  return sc_memory_add ((ScBlock) { .start = piece->start,
      .size = piece->size,
      .kind = SC_MEMORY_MAPPED,
      .device = piece->device });
}

static CUresult
make_accessible (Piece *piece)
{
  if (piece->is_accessible)
    return CUDA_SUCCESS;
  piece->is_accessible = true;
  return add_to_table (piece) ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

static CUresult
set_access (uintptr_t start, size_t size, const CUmemAccessDesc *access,
    size_t n)
{
  CUresult result = CUDA_SUCCESS;

  if (!access || n == 0 || !is_whole (size))
    return CUDA_ERROR_INVALID_VALUE;
  for (uintptr_t at = start; at < start + size; at += GRANULARITY)
    if (!piece_at (at))
      return CUDA_ERROR_INVALID_VALUE;
  for (uintptr_t at = start; at < start + size && result == CUDA_SUCCESS;
      at += GRANULARITY)
    result = make_accessible (piece_at (at));
  return result;
}

/* From the end of what follows each other. */
static CUresult
take_from_table (uintptr_t start, size_t size)
{
  ScBlock *block = sc_memory_find (start);

  if (!block)
    return CUDA_SUCCESS;
  if (start + size != block->start + block->size) {
    sc_report ("unmapping from the middle is not supported");
    return CUDA_ERROR_NOT_SUPPORTED;
  }
  sc_memory_wait (block);
  block = sc_memory_find (start);
  block->size = start - block->start;
  if (block->size == 0)
    sc_memory_remove (block);
  sc_poison (sc_arena_view (start), size);
  return CUDA_SUCCESS;
}

static CUresult
unmap (uintptr_t start, size_t size)
{
  uintptr_t at = start + size;
  CUresult result;

  while (at > start) {
    Piece *piece = piece_at (at - 1);
    if (!piece || piece->start < start || piece->start + piece->size != at)
      return CUDA_ERROR_INVALID_VALUE;
    at = piece->start;
  }
  result = take_from_table (start, size);
  for (at = start; at < start + size && result == CUDA_SUCCESS;) {
    Piece *piece = piece_at (at);
    at += piece->size;
    piece->start = 0;
    piece->is_accessible = false;
    drop_if_unused (piece);
  }
  return result;
}

CUresult CUDAAPI
cuMemGetAllocationGranularity (size_t *size, const CUmemAllocationProp *prop,
    CUmemAllocationGranularity_flags option)
{
  SC_API (SC_NEED_INIT, granularity (size, prop));
}

CUresult CUDAAPI
cuMemAddressReserve (CUdeviceptr *address, size_t size, size_t alignment,
    CUdeviceptr wish, unsigned long long flags)
{
  SC_API (SC_NEED_INIT, reserve (address, size));
}

CUresult CUDAAPI
cuMemAddressFree (CUdeviceptr address, size_t size)
{
  SC_API (SC_NEED_INIT, free_addresses (address, size));
}

CUresult CUDAAPI
cuMemCreate (CUmemGenericAllocationHandle *handle, size_t size,
    const CUmemAllocationProp *prop, unsigned long long flags)
{
  SC_API (SC_NEED_INIT, create (handle, size, prop));
}

CUresult CUDAAPI
cuMemRelease (CUmemGenericAllocationHandle handle)
{
  SC_API (SC_NEED_INIT, release (handle));
}

CUresult CUDAAPI
cuMemMap (CUdeviceptr address, size_t size, size_t offset,
    CUmemGenericAllocationHandle handle, unsigned long long flags)
{
  SC_API (SC_NEED_INIT, map (address, size, offset, handle));
}

CUresult CUDAAPI
cuMemSetAccess (CUdeviceptr address, size_t size, const CUmemAccessDesc *access,
    size_t n)
{
  SC_API (SC_NEED_INIT, set_access (address, size, access, n));
}

CUresult CUDAAPI
cuMemUnmap (CUdeviceptr address, size_t size)
{
  SC_API (SC_NEED_INIT, unmap (address, size));
}
