/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/*
 * Bytes at any address by way of aligned 16-byte blocks: a window of words is
 * cut out of the blocks that hold it, so that one odd byte costs a second load
 * from the cache and never a loop over bytes.
 */
#ifndef ZC_FLIP_WORDS_H
#define ZC_FLIP_WORDS_H

typedef const unsigned char *Source;
typedef unsigned char *Target;

template <int N> struct Words
{
  unsigned w[N];
};

/* Words that start at the given byte, 0 to 15, of in. */
template <int OUT, int IN>
static __device__ __forceinline__ Words<OUT>
slide (Words<IN> in, unsigned byte)
{
  Words<OUT> out;

#pragma unroll
  for (int i = 0; i < IN; i++)
    in.w[i] =
        byte & 8 ? (i + 2 < IN ? in.w[i + 2 < IN ? i + 2 : 0] : 0) : in.w[i];
#pragma unroll
  for (int i = 0; i < IN; i++)
    in.w[i] =
        byte & 4 ? (i + 1 < IN ? in.w[i + 1 < IN ? i + 1 : 0] : 0) : in.w[i];
#pragma unroll
  for (int i = 0; i < OUT; i++)
    out.w[i] = __funnelshift_r (in.w[i],
        i + 1 < IN ? in.w[i + 1 < IN ? i + 1 : 0] : 0, 8 * (byte & 3));
  return out;
}

/*
 * N words at any address. load() asks for the blocks and words() uses them, so
 * that a thread can have all its loads under way before it needs the first.
 * Nothing outside [low, high) is read; bytes from there are 0.
 */
template <int N> struct Window
{
  static constexpr int BLOCKS = (4 * N + 15 + 15) / 16;
  Words<4 * BLOCKS> raw;
  unsigned byte; /* where the window starts in raw */

  __device__ __forceinline__ void load_block (int i, Source at)
  {
    uint4 v = *(const uint4 *) (at + 16 * i);

    raw.w[4 * i] = v.x;
    raw.w[4 * i + 1] = v.y;
    raw.w[4 * i + 2] = v.z;
    raw.w[4 * i + 3] = v.w;
  }

  /* At the picture's edges: a byte at a time, the last one first */
  __device__ __forceinline__ void load_bytes (Source at, Source low,
      Source high)
  {
#pragma unroll 1
    for (int i = 4 * N - 1; i >= 0; i--) {
      unsigned v = at + i >= low && at + i < high ? at[i] : 0;

#pragma unroll
      for (int k = N - 1; k > 0; k--)
        raw.w[k] = __funnelshift_r (raw.w[k - 1], raw.w[k], 24);
      raw.w[0] = raw.w[0] << 8 | v;
    }
    byte = 0;
  }

  __device__ __forceinline__ void load (Source at, Source low, Source high)
  {
    Source block;

    byte = (unsigned) (uintptr_t) at & 15;
    block = at - byte;
#pragma unroll
    for (int i = 0; i < 4 * BLOCKS; i++)
      raw.w[i] = 0;
    if (block < low || block + (byte + 4 * N + 15) / 16 * 16 > high) {
      load_bytes (at, low, high);
      return;
    }
    load_block (0, block);
#pragma unroll
    for (int i = 1; i < BLOCKS; i++) {
      if (byte + 4 * N > 16u * i)
        load_block (i, block);
    }
  }

  __device__ __forceinline__ Words<N> words () const
  {
    return slide<N> (raw, byte);
  }
};

/* Stores what of an aligned block lies in a row of so many bytes; offset is
 * the block's from the row's start, and may be negative. */
static __device__ __forceinline__ void
store_block (Target at, Words<4> v, int offset, int bytes)
{
  if (offset >= 0 && offset + 16 <= bytes) {
    *(uint4 *) at = make_uint4 (v.w[0], v.w[1], v.w[2], v.w[3]);
    return;
  }
#pragma unroll 1
  for (int i = 0; i < 16; i += 4) {
    if (offset + i >= 0 && offset + i + 4 <= bytes) {
      *(unsigned *) (at + i) = v.w[0];
    } else {
#pragma unroll
      for (int k = 0; k < 4; k++) {
        if (offset + i + k >= 0 && offset + i + k < bytes)
          at[i + k] = (unsigned char) (v.w[0] >> 8 * k);
      }
    }
    v.w[0] = v.w[1];
    v.w[1] = v.w[2];
    v.w[2] = v.w[3];
  }
}

/* The word of bytes i, j, k, l of w, which lie in at most two words. All are
 * constants once the loop around is unrolled: one PRMT. */
static __device__ __forceinline__ unsigned
pick (const unsigned *w, int i, int j, int k, int l)
{
  int a = i / 4;
  int b = j / 4 != a ? j / 4 : k / 4 != a ? k / 4 : l / 4;
  unsigned si = i % 4;
  unsigned sj = j % 4 + (j / 4 != a ? 4 : 0);
  unsigned sk = k % 4 + (k / 4 != a ? 4 : 0);
  unsigned sl = l % 4 + (l / 4 != a ? 4 : 0);

  return __byte_perm (w[a], w[b], si | sj << 4 | sk << 8 | sl << 12);
}

#endif
