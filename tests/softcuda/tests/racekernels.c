/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Which bytes a kernel touches: its rows, not what lies between them. */

#include "racecases.h"

#include "flipfatbin.h"
#include "fliplayout.h"

#define PITCH 64
#define ROWS 16
#define HALF (PITCH / 2)

static const char *const names[] = {
#define NAME(id, name) #name,
  ZC_FLIP_KERNELS (NAME)
#undef NAME
};

/* Turns HALF x ROWS bytes around, a half turn or a quarter. */
static void
flip (CUmodule module, CUdeviceptr dst, CUdeviceptr src, gboolean quarter,
    CUstream stream)
{
  ZcFlipArgs args = { .n_planes = 1 };
  void *params[] = { &args };
  ZcFlipLaunch launch;
  CUfunction function;

  args.plane[0] = (ZcFlipPlane) { .src = src,
    .dst = dst,
    .src_stride = PITCH,
    .dst_stride = PITCH,
    .width = quarter ? ROWS : HALF,
    .height = quarter ? HALF : ROWS,
    .kind = ZC_FLIP_1 };
  if (quarter) {
    args.plane[0].b = args.plane[0].d = 1;
  } else {
    args.plane[0].a = args.plane[0].e = -1;
    args.plane[0].c = HALF - 1;
    args.plane[0].f = ROWS - 1;
  }
  launch = zc_flip_layout (&args);
  OK (cuModuleGetFunction (&function, module, names[launch.kernel]));
  OK (cuLaunchKernel (function, launch.blocks, 1, 1, ZC_FLIP_THREADS, 1, 1, 0,
      stream, params, NULL));
}

/* HALF columns from column @first on. */
static void
fill_columns (Race *race, gsize first, CUstream stream)
{
  CUDA_MEMCPY2D copy = { .srcMemoryType = CU_MEMORYTYPE_HOST,
    .srcHost = race->pinned,
    .srcPitch = HALF,
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstDevice = race->memory + first,
    .dstPitch = PITCH,
    .WidthInBytes = HALF,
    .Height = ROWS };

  OK (cuMemcpy2DAsync (&copy, stream));
}

static void
kernel_and_copy (Race *race, gboolean reads, gboolean quarter)
{
  CUmodule module;

  OK (cuModuleLoadData (&module, zc_flip_fatbin));
  if (reads)
    flip (module, race->result, race->memory, quarter, race->a);
  else
    flip (module, race->memory, race->result, FALSE, race->a);
  fill_columns (race, HALF - !race->barrier, race->b);
  OK (cuModuleUnload (module));
}

static void
kernel_reads (Race *race)
{
  kernel_and_copy (race, TRUE, FALSE);
}

static void
kernel_turns (Race *race)
{
  kernel_and_copy (race, TRUE, TRUE);
}

static void
kernel_writes (Race *race)
{
  kernel_and_copy (race, FALSE, FALSE);
}

const RaceCase race_kernel_cases[] = {
  { "kernel-reads", kernel_reads },
  { "kernel-turns", kernel_turns },
  { "kernel-writes", kernel_writes },
  { NULL },
};
