/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Rows copied past the caches: each byte, and no other, at any address. */

#include <gst/zc/gstzcstreamcopy.h>
#include <string.h>

#define SEED 20240229
#define SIZE 4096
#define CANARY 0xa5
#define N_TURNS 20000

static void
check (GRand *random, const guint8 *from, guint8 *to, guint8 *expected)
{
  gsize row_bytes = g_rand_int_range (random, 0, 600);
  gsize rows = g_rand_int_range (random, 0, 6);
  gsize gap = g_rand_boolean (random) ? 0 : g_rand_int_range (random, 0, 40);
  gsize to_stride = row_bytes + gap;
  gsize from_stride =
      row_bytes + (gap > 0 ? g_rand_int_range (random, 0, 9) : 0);
  gsize at = g_rand_int_range (random, 0, 100);
  gsize start = g_rand_int_range (random, 0, 100);

  memset (to, CANARY, SIZE);
  memset (expected, CANARY, SIZE);
  for (gsize y = 0; y < rows; y++)
    memcpy (expected + at + y * to_stride, from + start + y * from_stride,
        row_bytes);
  zc_stream_copy_rows (to + at, to_stride, from + start, from_stride, row_bytes,
      rows);
  g_assert_cmpmem (to, SIZE, expected, SIZE);
}

static void
test_random (void)
{
  GRand *random = g_rand_new_with_seed (SEED);
  guint8 from[SIZE], to[SIZE], expected[SIZE];

  g_test_message ("seed %u", SEED);
  for (gsize i = 0; i < SIZE; i++)
    from[i] = g_rand_int (random);
  for (guint i = 0; i < N_TURNS; i++)
    check (random, from, to, expected);
  g_rand_free (random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/stream-copy/random", test_random);
  return g_test_run ();
}
