/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The address space of all devices: one file in memory, mapped twice. Device
 * addresses lie in a mapping that the host may not touch, the driver's own view
 * elsewhere. No address is handed out twice. */

#pragma once

#include "cudaapi.h"

/* With the lock held. Bytes that follow an allocation and must keep their
 * poison lie between @size and the return of sc_arena_span(). */
bool sc_arena_open (void);
size_t sc_arena_span (size_t size);
/* Poisoned. 0 if there is no room. */
uintptr_t sc_arena_take (size_t size);
/* The same for memory of another process, @offset into its @file; as it is. */
uintptr_t sc_arena_import (int file, size_t offset, size_t size);
void sc_arena_drop_import (uintptr_t address, size_t size);
/* Its memory goes back to the system; the addresses stay taken. */
void sc_arena_drop (uintptr_t address, size_t size);

bool sc_arena_holds (uintptr_t address);
/* Where the driver reads and writes @address; other addresses than the
 * arena's come back as they are. No lock needed. */
void *sc_arena_view (uintptr_t address);
/* The device address of something in the driver's view. */
uintptr_t sc_arena_address (const void *view);
/* Offset in the file of @address, and the file. */
size_t sc_arena_offset (uintptr_t address);
int sc_arena_file (void);

/* Whether the poison behind an allocation of @size at @address is whole. */
bool sc_arena_intact (uintptr_t address, size_t size);
void sc_poison (void *memory, size_t size);
