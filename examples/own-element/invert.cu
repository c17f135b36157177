// SPDX-License-Identifier: LGPL-2.1-or-later
// SPDX-FileCopyrightText: The gst-zc authors
#include "invert.h"

/* A thread for each byte of a plane; some are beyond its edges. */
extern "C" __global__ void
invert (const InvertArgs args)
{
  uint32_t x = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t y = blockIdx.y * blockDim.y + threadIdx.y;

  if (x >= args.width || y >= args.height)
    return;
  const uint8_t *in = (const uint8_t *) (args.in + y * args.in_stride);
  uint8_t *out = (uint8_t *) (args.out + y * args.out_stride);
  out[x] = in[x] < args.threshold ? in[x] : 255 - in[x];
}
