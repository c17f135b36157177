/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The project's own kernels, compiled for the host. */

#include "kernelshim.h"

#include "flip.cu"

#include "twin.h"

static uint64_t
row_bytes (const ZcFlipPlane &plane)
{
  return zc_flip_row_bytes (plane.kind, plane.width);
}

/* The source's rows; src_low is the first byte of the lowest one. */
static SoftcudaRange
read (const ZcFlipPlane &plane)
{
  bool turn = zc_flip_is_turn (&plane);
  int64_t stride = plane.src_stride;

  return { plane.src_low,
    (size_t) zc_flip_row_bytes (plane.kind, turn ? plane.height : plane.width),
    (size_t) (stride < 0 ? -stride : stride),
    (size_t) (turn ? plane.width : plane.height), 0 };
}

/* Rows of a negative stride are listed from the lowest address on. */
static SoftcudaRange
written (const ZcFlipPlane &plane)
{
  int64_t stride = plane.dst_stride;
  uint64_t up = stride < 0 ? (uint64_t) (-stride * (plane.height - 1)) : 0;

  return { plane.dst - up, row_bytes (plane),
    (size_t) (stride < 0 ? -stride : stride), (size_t) plane.height, 1 };
}

static unsigned
flip_ranges (const void *data, SoftcudaRange *ranges, unsigned room)
{
  const ZcFlipArgs &args = *static_cast<const ZcFlipArgs *> (data);
  unsigned n = 0;

  for (unsigned i = 0; i < args.n_planes && n + 2 <= room; i++) {
    const ZcFlipPlane &plane = args.plane[i];
    ranges[n++] = read (plane);
    ranges[n++] = written (plane);
  }
  return n;
}

#define TWIN(id, name)                                                         \
  { #name, sizeof (ZcFlipArgs), sc_run_block<ZcFlipArgs, name>, flip_ranges },

const ScTwin sc_builtin_twins[] = { ZC_FLIP_KERNELS (TWIN){
    nullptr, 0, nullptr, nullptr } };
