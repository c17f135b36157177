/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Runs a fuzzer's seeds, and for some seconds what a simple change makes of them:
 * what any compiler can build. Arguments: a file of seeds, seconds. */

#include <stdlib.h>
#include <string.h>

#include "fuzz.h"

#define MAX_SIZE 512
#define RANDOM_SEED 20240229

static const gchar *seeds_file;
static gint seconds;

/* A seed a line, in hexadecimal; # is a comment. */
static GPtrArray *
read_seeds (void)
{
  g_autofree gchar *text = NULL;
  g_auto (GStrv) lines = NULL;
  GPtrArray *seeds =
      g_ptr_array_new_with_free_func ((GDestroyNotify) g_bytes_unref);
  g_autoptr (GError) error = NULL;

  g_file_get_contents (seeds_file, &text, NULL, &error);
  g_assert_no_error (error);
  lines = g_strsplit (text, "\n", -1);
  for (guint i = 0; lines[i] != NULL; i++) {
    gsize n = strspn (lines[i], "0123456789abcdef") / 2;
    guint8 *bytes = g_malloc (n + 1);

    for (gsize j = 0; j < n; j++)
      bytes[j] = g_ascii_xdigit_value (lines[i][2 * j]) * 16 +
          g_ascii_xdigit_value (lines[i][2 * j + 1]);
    if (n > 0)
      g_ptr_array_add (seeds, g_bytes_new (bytes, n));
    g_free (bytes);
  }
  return seeds;
}

static void
run (const guint8 *data, gsize size)
{
  /* Of its own size, so that a sanitizer sees the end. */
  g_autofree guint8 *copy = g_memdup2 (data, size);

  LLVMFuzzerTestOneInput (copy, size);
}

static void
test_seeds (void)
{
  g_autoptr (GPtrArray) seeds = read_seeds ();

  for (guint i = 0; i < seeds->len; i++) {
    gsize size;
    const guint8 *data = g_bytes_get_data (seeds->pdata[i], &size);

    run (data, size);
  }
  g_test_message ("%u seeds", seeds->len);
}

/* Some bytes other ones, or more, or fewer. */
static gsize
change (GRand *random, guint8 *bytes, gsize size)
{
  guint n = g_rand_int_range (random, 1, 6);

  for (guint i = 0; i < n && size > 0; i++)
    bytes[g_rand_int_range (random, 0, size)] = g_rand_int (random);
  if (g_rand_int_range (random, 0, 4) == 0)
    while (size < MAX_SIZE && g_rand_int_range (random, 0, 16) > 0)
      bytes[size++] = g_rand_int (random);
  else if (g_rand_int_range (random, 0, 4) == 0)
    size = g_rand_int_range (random, 0, size + 1);
  return size;
}

static void
test_changed (void)
{
  g_autoptr (GPtrArray) seeds = read_seeds ();
  gint64 end = g_get_monotonic_time () + seconds * G_TIME_SPAN_SECOND;
  GRand *random = g_rand_new_with_seed (RANDOM_SEED);
  guint8 bytes[MAX_SIZE];
  guint n = 0;

  for (; g_get_monotonic_time () < end; n++) {
    guint which = g_rand_int_range (random, 0, seeds->len);
    gsize size;
    const guint8 *data = g_bytes_get_data (seeds->pdata[which], &size);

    size = MIN (size, MAX_SIZE);
    memcpy (bytes, data, size);
    run (bytes, change (random, bytes, size));
  }
  g_test_message ("%u runs in %d s, seed %d", n, seconds, RANDOM_SEED);
  g_rand_free (random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  LLVMFuzzerInitialize (&argc, &argv);
  if (argc != 3)
    g_error ("arguments: a file of seeds, seconds");
  seeds_file = argv[1];
  seconds = atoi (argv[2]);

  g_test_add_func ("/fuzz/seeds", test_seeds);
  g_test_add_func ("/fuzz/changed", test_changed);
  return g_test_run ();
}
