/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What copies do: their bounds, pitches, and when host memory is read. */

#include "busy.h"

#include <string.h>

#define KB ((gsize) 1024)
#define MB (1024 * KB)

static CUDA_MEMCPY2D
upload (CUdeviceptr dst, gsize dst_pitch, gconstpointer src, gsize src_pitch,
    gsize width, gsize rows)
{
  return (CUDA_MEMCPY2D) { .srcMemoryType = CU_MEMORYTYPE_HOST,
    .srcHost = src,
    .srcPitch = src_pitch,
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstDevice = dst,
    .dstPitch = dst_pitch,
    .WidthInBytes = width,
    .Height = rows };
}

static CUresult
upload_rows (Scene *scene, CUdeviceptr dst, gsize pitch, gsize width,
    gsize rows)
{
  g_autofree guint8 *src = g_malloc0 (pitch * (rows + 1));
  CUDA_MEMCPY2D copy = upload (dst, pitch, src, pitch, width, rows);
  CUresult result = cu.cuMemcpy2DAsync (&copy, scene->stream);

  OK (cuStreamSynchronize (scene->stream));
  return result;
}

static void
test_bounds_linear (Scene *scene, gconstpointer data)
{
  guint8 src[1010] = { 0 };
  CUdeviceptr dst;

  NEEDS (scene);
  OK (cuMemAlloc (&dst, 1000));
  OK (cuMemcpyHtoDAsync (dst, src, 1000, scene->stream));
  EXPECT (CUDA_ERROR_INVALID_VALUE,
      cuMemcpyHtoDAsync (dst, src, 1001, scene->stream));
  EXPECT (CUDA_ERROR_INVALID_VALUE,
      cuMemcpyHtoDAsync (dst, src, 1010, scene->stream));
  EXPECT (CUDA_ERROR_INVALID_VALUE,
      cuMemcpyHtoDAsync (dst + 1, src, 1000, scene->stream));
  EXPECT (CUDA_ERROR_INVALID_VALUE,
      cuMemcpyDtoHAsync (src, dst, 1001, scene->stream));
  g_assert_cmpint (upload_rows (scene, dst, 100, 100, 10), ==, CUDA_SUCCESS);
  g_assert_cmpint (upload_rows (scene, dst, 100, 100, 11), ==,
      CUDA_ERROR_INVALID_VALUE);
  OK (cuMemFree (dst));
}

static void
test_bounds_pitched (Scene *scene, gconstpointer data)
{
  CUdeviceptr dst;
  gsize pitch;

  NEEDS (scene);
  OK (cuMemAllocPitch (&dst, &pitch, 322, 12, 16));
  g_assert_cmpuint (pitch, ==, 512);
  g_assert_cmpint (upload_rows (scene, dst, pitch, 322, 12), ==, CUDA_SUCCESS);
  g_assert_cmpint (upload_rows (scene, dst, pitch, 322, 13), ==,
      CUDA_ERROR_INVALID_VALUE);
  OK (cuMemFree (dst));
}

static void
test_pitch (Scene *scene, gconstpointer data)
{
  guint8 src[1024] = { 0 };
  CUDA_MEMCPY2D copy;
  CUdeviceptr dst;

  NEEDS (scene);
  OK (cuMemAlloc (&dst, 1024));
  copy = upload (dst, 63, src, 64, 64, 4);
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemcpy2DAsync (&copy, scene->stream));
  copy = upload (dst, 64, src, 63, 64, 4);
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemcpy2DAsync (&copy, scene->stream));
  copy = upload (dst, 64, src, 63, 64, 1);
  EXPECT (CUDA_ERROR_INVALID_VALUE, cuMemcpy2DAsync (&copy, scene->stream));
  copy = upload (dst, 0, src, 0, 64, 1);
  OK (cuMemcpy2DAsync (&copy, scene->stream));
  copy = upload (dst, 64, src, 64, 0, 4);
  OK (cuMemcpy2DAsync (&copy, scene->stream));
  copy = upload (dst, 64, src, 64, 64, 0);
  OK (cuMemcpy2DAsync (&copy, scene->stream));
  OK (cuMemFree (dst));
}

/* A pitch of 0 stands for rows without a gap, also where it counts in Y. */
static void
test_pitch_0 (Scene *scene, gconstpointer data)
{
  guint8 src[1024], seen[1024];
  CUDA_MEMCPY2D copy;
  CUdeviceptr dst;

  NEEDS (scene);
  for (guint i = 0; i < sizeof src; i++)
    src[i] = (guint8) (1 + i / 64);
  OK (cuMemAlloc (&dst, sizeof src));
  OK (cuMemsetD8 (dst, 0, sizeof src));
  OK (cuCtxSynchronize ());
  copy = upload (dst, 0, src, 128, 64, 4);
  copy.dstY = 3;
  OK (cuMemcpy2DAsync (&copy, scene->stream));
  OK (cuStreamSynchronize (scene->stream));
  OK (cuMemcpyDtoH (seen, dst, sizeof seen));
  g_assert_cmpuint (seen[2 * 64], ==, 0);
  for (guint y = 0; y < 4; y++)
    g_assert_cmpuint (seen[(3 + y) * 64], ==, 1 + 2 * y);
  g_assert_cmpuint (seen[7 * 64], ==, 0);
  OK (cuMemFree (dst));
}

