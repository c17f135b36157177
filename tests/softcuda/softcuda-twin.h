/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Kernels of your own on softcuda, from the source that nvcc gets. A file of C++
 * like this one makes a shared library, which SOFTCUDA_TWINS names:
 *
 *   #include <softcuda-twin.h>
 *   #include "invert.cu"
 *
 *   static unsigned
 *   touched (const void *data, SoftcudaRange *ranges, unsigned room)
 *   {
 *     const InvertArgs *args = static_cast<const InvertArgs *> (data);
 *
 *     ranges[0] = softcuda_reads (args->in, args->in_stride, args->width,
 *         args->height);
 *     ranges[1] = softcuda_writes (args->out, args->out_stride, args->width,
 *         args->height);
 *     return 2;
 *   }
 *
 *   SOFTCUDA_TWINS (SOFTCUDA_TWIN (invert, InvertArgs, touched))
 *
 * A kernel has one parameter, a struct by value. Device addresses stand in it at
 * multiples of 8 bytes. */

#pragma once

#include "kernelshim.h"
#include "softcuda.h"

/* Runs each thread of a block alone, from its first line to its last: for kernels
 * whose threads do not talk to one another. */
template <typename Args, void (*kernel) (const Args)>
static void
softcuda_run_threads (const void *args, const unsigned grid[3],
    const unsigned block[3], const unsigned index[3], void *)
{
  gridDim = { grid[0], grid[1], grid[2] };
  blockDim = { block[0], block[1], block[2] };
  blockIdx = { index[0], index[1], index[2] };
  ZC_PHASE kernel (*static_cast<const Args *> (args));
}

/* @rows rows of @width bytes from the device address @data of the first one on,
 * @stride bytes apart, which may be negative. */
static inline SoftcudaRange
softcuda_rows (uint64_t data, int64_t stride, size_t width, size_t rows,
    int write)
{
  bool up = stride < 0 && rows > 0;

  return { up ? data + (uint64_t) (stride * (int64_t) (rows - 1)) : data, width,
    (size_t) (up ? -stride : stride), rows, write };
}

static inline SoftcudaRange
softcuda_reads (uint64_t data, int64_t stride, size_t width, size_t rows)
{
  return softcuda_rows (data, stride, width, rows, 0);
}

static inline SoftcudaRange
softcuda_writes (uint64_t data, int64_t stride, size_t width, size_t rows)
{
  return softcuda_rows (data, stride, width, rows, 1);
}

/* @kernel, which takes an @Args, and a SoftcudaRangesFunc or nullptr: then each
 * address in its parameters counts as the start of something written. */
#define SOFTCUDA_TWIN(kernel, Args, ranges)                                    \
  { #kernel, sizeof (Args), softcuda_run_threads<Args, kernel>, ranges }
/* The same for a kernel of phases, for which see kernelshim.h. */
#define SOFTCUDA_TWIN_OF_PHASES(kernel, Args, ranges)                          \
  { #kernel, sizeof (Args), sc_run_block<Args, kernel>, ranges }

/* All twins of the library. */
#define SOFTCUDA_TWINS(...)                                                    \
  extern "C" {                                                                 \
  SOFTCUDA_API extern const SoftcudaTwin softcuda_twins[];                     \
  const SoftcudaTwin softcuda_twins[] = { __VA_ARGS__,                         \
    { nullptr, 0, nullptr, nullptr } };                                        \
  }
