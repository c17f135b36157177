/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Each case of the race search under a few seeds. order-search does more. */

#include <gst/cuda/gstcudamemory.h>

#include "order.h"

#define N_SEEDS 27
#define BUDGET (G_USEC_PER_SEC)

static void
test_case (gconstpointer data)
{
  /* cases.md 54: what is right with blocking streams alone is wrong. */
  static const OrderOptions options[] = { { .streams = ORDER_MIXED },
    { .streams = ORDER_BLOCKING }, { .streams = ORDER_NON_BLOCKING } };
  static const gchar *const names[] = { "mixed", "blocking", "non-blocking" };
  const OrderCase *one = data;
  gint64 end = g_get_monotonic_time () + BUDGET;

  for (guint64 seed = 1;
      seed <= N_SEEDS && (seed <= 9 || g_get_monotonic_time () < end); seed++) {
    /* Each with each policy and with each way to free: see run.c. */
    guint kind = (seed + seed / 3) % G_N_ELEMENTS (options);
    guint n_faults[ORDER_N_FAULTS];
    g_autofree gchar *first = NULL;

    if (order_run (one, seed, &options[kind], n_faults, &first))
      continue;
    g_test_fail_printf ("order-search --case %s --seed %" G_GUINT64_FORMAT
                        " --streams %s --runs 1: %s",
        one->name, seed, names[kind], first);
    return;
  }
}

static void
test_skipped (gconstpointer data)
{
  g_test_skip (data);
}

static void
add (const OrderCase *one, gpointer error)
{
  g_autofree gchar *path = g_strdup_printf ("/order/%s", one->name);

  if (error)
    g_test_add_data_func (path, ((GError *) error)->message, test_skipped);
  else
    g_test_add_data_func (path, one, test_case);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();
  order_init (&error);
  order_case_foreach (add, error);
  return g_test_run ();
}
