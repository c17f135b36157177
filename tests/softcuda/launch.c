/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <stdlib.h>
#include <string.h>

#include "arena.h"
#include "call.h"
#include "counters.h"
#include "blocks.h"
#include "module.h"
#include "report.h"
#include "stream.h"
#include "texture.h"
#include "watch.h"

#define MAX_RANGES 64
#define MAX_THREADS 1024
#define MAX_SHARED (232448)

typedef struct
{
  const ScTwin *twin;
  unsigned grid[3], block[3];
  size_t shared;
  _Alignas (16) char args[]; /* as the program gave them */
} Launch;

/* Device addresses stand in the parameter buffer at multiples of 8 bytes. */
#define FOR_EACH_WORD(at, size) for (size_t at = 0; at + 8 <= (size); at += 8)

static uint64_t
word_at (const char *args, size_t at)
{
  uint64_t word;

  memcpy (&word, args + at, sizeof word);
  return word;
}

static void
translate (char *to, const char *args, size_t size)
{
  memcpy (to, args, size);
  FOR_EACH_WORD (at, size)
  {
    uint64_t word = word_at (args, at);
    void *view = sc_arena_view (word);
    if (sc_arena_holds (word))
      memcpy (to + at, &view, sizeof view);
  }
}

static void
run_blocks (const Launch *launch, const void *args, void *shared)
{
  unsigned index[3];
  const unsigned *grid = launch->grid;

  for (index[2] = 0; index[2] < grid[2]; index[2]++)
    for (index[1] = 0; index[1] < grid[1]; index[1]++)
      for (index[0] = 0; index[0] < grid[0]; index[0]++)
        launch->twin->run (args, grid, launch->block, index, shared);
}

static void
run_launch (ScOp *op)
{
  const Launch *launch = (const Launch *) op->data;
  size_t size = launch->twin->args_size;
  char *args = malloc (size + 1);
  char *shared = malloc (launch->shared + 1);

  if (!args || !shared)
    abort ();
  translate (args, launch->args, size);
  sc_poison (shared, launch->shared);
  run_blocks (launch, args, shared);
  free (shared);
  free (args);
}

static bool
check_access (ScOp *op, const ScAccess *access)
{
  const ScBlock *block = sc_memory_find (access->start);

  if (access->rows == 0 || access->width == 0)
    return true;
  if (block &&
      sc_access_extent (access) <= block->start + block->size - access->start)
    return true;
  sc_report ("kernel %s %s %zu bytes at %#zx, which are not all in one "
             "allocation",
      ((Launch *) op->data)->twin->name, access->write ? "writes" : "reads",
      sc_access_extent (access), (size_t) access->start);
  sc_context_lose (op->ctx, CUDA_ERROR_ILLEGAL_ADDRESS);
  return false;
}

static bool
check_accesses (ScOp *op)
{
  for (unsigned i = 0; i < op->n_accesses; i++)
    if (!check_access (op, &op->accesses[i]))
      return false;
  return true;
}

static void
check_poison (ScOp *op)
{
  for (unsigned i = 0; i < op->n_accesses; i++) {
    const ScBlock *block = sc_memory_find (op->accesses[i].start);
    if (!block || block->kind != SC_MEMORY_DEVICE ||
        sc_arena_intact (block->start, block->size))
      continue;
    sc_report ("kernel %s wrote behind the %zu bytes at %#zx",
        ((Launch *) op->data)->twin->name, block->size, (size_t) block->start);
    sc_context_lose (op->ctx, CUDA_ERROR_ILLEGAL_ADDRESS);
  }
}

static void
guess_access (ScOp *op, uint64_t word)
{
  const ScBlock *block = sc_memory_find (word);
  const ScTexture *texture = sc_texture_find (word);

  if (block)
    sc_op_add_access (op,
        (ScAccess) { .start = word,
            .width = block->start + block->size - word,
            .rows = 1,
            .write = true });
  else if (texture)
    sc_op_add_access (op,
        (ScAccess) { .start = texture->start,
            .width = sc_texture_row (texture),
            .pitch = texture->pitch,
            .rows = texture->height });
}

/* Without a list of ranges, each device address in the parameters is taken for
 * the start of something written, a texture is read. */
static void
guess_accesses (ScOp *op, const Launch *launch)
{
  FOR_EACH_WORD (at, launch->twin->args_size)
  {
    guess_access (op, word_at (launch->args, at));
  }
}

static void
set_work (ScOp *op)
{
  uint64_t bytes = 0;

  for (unsigned i = 0; i < op->n_accesses; i++)
    bytes += op->accesses[i].width * op->accesses[i].rows;
  sc_vtime_set_work (op, SC_RATE_DEVICE, bytes);
}

