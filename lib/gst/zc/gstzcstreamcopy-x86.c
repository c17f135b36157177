/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcstreamcopy.h"

#include <immintrin.h>
#include <string.h>

#define LANE sizeof (__m256i)
#define BLOCK (4 * LANE)

typedef void (*CopyFunc) (guint8 *to, const guint8 *from, gsize size);

static void
copy_plain (guint8 *to, const guint8 *from, gsize size)
{
  memcpy (to, from, size);
}

/* The compiler may use AVX2 here alone: the library also runs where there is
 * none. */
__attribute__ ((target ("avx2"))) static void
copy_past_caches (guint8 *to, const guint8 *from, gsize size)
{
  gsize head = MIN (-(guintptr) to & (LANE - 1), size);

  memcpy (to, from, head);
  to += head;
  from += head;
  size -= head;
  for (; size >= BLOCK; size -= BLOCK, to += BLOCK, from += BLOCK) {
    for (gsize i = 0; i < BLOCK; i += LANE)
      _mm256_stream_si256 ((__m256i *) (to + i),
          _mm256_loadu_si256 ((const __m256i *) (from + i)));
  }
  memcpy (to, from, size);
}

void
zc_stream_copy_rows (guint8 *to, gsize to_stride, const guint8 *from,
    gsize from_stride, gsize row_bytes, gsize rows)
{
  CopyFunc copy =
      __builtin_cpu_supports ("avx2") ? copy_past_caches : copy_plain;

  if (to_stride == row_bytes && from_stride == row_bytes) {
    copy (to, from, rows * row_bytes);
  } else {
    for (gsize y = 0; y < rows; y++)
      copy (to + y * to_stride, from + y * from_stride, row_bytes);
  }
  /* Such stores keep no order with others: not even with those of a lock. */
  _mm_sfence ();
}
