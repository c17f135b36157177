/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/*
 * The argument of every flip kernel, for the host's C and for CUDA C++ alike.
 *
 * One launch serves up to four planes. Each plane is a grid of elements, and a
 * flip is data: for the element (x, y) of the destination,
 *
 *     sx = a * x + b * y + c        sy = d * x + e * y + f
 *
 * names the element of the source. a, b, d and e are -1, 0 or 1.
 */
#ifndef ZC_FLIP_ARGS_H
#define ZC_FLIP_ARGS_H

#include <assert.h>
#include <stdint.h>

#define ZC_FLIP_MAX_PLANES 4
#define ZC_FLIP_THREADS 256 /* threads of a block, in x only */

/* What an element is. The values up to 8 are its bytes. */
enum
{
  ZC_FLIP_1 = 1,
  ZC_FLIP_2 = 2,
  ZC_FLIP_3 = 3,
  ZC_FLIP_4 = 4,
  ZC_FLIP_6 = 6,
  ZC_FLIP_8 = 8,
  ZC_FLIP_422 = 16, /* below: both of the packed 4:2:2 kinds */
  ZC_FLIP_YUYV =
      ZC_FLIP_422, /* packed 4:2:2; element = pixel, bytes Y0 U Y1 V */
  ZC_FLIP_UYVY = 17, /* the same with U Y0 V Y1; Y'V'U' orders work too */
};

typedef struct
{
  uint64_t src; /* device address of source element (0, 0) */
  uint64_t dst; /* device address of destination element (0, 0) */
  int64_t src_stride; /* bytes from a row to the next; any sign, any value */
  int64_t dst_stride; /* bytes */
  uint64_t src_low; /* nothing below this address is read ... */
  uint64_t src_high; /* ... nor at this one and above */
  int32_t width; /* of the destination, elements (4:2:2: pixels) */
  int32_t row_bytes; /* of the destination, without padding */
  int32_t height; /* of the destination, rows */
  int32_t a, b, c; /* sx, elements */
  int32_t d, e, f; /* sy, rows */
  uint32_t kind; /* ZC_FLIP_1 ... */
  uint32_t first_block; /* blockIdx.x of the plane's first tile */
  uint32_t tiles_x; /* tiles side by side in the destination */
  int32_t lead; /* turns: rows that the first tile starts early */
  uint32_t tile_shift; /* row kernels: log2 of the 16-byte chunks in a tile */
} ZcFlipPlane;

typedef struct
{
  ZcFlipPlane plane[ZC_FLIP_MAX_PLANES];
  uint32_t n_planes;
  uint32_t reserved; /* 0 */
} ZcFlipArgs;

static_assert (sizeof (ZcFlipPlane) == 104, "host and device must agree");
static_assert (sizeof (ZcFlipArgs) == 424, "host and device must agree");

#endif
