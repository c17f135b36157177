/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The crew: each piece of work is done once, by several threads, and told of on
 * the caller's alone. */

#include <gst/zc/gstzccrew.h>

#define N_CALLERS 5
#define N_ROUNDS 300

typedef struct
{
  GThread *caller;
  gint worked[ZC_CREW_MAX_PIECES]; /* atomic */
  guint told[ZC_CREW_MAX_PIECES];
  guint n_told;
  gint n_others; /* atomic: pieces done by the crew */
  gint may_go_on; /* atomic */
  guint us; /* that a piece takes */
} Work;

static void
work (guint piece, gpointer data)
{
  Work *self = data;

  if (g_thread_self () != self->caller)
    g_atomic_int_inc (&self->n_others);
  if (self->us > 0)
    g_usleep (self->us);
  g_atomic_int_inc (&self->worked[piece]);
}

static void
told (guint piece, gpointer data)
{
  Work *self = data;

  g_assert_true (g_thread_self () == self->caller);
  g_assert_cmpint (g_atomic_int_get (&self->worked[piece]), ==, 1);
  self->told[piece]++;
  self->n_told++;
}

static void
run (Work *self, guint n_pieces)
{
  self->caller = g_thread_self ();
  zc_crew_run (n_pieces, work, told, self);
  g_assert_cmpuint (self->n_told, ==, n_pieces);
  for (guint i = 0; i < ZC_CREW_MAX_PIECES; i++) {
    g_assert_cmpint (self->worked[i], ==, i < n_pieces);
    g_assert_cmpuint (self->told[i], ==, i < n_pieces);
  }
}

static void
test_pieces (void)
{
  static const guint counts[] = { 0, 1, 2, 3, 4, 5, 17, ZC_CREW_MAX_PIECES };

  zc_crew_hold ();
  for (guint i = 0; i < G_N_ELEMENTS (counts); i++) {
    Work some = { 0 };

    run (&some, counts[i]);
  }
  zc_crew_drop ();
}

/* Four threads that sleep are done four times as early. */
static void
test_at_once (void)
{
  Work some = { .us = 20000 };
  gint64 start;

  zc_crew_hold ();
  start = g_get_monotonic_time ();
  run (&some, 12);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 12 * 20000);
  g_assert_cmpint (some.n_others, >, 0);
  zc_crew_drop ();
}

static void
wait_for_others (guint piece, gpointer data)
{
  Work *self = data;

  if (piece > 0) {
    while (!g_atomic_int_get (&self->may_go_on))
      g_usleep (100);
  }
  work (piece, data);
}

static void
let_go_on (guint piece, gpointer data)
{
  Work *self = data;

  told (piece, data);
  g_atomic_int_set (&self->may_go_on, TRUE);
}

/* What is done is told while others still work: else this would hang. */
static void
test_told_soon (void)
{
  Work some = { .caller = g_thread_self () };

  zc_crew_hold ();
  zc_crew_run (3, wait_for_others, let_go_on, &some);
  g_assert_cmpuint (some.n_told, ==, 3);
  zc_crew_drop ();
}

static gpointer
call (gpointer data)
{
  for (guint i = 0; i < N_ROUNDS; i++) {
    Work some = { 0 };

    zc_crew_hold ();
    run (&some, 1 + i % ZC_CREW_MAX_PIECES);
    zc_crew_drop ();
  }
  return NULL;
}

/* Many callers, and a crew that comes and goes. */
static void
test_many (void)
{
  GThread *threads[N_CALLERS];

  for (guint i = 0; i < N_CALLERS; i++)
    threads[i] = g_thread_new ("caller", call, NULL);
  for (guint i = 0; i < N_CALLERS; i++)
    g_thread_join (threads[i]);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/crew/pieces", test_pieces);
  g_test_add_func ("/crew/at-once", test_at_once);
  g_test_add_func ("/crew/told-soon", test_told_soon);
  g_test_add_func ("/crew/many", test_many);
  return g_test_run ();
}
