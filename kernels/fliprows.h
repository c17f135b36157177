/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/*
 * Rows that stay rows. A thread fills 16-byte aligned chunks of the destination,
 * one in each of ROWS rows. Where they come from and how the bytes inside are
 * put is a policy: Forward, Mirror, MirrorThirds or MirrorWide.
 */
#ifndef ZC_FLIP_ROWS_H
#define ZC_FLIP_ROWS_H

/* Bytes that move as one when a row is mirrored */
template <int KIND> constexpr int UNIT = KIND == ZC_FLIP_422 ? 4 : KIND;

/* The first chunk of a thread; the others lie step rows below each other. */
struct Place
{
  int column; /* of 16 bytes, from the aligned address below the row's start */
  int y;
  int step;
};

static __device__ __forceinline__ Place
place_of_thread (const ZcFlipPlane &p, int rows)
{
  unsigned tile = blockIdx.x - p.first_block;
  unsigned lane = threadIdx.x & ((1u << p.tile_shift) - 1);
  unsigned tile_y = tile / p.tiles_x;
  unsigned tile_x = tile - tile_y * p.tiles_x;
  Place place;

  place.step = ZC_FLIP_THREADS >> p.tile_shift;
  place.column = (int) ((tile_x << p.tile_shift) + lane);
  place.y = (int) (tile_y * rows * place.step + (threadIdx.x >> p.tile_shift));
  return place;
}

struct Forward
{
  typedef Window<4, false> From;
  static constexpr bool ONCE = true;

  static __device__ __forceinline__ int start (const ZcFlipPlane &p, int offset)
  {
    return p.c * (int) (p.kind < ZC_FLIP_422 ? p.kind : 2) + offset;
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
  return KIND == ZC_FLIP_422 ? (p.c / 2 + 1) * 4 : (p.c + 1) * KIND;
}

/* Y0 and Y1 change places, the chroma that they share stays between them. */
static __device__ __forceinline__ unsigned
swap_luma (const ZcFlipPlane &p, unsigned v)
{
  return __byte_perm (v, v, p.kind == ZC_FLIP_YUYV ? 0x3012 : 0x1230);
}

/* Units in reverse order; the first is the last of SPAN bytes. */
template <int KIND, int SPAN, int N>
static __device__ __forceinline__ Words<N>
reverse (const ZcFlipPlane &p, const Words<N> &in)
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
    if (KIND == ZC_FLIP_422)
      out.w[i] = swap_luma (p, out.w[i]);
  }
  return out;
}

/* Units of 1, 2, 4 or 8 bytes, aligned in the destination: 16 bytes of a row
 * are 16 bytes of the other. 4:2:2 of even width is such a unit of 4. */
template <int KIND> struct Mirror
{
  typedef Window<4, false> From;
  static constexpr bool ONCE = true;

  static __device__ __forceinline__ int start (const ZcFlipPlane &p, int offset)
  {
    return mirror_end<KIND> (p) - offset - 16;
  }

  static __device__ __forceinline__ Words<4> arrange (const ZcFlipPlane &p,
      int offset, const Words<4> &in)
  {
    return reverse<KIND, 16> (p, in);
  }
};

/*
 * Units of three components in rows of whole blocks, aligned on both sides.
 * Byte j of a mirrored row is the source's byte -j counted from the row's end,
 * moved by what keeps a unit's bytes in their order: by twice the byte's place
 * in its unit, less a unit. So a word of the destination lies in three words
 * of the source, and which bytes of them it is made of depends on the place in
 * the unit of its first byte, the phase.
 */
