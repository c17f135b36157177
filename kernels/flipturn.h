/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/*
 * Rows that become columns, by way of a tile in shared memory.
 *
 * load(): a thread reads a cell, 12 or 16 bytes of each of two or four source
 * rows, which make up whole words of a destination row, and writes the words of
 * each source column into the tile, which thus holds destination rows.
 * store(): threads write the tile's rows out in aligned 16-byte chunks.
 *
 * Both ways are free of bank conflicts: rows of the tile are rotated against
 * each other, by 4 words a cell.
 *
 * Packed 4:2:2: the destination's macropixel is two source rows' luma of one
 * column and the mean, rounded down, of their chroma, that of the macropixel
 * which the column belongs to. Where an odd height leaves one row, that row's
 * chroma and luma stand alone, and the luma is repeated.
 */
#ifndef ZC_FLIP_TURN_H
#define ZC_FLIP_TURN_H

/* A byte of each of four words. Columns side by side share the first two of
 * their three PRMT. */
static __device__ __forceinline__ unsigned
column_of_bytes (unsigned a, unsigned b, unsigned c, unsigned d, int byte)
{
  unsigned both = byte < 2 ? 0x5140 : 0x7362;

  return __byte_perm (__byte_perm (a, b, both), __byte_perm (c, d, both),
      byte % 2 ? 0x7632 : 0x5410);
}

/* Four bytes out of two or three words of w, in the order of the words. All
 * indices are constants once the loops around are unrolled: one or two PRMT. */
static __device__ __forceinline__ unsigned
gather (const unsigned *w, int i, int j, int k, int l)
{
  int a = i / 4;
  int b = j / 4 != a ? j / 4 : k / 4 != a ? k / 4 : l / 4;

  if (l / 4 == a || l / 4 == b)
    return pick (w, i, j, k, l);
  if (k / 4 == a || k / 4 == b)
    return __byte_perm (pick (w, i, j, k, k), w[l / 4],
        0x0210 | (4 + l % 4) << 12);
  return __byte_perm (pick (w, i, j, j, j), w[l / 4],
      0x0010 | (4 + k % 4) << 8 | (4 + l % 4) << 12);
}

/* The mean of each byte, rounded down */
static __device__ __forceinline__ unsigned
mean_of_bytes (unsigned a, unsigned b)
{
  return (a & b) + ((a ^ b) >> 1 & 0x7f7f7f7fu);
}

