/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* For a long time, on softcuda and on a GPU: what the process and the device have
 * in use stays the same once all is warm, and nothing is left in the end.
 *
 *   soak                     some seconds of each
 *   soak -m thorough         a million frames, a thousand cycles
 *   soak --seconds 300       frames for that long
 *   soak --leak event        leaks one now and then: it has to fail
 *
 * On a driver other than softcuda, events and allocations are counted if the
 * libcuda.so.1 of tests/counter stands in front of it. */

#include <stdlib.h>
#include <string.h>

#include "flat.h"
#include "pixels.h"
#include "soakframes.h"
#include "soakpipe.h"
#include "softcuda-panel.h"

#define CYCLE_FRAMES 3
#define N_MANY 64
#define MANY_FRAMES 20

static SoakOptions options;
static gint n_cycles, n_steady;
static gchar *leak_name;

static GOptionEntry entries[] = {
  { "frames", 0, 0, G_OPTION_ARG_INT, &options.frames, "in all", "N" },
  { "seconds", 0, 0, G_OPTION_ARG_INT, &options.seconds, "of frames", "N" },
  /* --seed is taken by GLib */
  { "choices", 0, 0, G_OPTION_ARG_INT, &options.seed, "seed of them", "N" },
  { "steady", 0, 0, G_OPTION_ARG_INT, &n_steady, "frames of each chain", "N" },
  { "cycles", 0, 0, G_OPTION_ARG_INT, &n_cycles, "build, run, stop", "N" },
  { "leak", 0, 0, G_OPTION_ARG_STRING, &leak_name, "on purpose", "WHAT" },
  { NULL },
};

static void
test_frames (void)
{
  soak_frames (&options);
}

/* One pipeline that is left alone */

static void
test_steady (gconstpointer chain)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) options.seed);
  SoakPipe *pipe = soak_pipe_new (GPOINTER_TO_UINT (chain), random);
  Flat flat = { "steady" };

  soak_pipe_play (pipe);
  for (gint i = 1; i <= FLAT_LOOKS && !g_test_failed (); i++) {
    while (g_atomic_int_get (&pipe->frames) < n_steady / FLAT_LOOKS * i &&
        pipe->error == NULL)
      g_usleep (500);
    flat_look_playing (&flat, g_atomic_int_get (&pipe->frames));
  }
  flat_fail ("steady", soak_pipe_check (pipe));
  g_print ("# SOAK steady %d\n", g_atomic_int_get (&pipe->frames));
  soak_pipe_free (pipe);
  flat_check_nothing_left ("steady, end");
}

/* Pipelines that come and go */

static void
cycle (GRand *random, guint number)
{
  SoakPipe *pipe = soak_pipe_new (number, random);

  if (!soak_pipe_run (pipe, CYCLE_FRAMES))
    flat_fail ("cycles", g_strdup ("no end came"));
  flat_fail ("cycles", soak_pipe_check (pipe));
  soak_pipe_free (pipe);
}

static void
test_cycles (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) options.seed);
  Flat flat = { "cycles" };
  gint i;

  for (i = 0; i < n_cycles && !g_test_failed (); i++) {
    cycle (random, (guint) i);
    if ((i + 1) * FLAT_LOOKS / n_cycles > i * FLAT_LOOKS / n_cycles)
      flat_look (&flat, i + 1);
  }
  flat_check_nothing_left ("cycles, end");
  g_print ("# SOAK cycles %d\n", i);
}

/* Many of them in one process */

static void
play_many (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed ((guint32) options.seed);
  SoakPipe *pipes[N_MANY];
  Use now;

  for (guint i = 0; i < N_MANY; i++)
    pipes[i] = soak_pipe_new (i, random);
  for (guint i = 0; i < N_MANY; i++)
    soak_pipe_play (pipes[i]);
  for (guint i = 0; i < N_MANY; i++) {
    if (!soak_pipe_end (pipes[i], MANY_FRAMES))
      flat_fail ("many", g_strdup ("no end came"));
    flat_fail ("many", soak_pipe_check (pipes[i]));
  }
  use_get (&now);
  flat_tell ("many, at once", N_MANY, &now);
  for (guint i = 0; i < N_MANY; i++)
    soak_pipe_free (pipes[i]);
}

