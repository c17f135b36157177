/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Runs cases under many seeds: see order-search --help. */

#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/gstzcbarrier.h>
#include <stdlib.h>

#include "order.h"

#define SKIPPED 77

static gchar *case_name;
static gint64 first_seed = 1;
static gint n_runs; /* 0: as many as make sense */
static gint seconds;
static gint frames;
static gint delay = -1;
static gchar *streams;
static gchar *policy;
static gboolean gpu, list, barriers, keep_going, trace, no_reports;

static const GOptionEntry entries[] = { { "case", 'c', 0, G_OPTION_ARG_STRING,
                                            &case_name, "One case, not all",
                                            "NAME" },
  { "seed", 's', 0, G_OPTION_ARG_INT64, &first_seed, "The first seed", "N" },
  { "runs", 'r', 0, G_OPTION_ARG_INT, &n_runs, "Seeds to run each case with",
      "K" },
  { "seconds", 't', 0, G_OPTION_ARG_INT, &seconds,
      "Stop a case after that time", "S" },
  { "frames", 'f', 0, G_OPTION_ARG_INT, &frames,
      "Frames of a pipeline, steps of a program", "N" },
  { "policy", 'p', 0, G_OPTION_ARG_STRING, &policy,
      "softcuda's order: lazy, random, priorities; else by seed", "NAME" },
  { "streams", 0, 0, G_OPTION_ARG_STRING, &streams,
      "blocking, non-blocking or mixed ones", "KIND" },
  { "gpu", 0, 0, G_OPTION_ARG_NONE, &gpu,
      "For a real GPU: one seed a case, work held up by 2 ms", NULL },
  { "delay", 0, 0, G_OPTION_ARG_INT, &delay,
      "Hold up work by that, in front of each access", "MS" },
  { "keep-going", 'k', 0, G_OPTION_ARG_NONE, &keep_going,
      "Go on after a failure", NULL },
  { "no-reports", 0, 0, G_OPTION_ARG_NONE, &no_reports,
      "Ignore what softcuda reports: pictures and lifetimes alone", NULL },
  { "trace", 0, 0, G_OPTION_ARG_NONE, &trace, "Print what is done", NULL },
  { "list", 'l', 0, G_OPTION_ARG_NONE, &list, "Name the cases", NULL },
  { "barriers", 0, 0, G_OPTION_ARG_NONE, &barriers,
      "Name what GST_ZC_MUTATE can leave out", NULL },
  { NULL } };

typedef struct
{
  OrderOptions options;
  guint64 runs, failures;
} Search;

static void
print_failure (const OrderCase *one, const Search *search, guint64 seed,
    const guint *n_faults, const gchar *first)
{
  g_autoptr (GString) kinds = g_string_new (NULL);

  for (guint i = 0; i < ORDER_N_FAULTS; i++) {
    if (n_faults[i] > 0)
      g_string_append_printf (kinds, " %s:%u", order_fault_name (i),
          n_faults[i]);
  }
  g_print ("FAILED %s --seed %" G_GUINT64_FORMAT " (%s):%s: %s\n", one->name,
      seed, order_policy (&search->options, seed), kinds->str, first);
}

static void
search_case (const OrderCase *one, gpointer data)
{
  gint64 start = g_get_monotonic_time ();
  gint64 end = seconds > 0 ? start + seconds * G_USEC_PER_SEC : G_MAXINT64;
  guint64 runs = 0, failures = 0;
  Search *search = data;

  while (runs < (guint64) n_runs && g_get_monotonic_time () < end &&
      (failures == 0 || keep_going)) {
    guint64 seed = first_seed + runs++;
    guint n_faults[ORDER_N_FAULTS];
    g_autofree gchar *first = NULL;

    if (!order_run (one, seed, &search->options, n_faults, &first)) {
      failures++;
      print_failure (one, search, seed, n_faults, first);
    }
  }
  g_print ("%-34s %6" G_GUINT64_FORMAT " runs %4" G_GUINT64_FORMAT
           " failures %7.1f s\n",
      one->name, runs, failures,
      (g_get_monotonic_time () - start) / (gdouble) G_USEC_PER_SEC);
  search->runs += runs;
  search->failures += failures;
}

static void
print_name (const OrderCase *one, gpointer data)
{
  g_print ("%s\n", one->name);
}

#define NAME(name, text, kind, what) "" text "\t" kind "\t" what "\n"
static const gchar barrier_text[] = ZC_BARRIERS (NAME);
#undef NAME

static OrderStreams
parse_streams (void)
{
  if (!streams || g_str_equal (streams, "mixed"))
    return ORDER_MIXED;
  if (g_str_equal (streams, "blocking"))
    return ORDER_BLOCKING;
  if (g_str_equal (streams, "non-blocking"))
    return ORDER_NON_BLOCKING;
  g_printerr ("--streams is blocking, non-blocking or mixed, not %s\n",
      streams);
  exit (2);
}

static int
search (void)
{
  Search self = { .options = { .delay_ms = delay >= 0 ? delay
                          : gpu                       ? 2
                                                      : 0,
                      .frames = frames,
                      .streams = parse_streams (),
                      .policy = policy,
                      .no_reports = no_reports,
                      .trace = trace } };
  const OrderCase *one = case_name ? order_case_find (case_name) : NULL;

  if (case_name && !one) {
    g_printerr ("there is no case '%s'; --list names them\n", case_name);
    return 2;
  }
  if (n_runs == 0)
    n_runs = gpu ? 1 : 100;
  if (one)
    search_case (one, &self);
  else
    order_case_foreach (search_case, &self);
  g_print ("%" G_GUINT64_FORMAT " runs, %" G_GUINT64_FORMAT " failures\n",
      self.runs, self.failures);
  return self.failures > 0;
}

int
main (int argc, char **argv)
{
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;

  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, &error)) {
    g_printerr ("%s\n", error->message);
    return 2;
  }
  if (barriers) {
    g_print ("%s", barrier_text);
    return 0;
  }
  if (list) {
    order_case_foreach (print_name, NULL);
    return 0;
  }
  gst_init (NULL, NULL);
  gst_cuda_memory_init_once ();
  if (!order_init (&error)) {
    g_printerr ("%s\n", error->message);
    return SKIPPED;
  }
  return search ();
}
