/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/*
 * The host's half of a launch: which kernel serves these planes, and how their
 * tiles share the linear grid. Fill src, dst, both strides, width, height, the
 * map and kind of each plane, set n_planes, then call zc_flip_layout().
 */
#ifndef ZC_FLIP_LAYOUT_H
#define ZC_FLIP_LAYOUT_H

#include "flipargs.h"

/* Kernels by name, in the order of ZcFlipKernel. */
#define ZC_FLIP_KERNELS(X)                                                     \
  X (COPY, zc_flip_copy) /* rows as they are */                                \
  X (MIRROR, zc_flip_mirror) /* rows reversed, elements aligned */             \
  X (MIRROR_THIRDS, zc_flip_mirror_thirds) /* the same, of three components */ \
  X (MIRROR_WIDE, zc_flip_mirror_wide) /* rows reversed, any element */        \
  X (TURN, zc_flip_turn) /* rows become columns, rows aligned */               \
  X (TURN_WIDE, zc_flip_turn_wide) /* rows become columns, any rows */

typedef enum
{
#define ZC_FLIP_ENUM(id, name) ZC_FLIP_KERNEL_##id,
  ZC_FLIP_KERNELS (ZC_FLIP_ENUM)
#undef ZC_FLIP_ENUM
      ZC_FLIP_N_KERNELS,
} ZcFlipKernel;

typedef struct
{
  ZcFlipKernel kernel;
  uint32_t blocks; /* gridDim.x; blockDim.x is ZC_FLIP_THREADS */
} ZcFlipLaunch;

/* Rows of a row tile that one thread serves */
#define ZC_FLIP_COPY_ROWS 2
#define ZC_FLIP_WIDE_ROWS 2

/* A tile of zc_flip_turn in destination elements: 12 or 16 KiB in all. */
#define ZC_FLIP_TURN_WIDTH(kind)                                               \
  ((kind) == ZC_FLIP_1                                 ? 128                   \
          : (kind) == ZC_FLIP_6 || (kind) == ZC_FLIP_8 ? 32                    \
                                                       : 64)
#define ZC_FLIP_TURN_HEIGHT(kind)                                              \
  ((kind) <= ZC_FLIP_2 || (kind) >= ZC_FLIP_422 ? 128 : 64)

/* Source columns that zc_flip_turn reads at once: 16 bytes, or 12 */
#define ZC_FLIP_TURN_COLUMNS(kind)                                             \
  ((kind) >= ZC_FLIP_422 ? 8 : (kind) % 3 == 0 ? 12 / (kind) : 16 / (kind))

static inline int
zc_flip_is_422 (uint32_t kind)
{
  return kind >= ZC_FLIP_422;
}

/* Bytes from an element to its neighbour. */
static inline int64_t
zc_flip_element_bytes (uint32_t kind)
{
  return zc_flip_is_422 (kind) ? 2 : (int64_t) kind;
}

/* Bytes of a row: an odd 4:2:2 row ends with a whole macropixel. */
static inline int64_t
zc_flip_row_bytes (uint32_t kind, int64_t width)
{
  return zc_flip_is_422 (kind) ? (width + 1) / 2 * 4 : width * (int64_t) kind;
}

static inline int
zc_flip_is_turn (const ZcFlipPlane *p)
{
  return p->a == 0;
}

/* The first source element of one axis, going n and m steps along the map. */
static inline int64_t
zc_flip_first (int p, int64_t n, int q, int64_t m, int64_t start)
{
  return start + (p < 0 ? -(n - 1) : 0) + (q < 0 ? -(m - 1) : 0);
}

/* Address range of the source's rows, the padding between them included. */
static inline void
zc_flip_set_bounds (ZcFlipPlane *p)
{
  int64_t w = zc_flip_is_turn (p) ? p->height : p->width;
  int64_t h = zc_flip_is_turn (p) ? p->width : p->height;
  int64_t x = zc_flip_first (p->a, p->width, p->b, p->height, p->c);
  int64_t y = zc_flip_first (p->d, p->width, p->e, p->height, p->f);
  uint64_t first = p->src + (uint64_t) (y * p->src_stride) +
      (uint64_t) (x * zc_flip_element_bytes (p->kind));
  uint64_t last = first + (uint64_t) ((h - 1) * p->src_stride);
  uint64_t row = (uint64_t) zc_flip_row_bytes (p->kind, w);

  p->src_low = p->src_stride < 0 ? last : first;
  p->src_high = (p->src_stride < 0 ? first : last) + row;
}

/* Whether all rows of both sides start at 16-byte boundaries */
static inline int
zc_flip_is_aligned (const ZcFlipPlane *p)
{
  return ((p->src | p->dst | (uint64_t) p->src_stride |
              (uint64_t) p->dst_stride) &
             15) == 0;
}

