/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* CUDA C++ for a host compiler, as far as kernels of phases need it: a kernel
 * is a sequence of ZC_PHASE blocks with ZC_BARRIER () between them, and only
 * shared memory lives from one phase to the next. The host then runs each phase
 * for all threads of a block in a loop. Include it before the .cu file. */

#pragma once

#include <cstdint>
#include <cstring>

#define __global__
#define __host__
#define __device__
#define __constant__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define __restrict__ __restrict
#define __shared__ static thread_local

#define ZC_PHASE                                                               \
  for (threadIdx.z = 0; threadIdx.z < blockDim.z; threadIdx.z++)               \
    for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)             \
      for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
#define ZC_BARRIER()

struct uint3
{
  unsigned x, y, z;
};

struct alignas (8) uint2
{
  unsigned x, y;
};

struct alignas (16) uint4
{
  unsigned x, y, z, w;
};

static thread_local uint3 threadIdx, blockIdx, blockDim, gridDim;

static inline uint2
make_uint2 (unsigned x, unsigned y)
{
  return { x, y };
}

static inline uint4
make_uint4 (unsigned x, unsigned y, unsigned z, unsigned w)
{
  return { x, y, z, w };
}

/* Loads and stores that need not stay in a cache */
template <typename T>
static inline T
__ldcs (const T *address)
{
  return *address;
}

template <typename T>
static inline void
__stcs (T *address, T value)
{
  *address = value;
}

/* PRMT: byte i of the answer is byte (selector >> 4 i & 7) of b:a. */
static inline unsigned
__byte_perm (unsigned a, unsigned b, unsigned selector)
{
  uint64_t both = (uint64_t) b << 32 | a;
  unsigned answer = 0;

  for (unsigned i = 0; i < 4; i++) {
    unsigned from = selector >> 4 * i & 7;
    answer |= (unsigned) (both >> 8 * from & 0xff) << 8 * i;
  }
  return answer;
}

static inline unsigned
__funnelshift_r (unsigned low, unsigned high, unsigned n)
{
  return (unsigned) (((uint64_t) high << 32 | low) >> (n & 31));
}

/* Runs one block of @kernel, whose one parameter is an Args. */
template <typename Args, void (*kernel) (const Args)>
static void
sc_run_block (const void *args, const unsigned grid[3], const unsigned block[3],
    const unsigned index[3], void *)
{
  gridDim = { grid[0], grid[1], grid[2] };
  blockDim = { block[0], block[1], block[2] };
  blockIdx = { index[0], index[1], index[2] };
  kernel (*static_cast<const Args *> (args));
}

/* Runs all blocks of a launch in x in this thread. */
template <typename Args>
static inline void
zc_shim_launch (void (*kernel) (const Args), const Args &args, unsigned blocks,
    unsigned threads)
{
  gridDim = { blocks, 1, 1 };
  blockDim = { threads, 1, 1 };
  for (blockIdx = { 0, 0, 0 }; blockIdx.x < blocks; blockIdx.x++)
    kernel (args);
}