static void
test_many (void)
{
  Use base, now;

  play_many ();
  use_get_quiet (&base);
  play_many ();
  flat_fail ("many", use_settle (&now, &base, &flat_at_rest));
  flat_check_nothing_left ("many, end");
  g_print ("# SOAK pipelines %d\n", N_MANY);
}

/* That it can fail */

static void
test_notices (gconstpointer data)
{
  const Leak *row = data;
  g_autofree gchar *more = NULL;
  Use base, now;

  row->leak (); /* the context of it */
  use_get_quiet (&base);
  row->leak ();
  use_get_quiet (&now);
  more = use_compare (&now, &base, &flat_at_rest);
  g_test_message ("%s", more);
  g_assert_nonnull (more);
  g_assert_nonnull (strstr (more, use_kind_name (row->kind)));
}

static void
notice_in_child (gconstpointer data)
{
  const Leak *row = data;
  g_autofree gchar *path =
      g_strdup_printf ("/soak/notices/%s/subprocess/run", row->name);
  Use now;

  use_get (&now);
  if (now.n[row->kind] < 0) {
    g_test_skip ("nobody counts that here");
    return;
  }
  g_test_trap_subprocess (path, 60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

static void
add_notices (void)
{
  for (guint i = 0; i < n_leaks; i++) {
    g_autofree gchar *path =
        g_strconcat ("/soak/notices/", leaks[i].name, NULL);
    g_autofree gchar *child = g_strconcat (path, "/subprocess/run", NULL);

    g_test_add_data_func (path, &leaks[i], notice_in_child);
    g_test_add_data_func (child, &leaks[i], test_notices);
  }
}

static void
add_steady (void)
{
  for (guint i = 0; i < soak_pipe_n_chains (); i++) {
    g_autofree gchar *path = g_strdup_printf ("/soak/steady/%u", i);

    g_test_add_data_func (path, GUINT_TO_POINTER (i), test_steady);
  }
}

/* Races are looked for elsewhere, and that takes long. */
static void
make_fast (void)
{
  const SoftcudaPanel *panel = softcuda_panel ();

  if (panel == NULL)
    return;
  panel->set_races ("off");
  panel->set_policy ("eager");
}

static void
read_options (int *argc, char ***argv)
{
  g_autoptr (GOptionContext) parser = g_option_context_new (NULL);
  g_autoptr (GError) error = NULL;
  gboolean thorough = g_test_thorough ();

  options.frames = thorough ? 1000000 : 10000;
  n_cycles = thorough ? 1000 : 80;
  n_steady = thorough ? 100000 : 2000;
  g_option_context_add_main_entries (parser, entries, NULL);
  if (!g_option_context_parse (parser, argc, argv, &error))
    g_error ("%s", error->message);
  if (options.seed == 0)
    options.seed = (gint) (pixel_seed () & G_MAXINT);
  if (leak_name != NULL && leak_find (leak_name) == NULL)
    g_error ("there is no leak '%s'", leak_name);
}

/* have_device() keeps the context: here it is to come and go. */
static gboolean
is_device_there (void)
{
  g_autoptr (GObject) context = (GObject *) gst_zc_context_new (0, NULL);

  return context != NULL || g_getenv ("ZC_DRIVER") != NULL;
}

static void
test_nowhere (void)
{
  g_test_skip ("needs a CUDA device");
}

/* What is loaded at first use stays. */
static void
prepare (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (1);

  make_fast ();
  g_print ("# choices %d, counted by %s\n", options.seed, use_source ());
  if (g_test_subprocess ())
    return;
  for (guint i = 0; i < soak_pipe_n_chains (); i++)
    cycle (random, i);
  flat_init (leak_find (leak_name));
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  gst_init (NULL, NULL);
  read_options (&argc, &argv);
  if (!is_device_there ()) {
    g_test_add_func ("/soak", test_nowhere);
    return g_test_run ();
  }
  prepare ();
  g_test_add_func ("/soak/frames", test_frames);
  add_steady ();
  g_test_add_func ("/soak/cycles", test_cycles);
  g_test_add_func ("/soak/many", test_many);
  add_notices ();
  status = g_test_run ();
  gst_deinit (); /* GStreamer's tracer of leaks tells now */
  return status;
}
