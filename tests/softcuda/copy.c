/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "copy.h"

#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "config.h"
#include "context.h"
#include "counters.h"
#include "blocks.h"
#include "report.h"
#include "scheduler.h"
#include "watch.h"

/* Measured: 512 KB of pageable memory are staged at the call, with 32 MB the
 * call blocks. What happens between is anyone's guess, so the dice's. */
#define ALWAYS_STAGED ((size_t) 512 << 10)
#define NEVER_STAGED ((size_t) 32 << 20)

CUresult
sc_side_init (ScSide *side, ScAddress address, uintptr_t start)
{
  const ScBlock *block = sc_memory_find (start);

  side->start = start;
  if (block) {
    side->kind = sc_memory_is_device (block) ? SC_SIDE_DEVICE : SC_SIDE_PINNED;
    return CUDA_SUCCESS;
  }
  side->kind = SC_SIDE_PAGEABLE;
  if (sc_arena_holds (start)) {
    sc_report ("%#zx was freed or never allocated", (size_t) start);
    return CUDA_ERROR_INVALID_VALUE;
  }
  if (address == SC_ADDRESS_DEVICE) {
    sc_report ("%#zx is no device address", (size_t) start);
    return CUDA_ERROR_INVALID_VALUE;
  }
  return CUDA_SUCCESS;
}

static size_t
extent (const ScSide *side, const ScCopy *copy)
{
  return (copy->depth - 1) * side->slice + (copy->rows - 1) * side->pitch +
      copy->width;
}

static CUresult
check_side (const ScSide *side, const ScCopy *copy)
{
  const ScBlock *block = sc_memory_find (side->start);

  if (side->pitch < copy->width)
    return CUDA_ERROR_INVALID_VALUE;
  if (!block || extent (side, copy) <= block->start + block->size - side->start)
    return CUDA_SUCCESS;
  sc_report ("%zu bytes at offset %zu of an allocation of %zu",
      extent (side, copy), (size_t) (side->start - block->start), block->size);
  return CUDA_ERROR_INVALID_VALUE;
}

static void
copy_rows (char *dst, size_t dst_pitch, const char *src, size_t src_pitch,
    const ScCopy *copy)
{
  for (size_t y = 0; y < copy->rows; y++)
    memmove (dst + y * dst_pitch, src + y * src_pitch, copy->width);
}

static void
copy_slices (char *dst, const ScSide *to, const char *src, const ScSide *from,
    const ScCopy *copy)
{
  for (size_t z = 0; z < copy->depth; z++)
    copy_rows (dst + z * to->slice, to->pitch, src + z * from->slice,
        from->pitch, copy);
}

static ScSide
tight (const ScCopy *copy)
{
  return (ScSide) { .pitch = copy->width, .slice = copy->width * copy->rows };
}

static void
run_copy (ScOp *op)
{
  const ScCopy *copy = (const ScCopy *) op->data;
  ScSide staged = tight (copy);
  char *dst = sc_arena_view (copy->dst.start);

  if (copy->staged)
    copy_slices (dst, &copy->dst, copy->staged, &staged, copy);
  else
    copy_slices (dst, &copy->dst, sc_arena_view (copy->src.start), &copy->src,
        copy);
}

static bool
is_alive (const ScSide *side)
{
  return side->kind != SC_SIDE_DEVICE || sc_memory_find (side->start);
}

static bool
check_alive (ScOp *op)
{
  const ScCopy *copy = (const ScCopy *) op->data;

  if (is_alive (&copy->dst) && is_alive (&copy->src))
    return true;
  sc_report ("memory was freed while a copy of %s was queued", op->trace.call);
  sc_context_lose (op->ctx,
      copy->src.kind == SC_SIDE_DEVICE && copy->dst.kind == SC_SIDE_DEVICE
          ? CUDA_ERROR_ILLEGAL_ADDRESS
          : CUDA_ERROR_LAUNCH_FAILED);
  return false;
}

static void
clear_copy (ScOp *op)
{
  free (((ScCopy *) op->data)->staged);
}

static uint64_t
bytes_of (const ScCopy *copy)
{
  return copy->width * copy->rows * copy->depth;
}

/* Indexed by whether the source and the target are the device's. */
static const char *const deeds[2][2] = {
  { "host-copy", "upload" },
  { "download", "device-copy" },
};

