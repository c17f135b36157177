/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "arena.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define POISON 0xcd
#define PAGE ((size_t) 4096)

static int file = -1;
static char *device, *view;
static size_t total, taken;

static bool
map_both (size_t size)
{
  if (ftruncate (file, (off_t) size))
    return false;
  device = mmap (NULL, size, PROT_NONE, MAP_SHARED | MAP_NORESERVE, file, 0);
  if (device == MAP_FAILED)
    return false;
  view = mmap (NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE,
      file, 0);
  if (view == MAP_FAILED) {
    munmap (device, size);
    return false;
  }
  madvise (view, size, MADV_DONTDUMP);
  total = size;
  return true;
}

bool
sc_arena_open (void)
{
  if (total)
    return true;
  if (file < 0)
    file = memfd_create ("softcuda", MFD_CLOEXEC);
  if (file < 0)
    return false;
  for (size_t size = (size_t) 1 << 38; size >= (size_t) 1 << 30; size /= 4)
    if (map_both (size))
      return true;
  return false;
}

size_t
sc_arena_span (size_t size)
{
  return ((size + PAGE - 1) & ~(PAGE - 1)) + PAGE;
}

static uintptr_t
take_addresses (size_t size)
{
  size_t span = sc_arena_span (size);
  uintptr_t address = (uintptr_t) device + taken;

  if (span < size || span > total - taken)
    return 0;
  taken += span;
  return address;
}

uintptr_t
sc_arena_take (size_t size)
{
  uintptr_t address = take_addresses (size);

  if (address)
    sc_poison (sc_arena_view (address), sc_arena_span (size));
  return address;
}

/* Puts other pages into the driver's view. */
static bool
remap (uintptr_t address, size_t size, int from, size_t offset)
{
  return mmap (sc_arena_view (address), sc_arena_span (size),
             PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED,
             from, (off_t) offset) != MAP_FAILED;
}

uintptr_t
sc_arena_import (int from, size_t offset, size_t size)
{
  uintptr_t address = take_addresses (size);

  return address && remap (address, size, from, offset) ? address : 0;
}

void
sc_arena_drop_import (uintptr_t address, size_t size)
{
  remap (address, size, file, sc_arena_offset (address));
}

void
sc_arena_drop (uintptr_t address, size_t size)
{
  madvise (sc_arena_view (address), sc_arena_span (size), MADV_REMOVE);
}

bool
sc_arena_holds (uintptr_t address)
{
  return address - (uintptr_t) device < total;
}

void *
sc_arena_view (uintptr_t address)
{
  if (!sc_arena_holds (address))
    return (void *) address;
  return view + sc_arena_offset (address);
}

uintptr_t
sc_arena_address (const void *in_view)
{
  return (uintptr_t) device + (size_t) ((const char *) in_view - view);
}

size_t
sc_arena_offset (uintptr_t address)
{
  return address - (uintptr_t) device;
}

int
sc_arena_file (void)
{
  return file;
}

bool
sc_arena_intact (uintptr_t address, size_t size)
{
  const unsigned char *start = sc_arena_view (address);

  for (size_t i = size; i < sc_arena_span (size); i++)
    if (start[i] != POISON)
      return false;
  return true;
}

void
sc_poison (void *memory, size_t size)
{
  memset (memory, POISON, size);
}
