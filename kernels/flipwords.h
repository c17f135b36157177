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

/* The 16 bytes at the aligned address at; those outside [low, high) are 0. */
static __device__ __forceinline__ uint4
load_block (Source at, Source low, Source high)
{
  uint4 v = make_uint4 (0, 0, 0, 0);

  if (at >= low && high - at >= 16)
    return *(const uint4 *) at;
#pragma unroll 1
  for (int i = 15; i >= 0; i--) {
    unsigned byte = at + i >= low && at + i < high ? at[i] : 0;

    v.w = __funnelshift_r (v.z, v.w, 24);
    v.z = __funnelshift_r (v.y, v.z, 24);
    v.y = __funnelshift_r (v.x, v.y, 24);
    v.x = v.x << 8 | byte;
  }
  return v;
}

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

/* N words at any address: load() asks for the blocks, words() uses them, so
 * that a thread can have all its loads under way before it needs the first. */
template <int N> struct Window
{
  static constexpr int BLOCKS = (4 * N + 15 + 15) / 16;
  Words<4 * BLOCKS> raw;
  unsigned byte;

  __device__ __forceinline__ void load (Source at, Source low, Source high)
  {
    byte = (unsigned) (uintptr_t) at & 15;
    at -= byte;
#pragma unroll
    for (int i = 0; i < BLOCKS; i++) {
      uint4 v = make_uint4 (0, 0, 0, 0);

      if (i == 0 || byte + 4 * N > 16u * i)
        v = load_block (at + 16 * i, low, high);
      raw.w[4 * i] = v.x;
      raw.w[4 * i + 1] = v.y;
      raw.w[4 * i + 2] = v.z;
      raw.w[4 * i + 3] = v.w;
    }
  }

  __device__ __forceinline__ Words<N> words () const
  {
    return slide<N> (raw, byte);
  }
};

static __device__ __forceinline__ void
store_bytes (Target at, unsigned word, Target low, Target high)
{
#pragma unroll
  for (int i = 0; i < 4; i++) {
    if (at + i >= low && at + i < high)
      at[i] = (unsigned char) (word >> 8 * i);
  }
}

/* Stores what of the aligned block lies within [low, high). */
static __device__ __forceinline__ void
store_block (Target at, const Words<4> &v, Target low, Target high)
{
  if (at >= low && high - at >= 16) {
    *(uint4 *) at = make_uint4 (v.w[0], v.w[1], v.w[2], v.w[3]);
    return;
  }
#pragma unroll
  for (int i = 0; i < 4; i++) {
    if (at + 4 * i >= low && high - at >= 4 * i + 4)
      *(unsigned *) (at + 4 * i) = v.w[i];
    else
      store_bytes (at + 4 * i, v.w[i], low, high);
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
