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

/* ONCE: no other thread needs these bytes, so that no cache need keep them. */
template <bool ONCE>
static __device__ __forceinline__ Words<4>
read_block (Source at)
{
  uint4 v = ONCE ? __ldcs ((const uint4 *) at) : *(const uint4 *) at;

  return Words<4>{ { v.x, v.y, v.z, v.w } };
}

template <bool ONCE>
static __device__ __forceinline__ void
write_block (Target at, const Words<4> &words)
{
  uint4 v = make_uint4 (words.w[0], words.w[1], words.w[2], words.w[3]);

  if (ONCE)
    __stcs ((uint4 *) at, v);
  else
    *(uint4 *) at = v;
}

/* At the picture's edges: a byte at a time, the last one first. Bytes outside
 * [low, high) are not read; they are 0. */
template <int N>
static __device__ __forceinline__ Words<N>
read_bytes (Source at, Source low, Source high)
{
  Words<N> out = {};

#pragma unroll 1
  for (int i = 4 * N - 1; i >= 0; i--) {
    unsigned v = at + i >= low && at + i < high ? at[i] : 0;

#pragma unroll
    for (int k = N - 1; k > 0; k--)
      out.w[k] = __funnelshift_r (out.w[k - 1], out.w[k], 24);
    out.w[0] = out.w[0] << 8 | v;
  }
  return out;
}

/*
 * N words. load() asks for them and words() uses them, so that a thread can
 * have all its loads under way before it needs the first. Nothing outside
 * [low, high) is read.
 *
 * ALIGNED: at 16-byte aligned addresses for N = 4, at 4-byte aligned ones for
 * less, none below low. Else at any address, cut out of the blocks around.
 */
template <int N, bool ALIGNED> struct Window;

template <int N> struct Window<N, true>
{
  Words<N> raw;

  __device__ __forceinline__ void load (Source at, Source low, Source high)
  {
    if (at + 4 * N > high) {
      raw = read_bytes<N> (at, low, high);
    } else if constexpr (N == 4) {
      raw = read_block<true> (at);
    } else {
#pragma unroll
      for (int i = 0; i < N; i++)
        raw.w[i] = __ldcs ((const unsigned *) at + i);
    }
  }

  __device__ __forceinline__ Words<N> words () const
  {
    return raw;
  }
};

template <int N> struct Window<N, false>
{
  static constexpr int BLOCKS = (4 * N + 15 + 15) / 16;
  Words<4 * BLOCKS> raw;
  unsigned byte; /* where the window starts in raw */

  __device__ __forceinline__ void load_block (int i, Source at)
  {
    /* where windows are wider than a block, threads share all of them */
    Words<4> v = read_block<N <= 4> (at + 16 * i);

#pragma unroll
    for (int k = 0; k < 4; k++)
      raw.w[4 * i + k] = v.w[k];
  }

  __device__ __forceinline__ void load_bytes (Source at, Source low,
      Source high)
  {
    Words<N> v = read_bytes<N> (at, low, high);

#pragma unroll
    for (int k = 0; k < N; k++)
      raw.w[k] = v.w[k];
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

/* An aligned block between the words beside it, where there are such. They are
 * of other threads' blocks, and come out of the cache. */
struct Halo
{
  Words<6> raw;

  __device__ __forceinline__ void load (Source at, Source low, Source high)
  {
    Words<4> v = read_block<false> (at);

#pragma unroll
    for (int k = 0; k < 4; k++)
      raw.w[1 + k] = v.w[k];
    raw.w[0] = at - 4 >= low ? *(const unsigned *) (at - 4) : 0;
    raw.w[5] = at + 20 <= high ? *(const unsigned *) (at + 16) : 0;
  }

  __device__ __forceinline__ Words<6> words () const
  {
    return raw;
  }
};

/* Stores what of an aligned block lies in a row of so many bytes; offset is
 * the block's from the row's start, and may be negative. */
template <bool ONCE>
static __device__ __forceinline__ void
store_block (Target at, Words<4> v, int offset, int bytes)
{
  if (offset >= 0 && offset + 16 <= bytes) {
    write_block<ONCE> (at, v);
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
