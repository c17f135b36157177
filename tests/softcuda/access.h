/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The bytes that an operation touches: @rows rows of @width, @pitch apart. */

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct
{
  uintptr_t start;
  size_t width, pitch, rows;
  bool write;
  bool held; /* freeing the memory waits for the operation, as measured */
} ScAccess;

/* From the first byte to behind the last, what lies between rows included. */
size_t sc_access_extent (const ScAccess *access);
/* Whether one of the @size bytes from @start on lies within the extent. */
bool sc_access_meets (const ScAccess *access, uintptr_t start, size_t size);
/* Whether both touch some byte: exact, whatever lies between their rows. */
bool sc_access_overlaps (const ScAccess *a, const ScAccess *b);
/* Whether @outer touches each byte that @inner does; may say no too often. */
bool sc_access_covers (const ScAccess *outer, const ScAccess *inner);