static inline int
zc_flip_is_thirds (const ZcFlipPlane *p)
{
  return p->kind == ZC_FLIP_3 || p->kind == ZC_FLIP_6;
}

static inline int
zc_flip_needs_wide (const ZcFlipPlane *p)
{
  uint64_t size = zc_flip_is_422 (p->kind) ? 4 : p->kind;

  if (zc_flip_is_turn (p))
    return !zc_flip_is_aligned (p);
  if (zc_flip_is_422 (p->kind) && p->width % 2 != 0)
    return 1;
  if (zc_flip_is_thirds (p))
    return !zc_flip_is_aligned (p) ||
        zc_flip_row_bytes (p->kind, p->width) % 16 != 0;
  return ((p->dst | (uint64_t) p->dst_stride) & (size - 1)) != 0;
}

static inline ZcFlipKernel
zc_flip_choose (const ZcFlipArgs *args)
{
  uint32_t thirds = 0, wide = 0, i;

  for (i = 0; i < args->n_planes; i++) {
    thirds += (uint32_t) zc_flip_is_thirds (&args->plane[i]);
    wide += (uint32_t) zc_flip_needs_wide (&args->plane[i]);
  }
  if (zc_flip_is_turn (&args->plane[0]))
    return wide > 0 ? ZC_FLIP_KERNEL_TURN_WIDE : ZC_FLIP_KERNEL_TURN;
  if (args->plane[0].a > 0)
    return ZC_FLIP_KERNEL_COPY;
  if (wide > 0 || (thirds > 0 && thirds < args->n_planes))
    return ZC_FLIP_KERNEL_MIRROR_WIDE;
  return thirds > 0 ? ZC_FLIP_KERNEL_MIRROR_THIRDS : ZC_FLIP_KERNEL_MIRROR;
}

static inline uint32_t
zc_flip_tiles (int64_t n, int64_t tile)
{
  return (uint32_t) ((n + tile - 1) / tile);
}

/* Tiles of 16-byte chunks: as wide as can be with an eighth of it idle. */
static inline uint32_t
zc_flip_layout_rows (ZcFlipPlane *p, int rows)
{
  int aligned = ((p->dst | (uint64_t) p->dst_stride) & 15) == 0;
  int64_t bytes = p->row_bytes + (aligned ? 0 : 15);
  int64_t chunks = (bytes + 15) / 16;
  int64_t limit = chunks + chunks / 8;
  uint32_t shift = 8;

  while (((int64_t) zc_flip_tiles (chunks, 1 << shift) << shift) > limit)
    shift--;
  p->lead = 0;
  p->tile_shift = shift;
  p->tiles_x = zc_flip_tiles (chunks, 1 << shift);
  return p->tiles_x *
      zc_flip_tiles (p->height, (int64_t) rows * ZC_FLIP_THREADS >> shift);
}

/* Where a source is read backwards, tiles start so many rows early that what
 * is read at once starts at a multiple of itself, and never before the row. */
static inline int32_t
zc_flip_turn_lead (const ZcFlipPlane *p)
{
  int32_t columns = ZC_FLIP_TURN_COLUMNS ((int32_t) p->kind);

  return p->b < 0 ? -(p->c + 1) & (columns - 1) : 0;
}

static inline uint32_t
zc_flip_layout_turn (ZcFlipPlane *p)
{
  p->lead = zc_flip_turn_lead (p);
  p->tile_shift = 0;
  p->tiles_x = zc_flip_tiles (p->width, ZC_FLIP_TURN_WIDTH (p->kind));
  return p->tiles_x *
      zc_flip_tiles ((int64_t) p->height + p->lead,
          ZC_FLIP_TURN_HEIGHT (p->kind));
}

static inline ZcFlipLaunch
zc_flip_layout (ZcFlipArgs *args)
{
  ZcFlipLaunch launch = { zc_flip_choose (args), 0 };
  int rows = launch.kernel == ZC_FLIP_KERNEL_MIRROR_WIDE ? ZC_FLIP_WIDE_ROWS
                                                         : ZC_FLIP_COPY_ROWS;
  uint32_t i;

  for (i = 0; i < args->n_planes; i++) {
    ZcFlipPlane *p = &args->plane[i];

    p->row_bytes = (int32_t) zc_flip_row_bytes (p->kind, p->width);
    zc_flip_set_bounds (p);
    p->first_block = launch.blocks;
    launch.blocks += zc_flip_is_turn (p) ? zc_flip_layout_turn (p)
                                         : zc_flip_layout_rows (p, rows);
  }
  args->reserved = 0;
  return launch;
}

#endif