template <int KIND> struct MirrorThirds
{
  typedef Halo From;
  static constexpr bool ONCE = false;
  static constexpr int STEP = KIND / 3; /* a phase is a multiple of it */

  static __device__ __forceinline__ int start (const ZcFlipPlane &p, int offset)
  {
    return mirror_end<KIND> (p) - offset - 16;
  }

  /* Of the three words; byte n of the destination's word. */
  static __device__ __forceinline__ constexpr int byte_of (int phase, int n)
  {
    return 8 - KIND - n + 2 * ((phase + n) % KIND);
  }

  /* Selectors of two PRMT: bytes from the first two words, then from what that
   * gave and the third word. */
  static __device__ __forceinline__ constexpr unsigned early (int phase)
  {
    unsigned selector = 0;

    for (int n = 0; n < 4; n++)
      selector |= (byte_of (phase, n) < 8 ? byte_of (phase, n) : 0) << 4 * n;
    return selector;
  }

  static __device__ __forceinline__ constexpr unsigned late (int phase)
  {
    unsigned selector = 0;

    for (int n = 0; n < 4; n++)
      selector |= (byte_of (phase, n) < 8 ? n : byte_of (phase, n) - 4)
          << 4 * n;
    return selector;
  }

  static __device__ __forceinline__ unsigned select (unsigned a, unsigned b,
      unsigned c, int phase)
  {
    constexpr unsigned e0 = early (0), e1 = early (STEP), e2 = early (2 * STEP);
    constexpr unsigned l0 = late (0), l1 = late (STEP), l2 = late (2 * STEP);
    unsigned first = phase == 0 ? e0 : phase == STEP ? e1 : e2;
    unsigned second = phase == 0 ? l0 : phase == STEP ? l1 : l2;

    return __byte_perm (__byte_perm (a, b, first), c, second);
  }

  static __device__ __forceinline__ Words<4> arrange (const ZcFlipPlane &p,
      int offset, const Words<6> &in)
  {
    int phase = offset % KIND;
    Words<4> out;

#pragma unroll
    for (int i = 0; i < 4; i++) {
      out.w[i] = select (in.w[3 - i], in.w[4 - i], in.w[5 - i], phase);
      phase += 4 % KIND;
      phase -= phase >= KIND ? KIND : 0;
    }
    return out;
  }
};

/*
 * 4:2:2 of odd width. The row's first macropixel takes its chroma and Y0 from
 * the source's last, which has no Y1, and its Y1 from the one before; and so
 * on, a macropixel holding luma of two. The Y1 of the last macropixel, which
 * is no pixel, repeats its Y0.
 */
template <int N>
static __device__ __forceinline__ Words<N>
reverse_odd_422 (const ZcFlipPlane &p, const Words<N> &in, int macropixel)
{
  Words<N> out;

#pragma unroll
  for (int i = 0; i < N; i++) {
    unsigned own = in.w[N - 1 - i];
    unsigned next = i + 1 < N ? in.w[i + 1 < N ? N - 2 - i : 0] : 0;

    if (macropixel + i == p.width / 2)
      next = own << 16;
    out.w[i] =
        __byte_perm (own, next, p.kind == ZC_FLIP_YUYV ? 0x3610 : 0x7210);
  }
  return out;
}

/* Any unit at any alignment: whole units around the chunk are reversed, then
 * the chunk is cut out of them. */
template <int KIND> struct MirrorWide
{
  static constexpr int U = UNIT<KIND>;
  static constexpr int WORDS = KIND == 3 ? 5 : 6;
  typedef Window<WORDS, false> From;
  static constexpr bool ONCE = false;
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

    if (KIND == ZC_FLIP_422 && p.width % 2 != 0)
      units = reverse_odd_422 (p, in, (offset - before) / 4);
    else
      units = reverse<KIND, SPAN> (p, in);
    return slide<4> (units, before);
  }
};

template <typename Policy, int ROWS>
static __device__ __forceinline__ void
copy_rows (const ZcFlipPlane &p)
{
  Place place = place_of_thread (p, ROWS);
  typename Policy::From window[ROWS];
  Target at[ROWS];
  int offset[ROWS]; /* of the chunk from the row's start, bytes; -15 and up */
  bool inside[ROWS];

#pragma unroll
  for (int i = 0; i < ROWS; i++) {
    int y = place.y + i * place.step;
    Target low = (Target) p.dst + y * p.dst_stride;

    offset[i] = 16 * place.column - (int) ((uintptr_t) low & 15);
    at[i] = low + offset[i];
    inside[i] = y < p.height && offset[i] < p.row_bytes;
    if (inside[i])
      window[i].load ((Source) p.src + (p.e * y + p.f) * p.src_stride +
              Policy::start (p, offset[i]),
          (Source) p.src_low, (Source) p.src_high);
  }
#pragma unroll
  for (int i = 0; i < ROWS; i++) {
    if (inside[i])
      store_block<Policy::ONCE> (at[i],
          Policy::arrange (p, offset[i], window[i].words ()), offset[i],
          p.row_bytes);
  }
}

#endif
