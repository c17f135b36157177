/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Copies of every shape, made into one: slices of rows of bytes. */

#pragma once

#include "stream.h"

typedef enum
{
  SC_SIDE_DEVICE,
  SC_SIDE_PINNED,
  SC_SIDE_PAGEABLE,
} ScSideKind;

typedef struct
{
  ScSideKind kind;
  uintptr_t start;
  size_t pitch, slice; /* bytes from row to row, from slice to slice */
} ScSide;

typedef struct
{
  ScSide dst, src;
  size_t width, rows, depth;
  void *staged; /* the source's bytes as they were at the call, tight */
} ScCopy;

/* Finds out what memory @side is in. */
typedef enum
{
  SC_ADDRESS_HOST,
  SC_ADDRESS_DEVICE,
  SC_ADDRESS_ANY,
} ScAddress;

CUresult sc_side_init (ScSide *side, ScAddress address, uintptr_t start);

/* Checks the bounds and queues it. */
CUresult sc_copy_push (ScStream *stream, const ScCopy *copy, bool wait);
