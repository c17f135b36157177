/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "blocks.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "arena.h"
#include "config.h"
#include "context.h"
#include "race.h"
#include "report.h"
#include "scheduler.h"

static ScBlock *blocks; /* by address */
static size_t n_blocks, room;
static uint64_t last_id;

/* Index of the first block that ends behind @address. */
static size_t
lower_bound (uintptr_t address)
{
  size_t low = 0, high = n_blocks;

  while (low < high) {
    size_t mid = (low + high) / 2;
    if (blocks[mid].start + blocks[mid].size <= address)
      low = mid + 1;
    else
      high = mid;
  }
  return low;
}

ScBlock *
sc_memory_find (uintptr_t address)
{
  size_t i = lower_bound (address);

  return i < n_blocks && blocks[i].start <= address ? &blocks[i] : NULL;
}

bool
sc_memory_overlaps (uintptr_t start, size_t size)
{
  size_t i = lower_bound (start);

  return i < n_blocks && blocks[i].start < start + size;
}

bool
sc_memory_add (ScBlock block)
{
  size_t i = lower_bound (block.start);

  if (n_blocks == room) {
    size_t more = room ? 2 * room : 64;
    ScBlock *grown = realloc (blocks, more * sizeof *blocks);
    if (!grown)
      return false;
    blocks = grown;
    room = more;
  }
  memmove (blocks + i + 1, blocks + i, (n_blocks - i) * sizeof *blocks);
  block.id = ++last_id;
  blocks[i] = block;
  n_blocks++;
  return true;
}

void
sc_memory_remove (ScBlock *block)
{
  size_t i = (size_t) (block - blocks);

  sc_race_forget (block->past);
  n_blocks--;
  memmove (blocks + i, blocks + i + 1, (n_blocks - i) * sizeof *blocks);
}

bool
sc_memory_is_device (const ScBlock *block)
{
  return block->kind == SC_MEMORY_DEVICE || block->kind == SC_MEMORY_IMPORTED ||
      block->kind == SC_MEMORY_MAPPED;
}

size_t
sc_memory_sum (ScMemoryKind kind, int device, size_t *bytes)
{
  size_t n = 0;

  *bytes = 0;
  for (size_t i = 0; i < n_blocks; i++)
    if (blocks[i].kind == kind && (device < 0 || blocks[i].device == device)) {
      n++;
      *bytes += blocks[i].size;
    }
  return n;
}

static bool
free_waits (void)
{
  switch (sc_config ()->free_mode) {
    case SC_FREE_WAITS:
      return true;
    case SC_FREE_NEVER_WAITS:
      return false;
    default:
      return sc_chance (2);
  }
}

static void
wait_for_holders (uintptr_t start, size_t size)
{
  ScOp *op;

  while ((op = sc_context_holder (start, size))) {
    sc_op_ref (op);
    sc_sched_finish (op);
    sc_op_unref (op);
  }
}

void
sc_memory_wait (const ScBlock *block)
{
  uintptr_t start = block->start;
  size_t size = block->size;

  sc_race_check_free (block);
  if (free_waits ()) {
    if (block->ctx)
      sc_sched_wait_idle (block->ctx);
    wait_for_holders (start, size);
  }
  sc_sched_wait_running (start, size);
}

/* The addresses stay taken, so that a late access faults. */
static void
drop_pinned (const ScBlock *block)
{
  mmap ((void *) block->start, sc_arena_span (block->size), PROT_NONE,
      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
}

static void
drop_device (const ScBlock *block)
{
  if (!sc_arena_intact (block->start, block->size))
    sc_report ("bytes behind the %zu of %#zx were written", block->size,
        (size_t) block->start);
  sc_arena_drop (block->start, block->size);
}

void
sc_memory_release (uintptr_t start)
{
  ScBlock *block = sc_memory_find (start);

  if (!block || block->start != start)
    return;
  if (block->kind == SC_MEMORY_DEVICE)
    drop_device (block);
  else if (block->kind == SC_MEMORY_PINNED)
    drop_pinned (block);
  else if (block->kind == SC_MEMORY_IMPORTED)
    sc_arena_drop_import (block->start, block->size);
  sc_memory_remove (block);
}

void
sc_memory_free_all (ScContext *ctx)
{
  for (size_t i = n_blocks; i-- > 0;)
    if (blocks[i].ctx == ctx)
      sc_memory_release (blocks[i].start);
}
