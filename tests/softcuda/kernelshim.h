/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/*
 * CUDA C++ for a host compiler, as much of it as kernels/flip.cu uses: a block
 * runs in one host thread, its phases one after the other, the threads of each
 * phase in a loop. See kernels/README.md.
 */
#ifndef ZC_KERNEL_SHIM_H
#define ZC_KERNEL_SHIM_H

#include <cstdint>

#define __global__
#define __device__
#define __forceinline__ inline
#define __grid_constant__
#define __launch_bounds__(...)
#define __shared__ static thread_local

#define ZC_PHASE for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
#define ZC_BARRIER()                                                           \
  do {                                                                         \
  } while (0)

struct ZcShimIndex
{
  unsigned x;
};

inline thread_local ZcShimIndex threadIdx, blockIdx, blockDim;

struct alignas (16) uint4
{
  unsigned x, y, z, w;
};

struct alignas (8) uint2
{
  unsigned x, y;
};

static inline uint2
make_uint2 (unsigned x, unsigned y)
{
  return uint2{ x, y };
}

static inline uint4
make_uint4 (unsigned x, unsigned y, unsigned z, unsigned w)
{
  return uint4{ x, y, z, w };
}

static inline unsigned
__byte_perm (unsigned low, unsigned high, unsigned selector)
{
  uint64_t bytes = (uint64_t) high << 32 | low;
  unsigned result = 0;

  for (int i = 0; i < 4; i++)
    result |= (unsigned) (bytes >> 8 * (selector >> 4 * i & 7) & 0xff) << 8 * i;
  return result;
}

static inline unsigned
__funnelshift_r (unsigned low, unsigned high, unsigned bits)
{
  return (unsigned) (((uint64_t) high << 32 | low) >> (bits & 31));
}

/* Runs all blocks of a launch in this thread. */
template <typename Args>
static inline void
zc_shim_launch (void (*kernel) (const Args), const Args &args, unsigned blocks,
    unsigned threads)
{
  blockDim.x = threads;
  for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++)
    kernel (args);
}

#endif
