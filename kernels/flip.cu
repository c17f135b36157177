/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/*
 * The flip kernels. A block serves one tile of one plane. README.md in this
 * folder tells how the same source runs on a CPU.
 */
#include "fliplayout.h"

#ifdef __CUDACC__
#define ZC_PHASE
#define ZC_BARRIER() __syncthreads ()
#endif

#include "flipwords.h"
#include "fliprows.h"
#include "flipturn.h"

static __device__ __forceinline__ const ZcFlipPlane &
plane_of_block (const ZcFlipArgs &args)
{
  unsigned i = args.n_planes - 1;

  while (i > 0 && blockIdx.x < args.plane[i].first_block)
    i--;
  return args.plane[i];
}

extern "C" __global__ void
__launch_bounds__ (ZC_FLIP_THREADS)
    zc_flip_copy (const __grid_constant__ ZcFlipArgs args)
{
  const ZcFlipPlane &p = plane_of_block (args);

  ZC_PHASE
  {
    copy_rows<Forward, ZC_FLIP_COPY_ROWS> (p);
  }
}

extern "C" __global__ void
__launch_bounds__ (ZC_FLIP_THREADS)
    zc_flip_mirror (const __grid_constant__ ZcFlipArgs args)
{
  const ZcFlipPlane &p = plane_of_block (args);

  ZC_PHASE
  {
    switch (p.kind) {
      case ZC_FLIP_1:
        copy_rows<Mirror<ZC_FLIP_1>, ZC_FLIP_COPY_ROWS> (p);
        break;
      case ZC_FLIP_2:
        copy_rows<Mirror<ZC_FLIP_2>, ZC_FLIP_COPY_ROWS> (p);
        break;
      case ZC_FLIP_4:
        copy_rows<Mirror<ZC_FLIP_4>, ZC_FLIP_COPY_ROWS> (p);
        break;
      case ZC_FLIP_8:
        copy_rows<Mirror<ZC_FLIP_8>, ZC_FLIP_COPY_ROWS> (p);
        break;
      default:
        copy_rows<Mirror<ZC_FLIP_422>, ZC_FLIP_COPY_ROWS> (p);
        break;
    }
  }
}

/* Apart from the others, since it needs fewer registers: six blocks instead of
 * five are on a multiprocessor, which such elements want. */
extern "C" __global__ void
__launch_bounds__ (ZC_FLIP_THREADS)
    zc_flip_mirror_thirds (const __grid_constant__ ZcFlipArgs args)
{
  const ZcFlipPlane &p = plane_of_block (args);

  ZC_PHASE
  {
    if (p.kind == ZC_FLIP_3)
      copy_rows<MirrorThirds<ZC_FLIP_3>, ZC_FLIP_COPY_ROWS> (p);
    else
      copy_rows<MirrorThirds<ZC_FLIP_6>, ZC_FLIP_COPY_ROWS> (p);
  }
}

extern "C" __global__ void
__launch_bounds__ (ZC_FLIP_THREADS)
    zc_flip_mirror_wide (const __grid_constant__ ZcFlipArgs args)
{
  const ZcFlipPlane &p = plane_of_block (args);

  ZC_PHASE
  {
    switch (p.kind) {
      case ZC_FLIP_1:
        copy_rows<Mirror<ZC_FLIP_1>, ZC_FLIP_WIDE_ROWS> (p);
        break;
      case ZC_FLIP_2:
        copy_rows<MirrorWide<ZC_FLIP_2>, ZC_FLIP_WIDE_ROWS> (p);
        break;
      case ZC_FLIP_3:
        copy_rows<MirrorWide<ZC_FLIP_3>, ZC_FLIP_WIDE_ROWS> (p);
        break;
      case ZC_FLIP_4:
        copy_rows<MirrorWide<ZC_FLIP_4>, ZC_FLIP_WIDE_ROWS> (p);
        break;
      case ZC_FLIP_6:
        copy_rows<MirrorWide<ZC_FLIP_6>, ZC_FLIP_WIDE_ROWS> (p);
        break;
      case ZC_FLIP_8:
        copy_rows<MirrorWide<ZC_FLIP_8>, ZC_FLIP_WIDE_ROWS> (p);
        break;
      default:
        copy_rows<MirrorWide<ZC_FLIP_422>, ZC_FLIP_WIDE_ROWS> (p);
        break;
    }
  }
}

template <int KIND, bool ALIGNED>
static __device__ __forceinline__ void
turn_tile (const ZcFlipPlane &p, uint4 *tile)
{
  ZC_PHASE
  {
    Turn<KIND, ALIGNED>::load (p, tile);
  }
  ZC_BARRIER ();
  ZC_PHASE
  {
    Turn<KIND, ALIGNED>::store (p, tile);
  }
}

template <bool ALIGNED>
static __device__ __forceinline__ void
turn (const ZcFlipPlane &p, uint4 *tile)
{
  switch (p.kind) {
    case ZC_FLIP_1:
      turn_tile<ZC_FLIP_1, ALIGNED> (p, tile);
      break;
    case ZC_FLIP_2:
      turn_tile<ZC_FLIP_2, ALIGNED> (p, tile);
      break;
    case ZC_FLIP_3:
      turn_tile<ZC_FLIP_3, ALIGNED> (p, tile);
      break;
    case ZC_FLIP_4:
      turn_tile<ZC_FLIP_4, ALIGNED> (p, tile);
      break;
    case ZC_FLIP_6:
      turn_tile<ZC_FLIP_6, ALIGNED> (p, tile);
      break;
    case ZC_FLIP_8:
      turn_tile<ZC_FLIP_8, ALIGNED> (p, tile);
      break;
    default:
      turn_tile<ZC_FLIP_422, ALIGNED> (p, tile);
      break;
  }
}

/* What counts is how many loads are under way: as many blocks on a
 * multiprocessor as registers and, on Turing, its 1024 threads allow. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
#define ZC_FLIP_TURN_BLOCKS 4
#else
#define ZC_FLIP_TURN_BLOCKS 6
#endif

extern "C" __global__ void
__launch_bounds__ (ZC_FLIP_THREADS, ZC_FLIP_TURN_BLOCKS)
    zc_flip_turn (const __grid_constant__ ZcFlipArgs args)
{
  __shared__ uint4 tile[1024];

  turn<true> (plane_of_block (args), tile);
}

extern "C" __global__ void
__launch_bounds__ (ZC_FLIP_THREADS)
    zc_flip_turn_wide (const __grid_constant__ ZcFlipArgs args)
{
  __shared__ uint4 tile[1024];

  turn<false> (plane_of_block (args), tile);
}
