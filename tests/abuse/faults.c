/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Each driver function that a pipeline calls fails, at the first, a middle, the
 * last and at each of its calls, with each error that it may return, while queued
 * work runs late, at random and at once.
 *
 *   faults                   a fixed tenth of all cases; with sanitizers, which
 *                            take longer, a hundredth
 *   faults -m thorough       all of them
 *   faults --case NAME       one, in this process: for the debugger
 *   faults -p /faults/NAME   one pipeline
 */

#include <gst/gst.h>
#include <stdlib.h>
#include <string.h>

#include "faultcase.h"
#include "faulterrors.h"
#include "faulttable.h"

#define SECONDS 60

static GHashTable *total; /* name -> Row: calls of all pipelines */
static guint n_cases;

/* Cases */

typedef struct
{
  const FaultPipe *pipe;
  GArray *cases; /* of FaultCase */
  FaultCount counts[2]; /* beside a neighbour, and alone */
} Search;

static gboolean
is_chosen (const FaultCase *fault)
{
  g_autofree gchar *name = fault_case_name (fault);

  return g_test_thorough () || g_str_hash (name) % FAULT_SHARE == 0;
}

/* A lost context stays lost: to lose it at each call is to lose it once. Without
 * any pop contexts are pushed until there is no room. */
static gboolean
makes_sense (const FaultCase *fault)
{
  return fault->nth > 0 ||
      !(fault->sticky || g_str_has_prefix (fault->function, "cuCtxPopCurrent"));
}

static void
add_errors (Search *self, FaultCase fault)
{
  FaultError errors[FAULT_MAX_ERRORS];
  guint n = fault_errors_of (fault.function, errors);

  for (guint i = 0; i < n; i++) {
    fault.code = errors[i].code;
    fault.sticky = errors[i].sticky;
    for (fault.policy = 0; fault.policy < FAULT_N_POLICIES; fault.policy++) {
      if (makes_sense (&fault) && is_chosen (&fault))
        g_array_append_val (self->cases, fault);
    }
  }
}

static void
add_function (Search *self, const gchar *function, guint calls, gboolean alone)
{
  guint nth[] = { 0, 1, (calls + 1) / 2, calls };
  FaultCase fault = {
    .pipe = self->pipe, .alone = alone, .usual = self->counts[alone].left
  };

  g_strlcpy (fault.function, function, FAULT_NAME);
  for (guint i = 0; i < G_N_ELEMENTS (nth); i++) {
    fault.nth = nth[i];
    if (i < 2 || nth[i] != nth[i - 1])
      add_errors (self, fault);
  }
}

static void
make_cases (Search *self, GHashTable *table)
{
  for (guint alone = 0; alone < 2; alone++) {
    const FaultCount *counts = &self->counts[alone];

    for (guint i = 0; i < counts->n; i++) {
      guint calls = counts->function[i].calls;
      FaultRow *row = fault_table_row (table, counts->function[i].name);

      row->calls = MAX (row->calls, calls);
      add_function (self, counts->function[i].name, calls, alone);
    }
  }
}

/* Verdicts */

static void
report_wrong (const FaultCase *fault, const ChildResult *result)
{
  static const gchar *const ends[] = { "", "crashed", "hangs" };
  g_autofree gchar *name = fault_case_name (fault);

  g_test_message ("WRONG %s: %s %s (status %x)", name, ends[result->end],
      result->text, result->status);
  g_test_message ("%s", result->output);
  g_test_fail ();
}

static FaultOutcome
outcome_of (const ChildResult *result)
{
  return result->end == CHILD_DONE ? (FaultOutcome) result->outcome
                                   : FAULT_WRONG;
}

static void
tell (const FaultCase *fault, const ChildResult *result)
{
  g_autofree gchar *name = fault_case_name (fault);

  g_test_message ("%s: %s: %s", name, fault_outcome_name (outcome_of (result)),
      result->text);
}

static void
count (GHashTable *table, const FaultCase *fault, const ChildResult *result)
{
  FaultOutcome outcome = outcome_of (result);

  fault_table_row (table, fault->function)->n[outcome]++;
  if (g_test_verbose ())
    tell (fault, result);
  if (outcome == FAULT_WRONG)
    report_wrong (fault, result);
}