static void
count (const ScCopy *copy, ScStream *stream)
{
  SoftcudaCounters *c = sc_counters ();
  uint64_t bytes = bytes_of (copy);
  bool from = copy->src.kind == SC_SIDE_DEVICE;
  bool to = copy->dst.kind == SC_SIDE_DEVICE;

  *(from       ? to ? &c->device_copies : &c->downloads
          : to ? &c->uploads
               : &c->host_copies) += 1;
  *(from       ? to ? &c->bytes_device_copied : &c->bytes_downloaded
          : to ? &c->bytes_uploaded
               : &c->bytes_host_copied) += bytes;
  c->pageable_copies +=
      copy->src.kind == SC_SIDE_PAGEABLE || copy->dst.kind == SC_SIDE_PAGEABLE;
  sc_watch_note (deeds[from][to], stream, bytes);
}

/* As measured: memory that is freed while a copy of another context is queued
 * is waited for, unless it is the target of a copy on the device. */
static ScAccess
access_of (const ScSide *side, const ScCopy *copy, bool write)
{
  bool flat = copy->depth == 1;

  return (ScAccess) { .start = side->start,
    .width = flat ? copy->width : extent (side, copy),
    .rows = flat ? copy->rows : 1,
    .pitch = side->pitch,
    .write = write,
    .held = !write || copy->src.kind != SC_SIDE_DEVICE };
}

static void
set_work (ScOp *op, const ScCopy *copy)
{
  bool pageable =
      copy->src.kind == SC_SIDE_PAGEABLE || copy->dst.kind == SC_SIDE_PAGEABLE;

  if (copy->dst.kind != SC_SIDE_DEVICE)
    sc_vtime_set_work (op,
        pageable ? SC_RATE_DOWNLOAD_PAGEABLE : SC_RATE_DOWNLOAD,
        bytes_of (copy));
  else if (copy->src.kind != SC_SIDE_DEVICE)
    sc_vtime_set_work (op,
        pageable && !copy->staged ? SC_RATE_UPLOAD_PAGEABLE : SC_RATE_UPLOAD,
        bytes_of (copy));
  else
    sc_vtime_set_work (op,
        copy->rows > 1 ? SC_RATE_DEVICE_ROWS : SC_RATE_DEVICE,
        2 * bytes_of (copy));
}

static bool
stage (ScCopy *copy)
{
  size_t size = bytes_of (copy);
  ScSide to = tight (copy);

  if (copy->src.kind != SC_SIDE_PAGEABLE || copy->dst.kind == SC_SIDE_PAGEABLE)
    return false;
  if (size >= NEVER_STAGED || (size > ALWAYS_STAGED && sc_chance (2)))
    return false;
  copy->staged = malloc (size);
  if (!copy->staged)
    return false;
  copy_slices (copy->staged, &to, (const char *) copy->src.start, &copy->src,
      copy);
  sc_vtime_stage (size);
  return true;
}

/* An asynchronous copy that blocks for its pageable source does not promise
 * that the bytes have arrived. */
static void
wait_for (ScOp *op, bool synchronous)
{
  const ScCopy *copy = (const ScCopy *) op->data;

  if (synchronous || copy->dst.kind == SC_SIDE_PAGEABLE)
    sc_sched_wait (op);
  else
    sc_sched_finish (op);
}

static CUresult
push (ScStream *stream, const ScCopy *copy, bool wait)
{
  ScOp *op = sc_op_new (SC_OP_WORK, stream->ctx, sizeof *copy);
  ScCopy *own;
  bool blocks;

  if (!op)
    return CUDA_ERROR_OUT_OF_MEMORY;
  own = (ScCopy *) op->data;
  *own = *copy;
  blocks = !stream->capture &&
      (wait ||
          (!stage (own) &&
              (own->src.kind == SC_SIDE_PAGEABLE ||
                  own->dst.kind == SC_SIDE_PAGEABLE)));
  op->check = check_alive;
  op->run = run_copy;
  op->clear = clear_copy;
  if (!own->staged)
    sc_op_add_access (op, access_of (&own->src, own, false));
  sc_op_add_access (op, access_of (&own->dst, own, true));
  set_work (op, own);
  sc_stream_push (stream, op);
  if (blocks) {
    sc_counters ()->host_waits++;
    sc_watch_note ("host-wait", stream, 0);
    wait_for (op, wait);
  }
  sc_op_unref (op);
  return CUDA_SUCCESS;
}

CUresult
sc_copy_push (ScStream *stream, const ScCopy *copy, bool wait)
{
  CUresult result;

  if (copy->width == 0 || copy->rows == 0 || copy->depth == 0)
    return CUDA_SUCCESS;
  result = check_side (&copy->dst, copy);
  if (result == CUDA_SUCCESS)
    result = check_side (&copy->src, copy);
  if (result != CUDA_SUCCESS)
    return result;
  count (copy, stream);
  return push (stream, copy, wait);
}
