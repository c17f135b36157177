/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The table of all memory that CUDA knows: who owns which bytes. */

#pragma once

#include "cudaapi.h"

typedef struct CUctx_st ScContext;

typedef enum
{
  SC_MEMORY_DEVICE,
  SC_MEMORY_PINNED,     /* host memory of the driver's */
  SC_MEMORY_REGISTERED, /* host memory of the program's */
  SC_MEMORY_IMPORTED,   /* device memory of another process */
  SC_MEMORY_MAPPED, /* device memory at reserved addresses, of no context */
} ScMemoryKind;

typedef struct
{
  uintptr_t start;
  size_t size;
  ScMemoryKind kind;
  ScContext *ctx; /* NULL: of none */
  int device;
  unsigned flags;
  uint64_t id;
  int64_t written_at, read_at; /* queued, in virtual time */
  struct _ScRaceLog *past; /* accesses; NULL: none */
} ScBlock;

/* With the lock held. The answers are valid until the table changes. */
ScBlock *sc_memory_find (uintptr_t address);
bool sc_memory_overlaps (uintptr_t start, size_t size);
bool sc_memory_add (ScBlock block);
void sc_memory_remove (ScBlock *block);
/* All that belongs to @ctx, without waiting. */
void sc_memory_free_all (ScContext *ctx);

bool sc_memory_is_device (const ScBlock *block);
/* Counts and bytes of one kind; @device < 0: of all devices. */
size_t sc_memory_sum (ScMemoryKind kind, int device, size_t *bytes);

/* Before memory goes: waits as the real driver does for the work of the context
 * that owns @block and for the copies of others that hold it; or, by mode, only
 * for what touches it right now. The table may change meanwhile. */
void sc_memory_wait (const ScBlock *block);
/* Takes it out of the table and gives it back to where it came from. */
void sc_memory_release (uintptr_t start);