static void
list_accesses (ScOp *op, const Launch *launch)
{
  SoftcudaRange ranges[MAX_RANGES];
  unsigned n;

  if (!launch->twin->ranges) {
    guess_accesses (op, launch);
    return;
  }
  n = launch->twin->ranges (launch->args, ranges, MAX_RANGES);
  for (unsigned i = 0; i < n; i++)
    sc_op_add_access (op,
        (ScAccess) { ranges[i].start, ranges[i].width, ranges[i].pitch,
            ranges[i].rows, ranges[i].write });
}

static CUresult
gather (char *args, const ScKernelInfo *kernel, void **params)
{
  if (!params)
    return kernel->n_params ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS;
  for (unsigned i = 0; i < kernel->n_params; i++)
    memcpy (args + kernel->params[i].offset, params[i], kernel->params[i].size);
  return CUDA_SUCCESS;
}

/* CU_LAUNCH_PARAM_BUFFER_POINTER and its size, in a list that ends with 0 */
static CUresult
gather_buffer (char *args, const ScKernelInfo *kernel, void **extra)
{
  const void *buffer = NULL;
  size_t size = 0;

  for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
    if (*extra == CU_LAUNCH_PARAM_BUFFER_POINTER)
      buffer = extra[1];
    else if (*extra == CU_LAUNCH_PARAM_BUFFER_SIZE)
      size = *(size_t *) extra[1];
    else
      return CUDA_ERROR_INVALID_VALUE;
  }
  if (!buffer || size < kernel->args_size)
    return CUDA_ERROR_INVALID_VALUE;
  memcpy (args, buffer, kernel->args_size);
  return CUDA_SUCCESS;
}

static CUresult
check_shape (const Launch *launch)
{
  uint64_t threads = 1;

  for (int i = 0; i < 3; i++) {
    if (launch->grid[i] == 0 || launch->block[i] == 0 ||
        (i > 0 && launch->grid[i] > 65535))
      return CUDA_ERROR_INVALID_VALUE;
    threads *= launch->block[i];
  }
  return threads <= MAX_THREADS && launch->shared <= MAX_SHARED
      ? CUDA_SUCCESS
      : CUDA_ERROR_INVALID_VALUE;
}

static CUresult
check_target (CUfunction function, CUstream handle, ScStream **stream)
{
  CUresult result = sc_stream_resolve (handle, stream);

  if (result == CUDA_SUCCESS)
    result = sc_function_check (function);
  if (result == CUDA_SUCCESS && function->module->ctx != (*stream)->ctx) {
    sc_report ("function and stream are of two contexts");
    result = CUDA_ERROR_INVALID_HANDLE;
  }
  return result;
}

static CUresult
push (CUfunction function, Launch shape, CUstream handle, void **params,
    void **extra)
{
  const ScKernelInfo *kernel;
  ScStream *stream;
  ScOp *op;
  Launch *launch;
  CUresult result = check_target (function, handle, &stream);

  if (result == CUDA_SUCCESS)
    result = check_shape (&shape);
  if (result != CUDA_SUCCESS)
    return result;
  kernel = function->kernel;
  op = sc_op_new (SC_OP_WORK, stream->ctx, sizeof *launch + kernel->args_size);
  if (!op)
    return CUDA_ERROR_OUT_OF_MEMORY;
  launch = (Launch *) op->data;
  *launch = shape;
  launch->twin = function->twin;
  result = extra ? gather_buffer (launch->args, kernel, extra)
                 : gather (launch->args, kernel, params);
  if (result == CUDA_SUCCESS) {
    op->trace.kernel = launch->twin->name;
    op->run = run_launch;
    op->check = check_accesses;
    op->after_run = check_poison;
    list_accesses (op, launch);
    set_work (op);
    sc_counters ()->launches++;
    sc_watch_note ("kernel", handle, 0);
    sc_stream_push (stream, op);
  }
  sc_op_unref (op);
  return result;
}

CUresult CUDAAPI
cuLaunchKernel (CUfunction function, unsigned int grid_x, unsigned int grid_y,
    unsigned int grid_z, unsigned int block_x, unsigned int block_y,
    unsigned int block_z, unsigned int shared, CUstream stream, void **params,
    void **extra)
{
  Launch shape = { .grid = { grid_x, grid_y, grid_z },
    .block = { block_x, block_y, block_z },
    .shared = shared };

  SC_API (SC_NEED_CONTEXT, push (function, shape, stream, params, extra));
}

#if CUDA_VERSION >= 11080
CUresult CUDAAPI
cuLaunchKernelEx (const CUlaunchConfig *config, CUfunction function,
    void **params, void **extra)
{
  Launch shape = { .grid = { config->gridDimX, config->gridDimY,
                       config->gridDimZ },
    .block = { config->blockDimX, config->blockDimY, config->blockDimZ },
    .shared = config->sharedMemBytes };

  SC_API (SC_NEED_CONTEXT,
      push (function, shape, config->hStream, params, extra));
}
#endif