/* Pipelines */

/* Threads make the number of some calls differ: the least is reached mostly. */
static gboolean
count_calls (Search *self)
{
  FaultCase faults[] = { { self->pipe }, { self->pipe, .alone = TRUE } };
  ChildResult *results = children_run (fault_case_run, faults,
      sizeof (FaultCase), 2, g_get_num_processors (), SECONDS);
  gboolean ok = TRUE;

  for (guint i = 0; i < 2; i++) {
    memcpy (&self->counts[i], results[i].words, sizeof (FaultCount));
    if (outcome_of (&results[i]) == FAULT_WRONG) {
      report_wrong (&faults[i], &results[i]);
      ok = FALSE;
    }
  }
  children_free (results, 2);
  return ok;
}

static void
run_cases (Search *self, GHashTable *table)
{
  const FaultCase *cases = (const FaultCase *) self->cases->data;
  guint n = self->cases->len;
  ChildResult *results = children_run (fault_case_run, cases,
      sizeof (FaultCase), n, g_get_num_processors (), SECONDS);

  for (guint i = 0; i < n; i++)
    count (table, &cases[i], &results[i]);
  children_free (results, n);
  n_cases += n;
}

static void
test_pipe (gconstpointer data)
{
  Search self = { .pipe = data,
    .cases = g_array_new (FALSE, FALSE, sizeof (FaultCase)) };
  g_autoptr (GHashTable) table = fault_table_new ();

  if (count_calls (&self)) {
    make_cases (&self, table);
    run_cases (&self, table);
    fault_table_print (table, self.pipe->name);
    fault_table_add (total, table);
  }
  g_array_unref (self.cases);
}

/* softcuda itself is not to be loaded here: children begin without it. */
static gboolean
is_softcuda (void)
{
  FaultCase fault = { &fault_pipes[0], .alone = TRUE };
  ChildResult *result =
      children_run (fault_case_run, &fault, sizeof (FaultCase), 1, 1, SECONDS);
  gboolean no = strstr (result->output, "there is no softcuda") != NULL;

  children_free (result, 1);
  return !no;
}

static void
test_skipped (void)
{
  g_test_skip ("needs the control panel of softcuda");
}

/* Each child would load them again. */
static void
load_elements (void)
{
  static const gchar *const names[] = { "zcupload", "zcdownload", "zcflip",
    "videotestsrc", "appsrc", "appsink", "queue", "tee", "capsfilter" };

  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    GstElement *element = gst_element_factory_make (names[i], NULL);

    if (element == NULL)
      g_error ("there is no element %s", names[i]);
    gst_object_unref (gst_object_ref_sink (element));
  }
}

static gint
run_one (const gchar *name)
{
  ChildResult result = { 0 };
  FaultCase fault;

  if (!fault_case_parse (&fault, name))
    g_error ("a case is PIPELINE,FUNCTION,NTH,CODE,POLICY[,sticky][,alone]");
  /* The primary one and nvcodec's stay. */
  fault.usual.contexts = G_MAXUINT;
  fault_case_run (&fault, &result);
  g_print ("%s: %s\n", fault_outcome_name (result.outcome), result.text);
  return result.outcome == FAULT_WRONG;
}

static void
add_tests (void)
{
  for (guint i = 0; i < fault_n_pipes; i++) {
    g_autofree gchar *path =
        g_strdup_printf ("/faults/%s", fault_pipes[i].name);

    g_test_add_data_func (path, &fault_pipes[i], test_pipe);
  }
}

int
main (int argc, char **argv)
{
  gint64 start = g_get_monotonic_time ();
  gint status;

  G_STATIC_ASSERT (sizeof (FaultCount) <= CHILD_BYTES);
  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  load_elements ();
  if (argc == 3 && g_str_equal (argv[1], "--case"))
    return run_one (argv[2]);

  total = fault_table_new ();
  if (is_softcuda ())
    add_tests ();
  else
    g_test_add_func ("/faults", test_skipped);
  status = g_test_run ();
  fault_table_print (total, "all pipelines");
  g_print ("# %u cases in %.0f s\n", n_cases,
      (g_get_monotonic_time () - start) / (gdouble) G_TIME_SPAN_SECOND);
  return status;
}
