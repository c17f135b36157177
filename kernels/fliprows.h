/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/*
 * Rows that stay rows. A thread fills 16-byte aligned chunks of the destination,
 * one in each of ROWS rows. Where they come from and how the bytes inside are
 * put is a policy: Forward, Mirror or MirrorWide.
 */
#ifndef ZC_FLIP_ROWS_H
#define ZC_FLIP_ROWS_H

/* Bytes that move as one when a row is mirrored */
template <int KIND> constexpr int UNIT = KIND >= ZC_FLIP_YUYV ? 4 : KIND;

/* A chunk of the destination; low and high bound its row. */
struct Chunk
{
  Target at, low, high;
  Source row; /* the source's */
  int offset; /* of the chunk from the row's start, bytes; -15 and up */
  bool inside;
};

template <int ROWS>
static __device__ __forceinline__ Chunk
chunk_of_thread (const ZcFlipPlane &p, int i)
{
  unsigned tile = blockIdx.x - p.first_block;
  unsigned lane = threadIdx.x & ((1u << p.tile_shift) - 1);
  unsigned line = threadIdx.x >> p.tile_shift;
  unsigned column = (tile % p.tiles_x << p.tile_shift) + lane;
  int y =
      (int) ((tile / p.tiles_x * ROWS + i) * (ZC_FLIP_THREADS >> p.tile_shift) +
          line);
  Chunk c;

  c.low = (Target) p.dst + y * p.dst_stride;
  c.high = c.low + zc_flip_row_bytes (p.kind, p.width);
  c.offset = (int) (16 * column) - (int) ((uintptr_t) c.low & 15);
  c.at = c.low + c.offset;
  c.row = (Source) p.src + (p.e * y + p.f) * p.src_stride;
  c.inside = y < p.height && c.at < c.high;
  return c;
}

struct Forward
{
  static constexpr int WORDS = 4;

  static __device__ __forceinline__ int start (const ZcFlipPlane &p, int offset)
  {
    return p.c * (int) zc_flip_element_bytes (p.kind) + offset;
  }

  static __device__ __forceinline__ Words<4> arrange (const ZcFlipPlane &p,
      int offset, const Words<4> &in)
  {
    return in;
  }
};

/* Where the unit ends that becomes the first of the destination's row */
template <int KIND>
static __device__ __forceinline__ int
mirror_end (const ZcFlipPlane &p)
{
  return KIND >= ZC_FLIP_YUYV ? (p.c / 2 + 1) * 4 : (p.c + 1) * KIND;
}

/* Y0 and Y1 change places, the chroma that they share stays between them. */
template <int KIND>
static __device__ __forceinline__ unsigned
swap_luma (unsigned v)
{
  return __byte_perm (v, v, KIND == ZC_FLIP_YUYV ? 0x3012 : 0x1230);
}

/* Units in reverse order; the first is the last of SPAN bytes. */
template <int KIND, int SPAN, int N>
static __device__ __forceinline__ Words<N>
reverse (const Words<N> &in)
{
  constexpr int U = UNIT<KIND>;
  Words<N> out;

#pragma unroll
  for (int i = 0; i < N; i++) {
    int from[4];

#pragma unroll
    for (int k = 0; k < 4; k++) {
      int j = 4 * i + k;

      from[k] = j < SPAN ? SPAN - U * (j / U + 1) + j % U : 0;
    }
    out.w[i] = pick (in.w, from[0], from[1], from[2], from[3]);
    if (KIND >= ZC_FLIP_YUYV)
      out.w[i] = swap_luma<KIND> (out.w[i]);
  }
  return out;
}

/* Units of 1, 2, 4 or 8 bytes, aligned in the destination: 16 bytes of a row
 * are 16 bytes of the other. 4:2:2 of even width is such a unit of 4. */
template <int KIND> struct Mirror
{
  static constexpr int WORDS = 4;

  static __device__ __forceinline__ int start (const ZcFlipPlane &p, int offset)
  {
    return mirror_end<KIND> (p) - offset - 16;
  }

  static __device__ __forceinline__ Words<4> arrange (const ZcFlipPlane &p,
      int offset, const Words<4> &in)
  {
    return reverse<KIND, 16> (in);
  }
};

/*
 * 4:2:2 of odd width. The row's first macropixel takes its chroma and Y0 from
 * the source's last, which has no Y1, and its Y1 from the one before; and so
 * on, a macropixel holding luma of two. The Y1 of the last macropixel, which
 * is no pixel, repeats its Y0.
 */
template <int KIND, int N>
static __device__ __forceinline__ Words<N>
reverse_odd_422 (const Words<N> &in, int macropixel, int last)
{
  Words<N> out;

#pragma unroll
  for (int i = 0; i < N; i++) {
    unsigned own = in.w[N - 1 - i];
    unsigned next = i + 1 < N ? in.w[i + 1 < N ? N - 2 - i : 0] : 0;

    if (macropixel + i == last)
      next = own << 16;
    out.w[i] = __byte_perm (own, next, KIND == ZC_FLIP_YUYV ? 0x3610 : 0x7210);
  }
  return out;
}

/* Any unit at any alignment: whole units around the chunk are reversed, then
 * the chunk is cut out of them. */
template <int KIND> struct MirrorWide
{
  static constexpr int U = UNIT<KIND>;
  static constexpr int WORDS = KIND == 3 ? 5 : 6;
  static constexpr int SPAN = 4 * WORDS / U * U;

  /* Bytes of the chunk's first unit that lie before the chunk */
  static __device__ __forceinline__ int phase (int offset)
  {
    return (int) ((unsigned) (offset + 48) % U);
  }

  static __device__ __forceinline__ int start (const ZcFlipPlane &p, int offset)
  {
    return mirror_end<KIND> (p) - (offset - phase (offset)) - SPAN;
  }

  static __device__ __forceinline__ Words<4> arrange (const ZcFlipPlane &p,
      int offset, const Words<WORDS> &in)
  {
    int before = phase (offset);
    Words<WORDS> units;

    if (KIND >= ZC_FLIP_YUYV && p.width % 2 != 0)
      units = reverse_odd_422<KIND> (in, (offset - before) / 4, p.width / 2);
    else
      units = reverse<KIND, SPAN> (in);
    return slide<4> (units, before);
  }
};

template <typename Policy, int ROWS>
static __device__ __forceinline__ void
copy_rows (const ZcFlipPlane &p)
{
  Window<Policy::WORDS> window[ROWS];

#pragma unroll
  for (int i = 0; i < ROWS; i++) {
    Chunk c = chunk_of_thread<ROWS> (p, i);

    if (c.inside)
      window[i].load (c.row + Policy::start (p, c.offset), (Source) p.src_low,
          (Source) p.src_high);
  }
#pragma unroll
  for (int i = 0; i < ROWS; i++) {
    Chunk c = chunk_of_thread<ROWS> (p, i);

    if (c.inside)
      store_block (c.at, Policy::arrange (p, c.offset, window[i].words ()),
          c.low, c.high);
  }
}

#endif