/* What is in @dst after an upload of ones whose source turns to twos right
 * after the call. */
static guint8
byte_seen (Scene *scene, guint8 *src, gsize size)
{
  CUdeviceptr dst;
  guint8 seen;
  Busy busy;

  OK (cuMemAlloc (&dst, size));
  memset (src, 1, size);
  busy_hold (&busy, scene->stream);
  OK (cuMemcpyHtoDAsync (dst, src, size, scene->stream));
  memset (src, 2, size);
  busy_release (&busy);
  OK (cuStreamSynchronize (scene->stream));
  OK (cuMemcpyDtoH (&seen, dst + size - 1, 1));
  OK (cuMemFree (dst));
  return seen;
}

static void
test_pinned_source (Scene *scene, gconstpointer data)
{
  void *src;

  NEEDS (scene);
  OK (cuMemHostAlloc (&src, MB, 0));
  g_assert_cmpuint (byte_seen (scene, src, MB), ==, 2);
  OK (cuMemFreeHost (src));
}

static void
test_registered_source (Scene *scene, gconstpointer data)
{
  g_autofree guint8 *src = NULL;

  NEEDS (scene);
  src = g_malloc (MB);
  OK (cuMemHostRegister (src, MB, 0));
  g_assert_cmpuint (byte_seen (scene, src, MB), ==, 2);
  OK (cuMemHostUnregister (src));
}

static void
test_pageable_source (Scene *scene, gconstpointer data)
{
  g_autofree guint8 *src = g_malloc (512 * KB);

  NEEDS (scene);
  g_assert_cmpuint (byte_seen (scene, src, 32 * KB), ==, 1);
  g_assert_cmpuint (byte_seen (scene, src, 512 * KB), ==, 1);
}

static void
test_large_pageable_source (Scene *scene, gconstpointer data)
{
  g_autofree guint8 *src = g_malloc0 (32 * MB);
  CUdeviceptr dst;
  Busy busy;

  NEEDS (scene);
  OK (cuMemAlloc (&dst, 32 * MB));
  busy_start (&busy, scene->stream);
  OK (cuMemcpyHtoDAsync (dst, src, 32 * MB, scene->stream));
  g_assert_true (busy_done (&busy));
  busy_finish (&busy);
  OK (cuMemFree (dst));
}

static void
download (Scene *scene, gsize size)
{
  g_autofree guint8 *dst = g_malloc0 (size);
  CUdeviceptr src;
  Busy busy;

  OK (cuMemAlloc (&src, size));
  OK (cuMemsetD8 (src, 7, size));
  OK (cuCtxSynchronize ());
  busy_start (&busy, scene->stream);
  OK (cuMemcpyDtoHAsync (dst, src, size, scene->stream));
  g_assert_true (busy_done (&busy));
  g_assert_cmpuint (dst[0], ==, 7);
  g_assert_cmpuint (dst[size - 1], ==, 7);
  busy_finish (&busy);
  OK (cuMemFree (src));
}

static void
test_pageable_target (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  download (scene, 1);
  download (scene, 32 * KB);
  download (scene, 4 * MB);
}

static void
test_pinned_target (Scene *scene, gconstpointer data)
{
  CUdeviceptr src;
  void *dst;
  Busy busy;

  NEEDS (scene);
  OK (cuMemAlloc (&src, MB));
  OK (cuMemHostAlloc (&dst, MB, 0));
  OK (cuMemsetD8 (src, 7, MB));
  OK (cuCtxSynchronize ());
  busy_hold (&busy, scene->stream);
  OK (cuMemcpyDtoHAsync (dst, src, MB, scene->stream));
  memset (dst, 0, MB);
  busy_release (&busy);
  OK (cuStreamSynchronize (scene->stream));
  g_assert_cmpuint (((guint8 *) dst)[MB - 1], ==, 7);
  OK (cuMemFreeHost (dst));
  OK (cuMemFree (src));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_TEST ("/driver/copy/bounds-linear", test_bounds_linear);
  ADD_TEST ("/driver/copy/bounds-pitched", test_bounds_pitched);
  ADD_TEST ("/driver/copy/pitch", test_pitch);
  ADD_TEST ("/driver/copy/pitch-0", test_pitch_0);
  ADD_TEST ("/driver/copy/pinned-source", test_pinned_source);
  ADD_TEST ("/driver/copy/registered-source", test_registered_source);
  ADD_TEST ("/driver/copy/pageable-source", test_pageable_source);
  ADD_TEST ("/driver/copy/large-pageable-source", test_large_pageable_source);
  ADD_TEST ("/driver/copy/pageable-target", test_pageable_target);
  ADD_TEST ("/driver/copy/pinned-target", test_pinned_target);
  return g_test_run ();
}