template <int KIND, bool ALIGNED> struct Turn
{
  static constexpr int SIZE = KIND == ZC_FLIP_422 ? 2 : KIND;
  static constexpr int WIDTH = ZC_FLIP_TURN_WIDTH (KIND);
  static constexpr int HEIGHT = ZC_FLIP_TURN_HEIGHT (KIND);
  static constexpr int ROW_WORDS = WIDTH * SIZE / 4;
  static constexpr int ROW_CHUNKS = ROW_WORDS / 4;

  /* A cell: its source columns and rows, words of a row and of a column */
  static constexpr int WORDS = SIZE % 3 == 0 ? 3 : 4;
  static constexpr int COLUMNS = ZC_FLIP_TURN_COLUMNS (KIND);
  static constexpr int ROWS = KIND <= ZC_FLIP_4 ? 4 : 2;
  static constexpr int COLUMN_WORDS = ROWS * SIZE / 4;
  typedef Words<WORDS * ROWS> Cell;
  typedef Window<WORDS, ALIGNED> Row;
  static constexpr int CELLS_X = HEIGHT / COLUMNS;
  static constexpr int CELLS = CELLS_X * (WIDTH / ROWS);
  static constexpr int CELLS_THREAD = CELLS / ZC_FLIP_THREADS;
  static constexpr int CHUNKS_THREAD = HEIGHT * ROW_CHUNKS / ZC_FLIP_THREADS;

  static constexpr int PITCH = ROW_WORDS == 48 ? 64 : ROW_WORDS;

  static_assert (PITCH * HEIGHT <= 4096, "the tile's memory");
  static_assert (CELLS % ZC_FLIP_THREADS == 0 && CELLS_X % 8 == 0, "");

  int x0, y0; /* the tile's first destination element */

  __device__ __forceinline__ Turn (const ZcFlipPlane &p)
  {
    unsigned tile = blockIdx.x - p.first_block;

    x0 = (int) (tile % p.tiles_x) * WIDTH;
    y0 = (int) (tile / p.tiles_x) * HEIGHT - p.lead;
  }

  /* The destination row of a source column of the tile */
  __device__ __forceinline__ int row_of (const ZcFlipPlane &p, int column) const
  {
    return y0 + (p.b > 0 ? column : HEIGHT - 1 - column);
  }

  /* A warp's cells: 8 side by side in 4 rows. */
  static __device__ __forceinline__ int cell_x (int i)
  {
    unsigned n = threadIdx.x + i * ZC_FLIP_THREADS;

    return (int) (n / 32 % (CELLS_X / 8) * 8 + n % 8);
  }

  static __device__ __forceinline__ int cell_y (int i)
  {
    unsigned n = threadIdx.x + i * ZC_FLIP_THREADS;

    return (int) (n / 32 / (CELLS_X / 8) * 4 + n / 8 % 4);
  }

  /* Index into the tile of a word of the row that a source column makes. Rows
   * of 48 words get room for 64, so that a rotation wraps at a bank's end. */
  static __device__ __forceinline__ int place (int column, int word)
  {
    int rotation = column / COLUMNS % 8 * 4;

    if (ROW_WORDS < PITCH)
      rotation += column % 2 * 16;
    return column * PITCH + (word + rotation) % PITCH;
  }

  __device__ __forceinline__ bool cell_inside (const ZcFlipPlane &p, int cx,
      int cy) const
  {
    int first = p.b > 0 ? cx * COLUMNS : (cx + 1) * COLUMNS - 1;

    return x0 + cy * ROWS < p.width && row_of (p, first) < p.height;
  }

  /* A cell's row; the last one again where the picture ends in the cell. */
  __device__ __forceinline__ Source source (const ZcFlipPlane &p, int cx,
      int cy, int row) const
  {
    int sx = p.c + (p.b > 0 ? y0 : -(y0 + HEIGHT - 1)) + cx * COLUMNS;
    int x = x0 + cy * ROWS + row;
    int sy = p.d * (x < p.width ? x : p.width - 1) + p.f;

    return (Source) p.src + sy * p.src_stride + (int64_t) sx * SIZE;
  }

  static __device__ __forceinline__ unsigned word_of_column (const Cell &in,
      int column, int word)
  {
    int from[4];

#pragma unroll
    for (int k = 0; k < 4; k++) {
      int n = 4 * word + k;

      from[k] = n / SIZE * 4 * WORDS + column * SIZE + n % SIZE;
    }
    if (SIZE == 1)
      return column_of_bytes (in.w[from[0] / 4], in.w[from[1] / 4],
          in.w[from[2] / 4], in.w[from[3] / 4], column % 4);
    return gather (in.w, from[0], from[1], from[2], from[3]);
  }

  static __device__ __forceinline__ unsigned
  macropixel_of_column (const ZcFlipPlane &p, const Cell &in, int column)
  {
    unsigned a = in.w[column / 2];
    unsigned b = in.w[WORDS + column / 2];
    bool yuyv = p.kind == ZC_FLIP_YUYV;
    unsigned luma = column % 2 * 2 + !yuyv;
    unsigned y = __byte_perm (a, b, luma | (4 + luma) << 4);

    return __byte_perm (y, mean_of_bytes (a, b), yuyv ? 0x7150 : 0x1604);
  }

  /* Words of a column one by one: the rotation may wrap between them. */
  static __device__ __forceinline__ void put_column (unsigned *tile, int column,
      int word, const Words<COLUMN_WORDS> &v)
  {
    unsigned *first = &tile[place (column, word)];

    if constexpr (COLUMN_WORDS == 4) {
      *(uint4 *) first = make_uint4 (v.w[0], v.w[1], v.w[2], v.w[3]);
    } else if constexpr (COLUMN_WORDS == 2) {
      *(uint2 *) first = make_uint2 (v.w[0], v.w[1]);
    } else {
#pragma unroll
      for (int k = 0; k < COLUMN_WORDS; k++)
        tile[place (column, word + k)] = v.w[k];
    }
  }

  static __device__ __forceinline__ void put_cell (const ZcFlipPlane &p,
      unsigned *tile, const Cell &in, int cx, int cy)
  {
#pragma unroll
    for (int i = 0; i < COLUMNS; i++) {
      Words<COLUMN_WORDS> column;

#pragma unroll
      for (int k = 0; k < COLUMN_WORDS; k++)
        column.w[k] = KIND == ZC_FLIP_422 ? macropixel_of_column (p, in, i)
                                          : word_of_column (in, i, k);
      put_column (tile, cx * COLUMNS + i, cy * COLUMN_WORDS, column);
    }
  }

  static __device__ __forceinline__ Cell join (const Row *rows)
  {
    Cell cell;

#pragma unroll
    for (int r = 0; r < ROWS; r++) {
      Words<WORDS> row = rows[r].words ();

#pragma unroll
      for (int k = 0; k < WORDS; k++)
        cell.w[r * WORDS + k] = row.w[k];
    }
    return cell;
  }

  static __device__ __forceinline__ void load (const ZcFlipPlane &p,
      uint4 *tile)
  {
    Turn t (p);
    Row rows[CELLS_THREAD][ROWS];

#pragma unroll
    for (int i = 0; i < CELLS_THREAD; i++) {
      if (!t.cell_inside (p, cell_x (i), cell_y (i)))
        continue;
#pragma unroll
      for (int r = 0; r < ROWS; r++)
        rows[i][r].load (t.source (p, cell_x (i), cell_y (i), r),
            (Source) p.src_low, (Source) p.src_high);
    }
#pragma unroll
    for (int i = 0; i < CELLS_THREAD; i++) {
      if (t.cell_inside (p, cell_x (i), cell_y (i)))
        put_cell (p, (unsigned *) tile, join (rows[i]), cell_x (i), cell_y (i));
    }
  }

  /* Chunk k of a row as the destination's alignment cuts it */
  static __device__ __forceinline__ Words<4> cut (const uint4 *tile, int column,
      int k, int misaligned)
  {
    uint4 b = tile[place (column, k < ROW_CHUNKS ? 4 * k : 0) / 4];
    uint4 a = b;

    if (misaligned == 0)
      return Words<4>{ { b.x, b.y, b.z, b.w } };
    if (k > 0)
      a = tile[place (column, 4 * k - 4) / 4];
    return slide<4> (Words<8>{ { a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w } },
        16 - misaligned);
  }

  static __device__ __forceinline__ void store (const ZcFlipPlane &p,
      const uint4 *tile)
  {
    Turn t (p);
    int left = p.row_bytes - t.x0 * SIZE;
    int bytes = left < WIDTH * SIZE ? left : WIDTH * SIZE;

#pragma unroll
    for (int i = 0; i < CHUNKS_THREAD; i++) {
      unsigned n = threadIdx.x + i * ZC_FLIP_THREADS;
      int column = (int) (n / ROW_CHUNKS);
      int y = t.row_of (p, column);
      Target row = (Target) p.dst + y * p.dst_stride + t.x0 * SIZE;
      int misaligned = ALIGNED ? 0 : (int) ((uintptr_t) row & 15);

      if (y < 0 || y >= p.height)
        continue;
      /* one more than the tile has, where its rows are not aligned */
      for (int k = (int) (n % ROW_CHUNKS); 16 * k - misaligned < bytes;
          k += ROW_CHUNKS)
        store_block<true> (row + (16 * k - misaligned),
            cut (tile, column, k, misaligned), 16 * k - misaligned, bytes);
    }
  }
};

#endif
