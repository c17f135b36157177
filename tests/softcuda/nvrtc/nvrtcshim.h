/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* CUDA C++ for g++, as far as kernels need it whose threads do not talk to one
 * another: a launch runs them one after the other. Textures are read as numbers
 * from 0 to 1. Included before the program. */

#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "compiled.h"
#include "texturedesc.h"

#define __CUDACC_RTC__ 1
#define __global__
#define __host__
#define __device__
#define __constant__
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __restrict__ __restrict

using std::max;
using std::min;

struct float2
{
  float x, y;
};

struct float3
{
  float x, y, z;
};

struct float4
{
  float x, y, z, w;
};

struct ushort3
{
  unsigned short x, y, z;
};

struct uint3
{
  unsigned x, y, z;
};

typedef unsigned long long cudaTextureObject_t;

static thread_local uint3 threadIdx, blockIdx, blockDim, gridDim;

static inline float2
make_float2 (float x, float y)
{
  return { x, y };
}

static inline float3
make_float3 (float x, float y, float z)
{
  return { x, y, z };
}

static inline float4
make_float4 (float x, float y, float z, float w)
{
  return { x, y, z, w };
}

static inline ushort3
make_ushort3 (unsigned short x, unsigned short y, unsigned short z)
{
  return { x, y, z };
}

static inline float
__int2float_rz (int value)
{
  return (float) value;
}

static inline int
__float2int_rz (float value)
{
  return (int) value;
}

namespace softcuda {

static inline float
number (const ScTexture &texture, const char *at)
{
  uint16_t both;
  float value;

  if (texture.bytes == 1)
    return texture.is_signed ? max (*(const int8_t *) at / 127.f, -1.f)
                             : *(const uint8_t *) at / 255.f;
  if (texture.bytes == 2) {
    memcpy (&both, at, sizeof both);
    return texture.is_signed ? max ((int16_t) both / 32767.f, -1.f)
                             : both / 65535.f;
  }
  memcpy (&value, at, sizeof value);
  return value;
}

static inline long
clamp_index (long i, size_t n)
{
  return max (0l, min (i, (long) n - 1));
}

/* One channel of the texel at (x, y), moved into the picture. */
static inline float
texel (const ScTexture &texture, long x, long y, unsigned channel)
{
  size_t column = (size_t) clamp_index (x, texture.width);
  size_t row = (size_t) clamp_index (y, texture.height);

  return number (texture,
      (const char *) texture.view + row * texture.pitch +
          (column * texture.channels + channel) * texture.bytes);
}

/* Weights have eight bits behind the point on the device. */
static inline float
weight (float at)
{
  return std::floor ((at - std::floor (at)) * 256 + 0.5f) / 256;
}

static inline float
between (const ScTexture &texture, float x, float y, unsigned channel)
{
  long left = (long) std::floor (x), top = (long) std::floor (y);
  float u = weight (x), v = weight (y);

  return (1 - v) *
      ((1 - u) * texel (texture, left, top, channel) +
          u * texel (texture, left + 1, top, channel)) +
      v *
      ((1 - u) * texel (texture, left, top + 1, channel) +
          u * texel (texture, left + 1, top + 1, channel));
}

static inline float
sample (const ScTexture &texture, float x, float y, unsigned channel)
{
  if (channel >= texture.channels)
    return 0;
  if (texture.normalized) {
    x *= texture.width;
    y *= texture.height;
  }
  return texture.linear
      ? between (texture, x - 0.5f, y - 0.5f, channel)
      : texel (texture, (long) std::floor (x), (long) std::floor (y), channel);
}

/* Where the parameters stand in the buffer. */
template <typename... Args> struct Layout
{
  static constexpr size_t n = sizeof...(Args);
  static constexpr std::array<size_t, n + 1> sizes = { sizeof (Args)..., 0 };

  static constexpr std::array<size_t, n + 1> place ()
  {
    constexpr std::array<size_t, n + 1> aligns = { alignof (Args)..., 1 };
    std::array<size_t, n + 1> offsets = {};
    size_t at = 0;

    for (size_t i = 0; i <= n; i++) {
      at = (at + aligns[i] - 1) / aligns[i] * aligns[i];
      offsets[i] = at;
      at += sizes[i];
    }
    return offsets;
  }

  static constexpr std::array<size_t, n + 1> offsets = place ();
};

template <auto kernel> struct Kernel;

template <typename... Args, void (*kernel) (Args...)> struct Kernel<kernel>
{
  typedef Layout<Args...> Params;

  template <size_t... i>
  static void call (const char *args, std::index_sequence<i...>)
  {
    kernel (*(const Args *) (args + Params::offsets[i])...);
  }

  static void run (const void *args, const unsigned grid[3],
      const unsigned block[3], const unsigned index[3], void *)
  {
    gridDim = { grid[0], grid[1], grid[2] };
    blockDim = { block[0], block[1], block[2] };
    blockIdx = { index[0], index[1], index[2] };
    for (threadIdx.z = 0; threadIdx.z < block[2]; threadIdx.z++)
      for (threadIdx.y = 0; threadIdx.y < block[1]; threadIdx.y++)
        for (threadIdx.x = 0; threadIdx.x < block[0]; threadIdx.x++)
          call ((const char *) args, std::index_sequence_for<Args...> ());
  }

  static constexpr ScCompiledKernel entry (const char *name)
  {
    return { name, Params::offsets[Params::n], (unsigned) Params::n,
      Params::offsets.data (), Params::sizes.data (), run };
  }
};

} // namespace softcuda

template <typename T>
static T tex2D (cudaTextureObject_t handle, float x, float y);

template <>
inline float
tex2D<float> (cudaTextureObject_t handle, float x, float y)
{
  return softcuda::sample (*(const ScTexture *) handle, x, y, 0);
}

template <>
inline float2
tex2D<float2> (cudaTextureObject_t handle, float x, float y)
{
  const ScTexture &texture = *(const ScTexture *) handle;

  return { softcuda::sample (texture, x, y, 0),
    softcuda::sample (texture, x, y, 1) };
}

template <>
inline float4
tex2D<float4> (cudaTextureObject_t handle, float x, float y)
{
  const ScTexture &texture = *(const ScTexture *) handle;

  return { softcuda::sample (texture, x, y, 0),
    softcuda::sample (texture, x, y, 1), softcuda::sample (texture, x, y, 2),
    softcuda::sample (texture, x, y, 3) };
}
