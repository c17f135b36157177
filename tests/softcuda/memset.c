/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <string.h>

#include "arena.h"
#include "call.h"
#include "context.h"
#include "counters.h"
#include "blocks.h"
#include "report.h"
#include "stream.h"

typedef struct
{
  uintptr_t start;
  size_t pitch, width, rows; /* width in elements */
  unsigned element;          /* bytes: 1, 2, 4 */
  uint32_t value;
} Fill;

static void
fill_row (char *row, const Fill *fill)
{
  for (size_t x = 0; x < fill->width; x++)
    memcpy (row + x * fill->element, &fill->value, fill->element);
}

static void
run_fill (ScOp *op)
{
  const Fill *fill = (const Fill *) op->data;
  char *start = sc_arena_view (fill->start);

  for (size_t y = 0; y < fill->rows; y++)
    fill_row (start + y * fill->pitch, fill);
}

static bool
check_alive (ScOp *op)
{
  const Fill *fill = (const Fill *) op->data;

  if (sc_memory_find (fill->start))
    return true;
  sc_report ("memory was freed while %s was queued", op->trace.call);
  sc_context_lose (op->ctx, CUDA_ERROR_ILLEGAL_ADDRESS);
  return false;
}

static CUresult
check_fill (const Fill *fill)
{
  const ScBlock *block = sc_memory_find (fill->start);
  size_t extent = (fill->rows - 1) * fill->pitch + fill->width * fill->element;

  if (fill->start % fill->element || fill->pitch % fill->element)
    return CUDA_ERROR_INVALID_VALUE;
  if (fill->rows > 1 && fill->pitch < fill->width * fill->element)
    return CUDA_ERROR_INVALID_VALUE;
  if (block && extent <= block->start + block->size - fill->start)
    return CUDA_SUCCESS;
  sc_report ("%zu bytes at %#zx are not all in one allocation", extent,
      (size_t) fill->start);
  return CUDA_ERROR_INVALID_VALUE;
}

static CUresult
push (Fill fill, CUstream handle)
{
  ScStream *stream;
  ScOp *op;
  CUresult result = sc_stream_resolve (handle, &stream);

  if (result == CUDA_SUCCESS && (fill.width == 0 || fill.rows == 0))
    return CUDA_SUCCESS;
  if (result == CUDA_SUCCESS)
    result = check_fill (&fill);
  if (result != CUDA_SUCCESS)
    return result;
  op = sc_op_new (SC_OP_WORK, stream->ctx, sizeof fill);
  if (!op)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *(Fill *) op->data = fill;
  op->run = run_fill;
  op->check = check_alive;
  sc_op_add_access (op,
      (ScAccess) { .start = fill.start,
          .width = fill.width * fill.element,
          .pitch = fill.pitch,
          .rows = fill.rows,
          .write = true });
  sc_vtime_set_work (op, SC_RATE_DEVICE, fill.width * fill.element * fill.rows);
  sc_counters ()->memsets++;
  sc_stream_push (stream, op);
  sc_op_unref (op);
  return CUDA_SUCCESS;
}

#define MEMSET(bits, type)                                                     \
  CUresult CUDAAPI cuMemsetD##bits##_v2 (CUdeviceptr dst, type value,          \
      size_t n)                                                                \
  {                                                                            \
    SC_API (SC_NEED_CONTEXT,                                                   \
        push ((Fill) { dst, 0, n, 1, bits / 8, value }, NULL));                \
  }                                                                            \
                                                                               \
  CUresult CUDAAPI cuMemsetD##bits##Async (CUdeviceptr dst, type value,        \
      size_t n, CUstream stream)                                               \
  {                                                                            \
    SC_API (SC_NEED_CONTEXT,                                                   \
        push ((Fill) { dst, 0, n, 1, bits / 8, value }, stream));              \
  }                                                                            \
                                                                               \
  CUresult CUDAAPI cuMemsetD2D##bits##_v2 (CUdeviceptr dst, size_t pitch,      \
      type value, size_t width, size_t height)                                 \
  {                                                                            \
    SC_API (SC_NEED_CONTEXT,                                                   \
        push ((Fill) { dst, pitch, width, height, bits / 8, value }, NULL));   \
  }                                                                            \
                                                                               \
  CUresult CUDAAPI cuMemsetD2D##bits##Async (CUdeviceptr dst, size_t pitch,    \
      type value, size_t width, size_t height, CUstream stream)                \
  {                                                                            \
    SC_API (SC_NEED_CONTEXT,                                                   \
        push ((Fill) { dst, pitch, width, height, bits / 8, value }, stream)); \
  }

MEMSET (8, unsigned char)
MEMSET (16, unsigned short)
MEMSET (32, unsigned int)
