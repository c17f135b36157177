/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "flat.h"
#include "soakframes.h"
#include "soakpipe.h"

#define N_PIPES 3 /* at a time */
#define NEW_EVERY 50
#define PAUSE_US 8000

typedef struct
{
  GRand *random;
  SoakPipe *pipe[N_PIPES];
  gint64 frames; /* of pipes that are gone */
  GHashTable *done; /* name -> times */
} Soak;

static void
drop (Soak *self, guint i)
{
  SoakPipe *pipe = self->pipe[i];

  if (pipe == NULL)
    return;
  flat_fail ("frames", soak_pipe_check (pipe));
  gst_element_set_state (pipe->pipeline, GST_STATE_NULL);
  self->frames += g_atomic_int_get (&pipe->frames);
  soak_pipe_free (pipe);
  self->pipe[i] = NULL;
}

static gint64
count (Soak *self)
{
  gint64 n = self->frames;

  for (guint i = 0; i < N_PIPES; i++)
    n += self->pipe[i] != NULL ? g_atomic_int_get (&self->pipe[i]->frames) : 0;
  return n;
}

static void
note (Soak *self, const gchar *what)
{
  gpointer n = g_hash_table_lookup (self->done, what);

  g_hash_table_insert (self->done, (gpointer) what,
      GINT_TO_POINTER (GPOINTER_TO_INT (n) + 1));
}

static void
disturb (Soak *self)
{
  guint i = (guint) g_rand_int_range (self->random, 0, N_PIPES);

  if (self->pipe[i] == NULL ||
      g_rand_int_range (self->random, 0, NEW_EVERY) == 0) {
    drop (self, i);
    self->pipe[i] = soak_pipe_new (g_rand_int (self->random), self->random);
    soak_pipe_play (self->pipe[i]);
    note (self, "new");
  } else {
    note (self, soak_pipe_disturb (self->pipe[i], self->random));
  }
}

static void
run_until (Soak *self, gint64 frames, gint64 time)
{
  while (!g_test_failed () && count (self) < frames &&
      g_get_monotonic_time () < time) {
    disturb (self);
    g_usleep ((gulong) g_rand_int_range (self->random, 0, PAUSE_US));
  }
  for (guint i = 0; i < N_PIPES; i++)
    drop (self, i);
}

static void
tell_done (Soak *self)
{
  g_autoptr (GString) text = g_string_new (NULL);
  GHashTableIter iter;
  gpointer name, n;

  g_hash_table_iter_init (&iter, self->done);
  while (g_hash_table_iter_next (&iter, &name, &n))
    g_string_append_printf (text, ", %d %s", GPOINTER_TO_INT (n),
        (gchar *) name);
  g_print ("# SOAK frames %" G_GINT64_FORMAT "%s\n", self->frames, text->str);
}

void
soak_frames (const SoakOptions *options)
{
  gint64 start = g_get_monotonic_time ();
  Soak self = { .random = g_rand_new_with_seed ((guint32) options->seed),
    .done = g_hash_table_new (g_str_hash, g_str_equal) };
  Flat flat = { "frames" };

  for (gint64 i = 1; i <= FLAT_LOOKS && !g_test_failed (); i++) {
    if (options->seconds > 0)
      run_until (&self, G_MAXINT64,
          start + i * options->seconds * G_TIME_SPAN_SECOND / FLAT_LOOKS);
    else
      run_until (&self, i * options->frames / FLAT_LOOKS, G_MAXINT64);
    flat_look (&flat, self.frames);
  }
  flat_check_nothing_left ("frames, end");
  tell_done (&self);
  g_hash_table_unref (self.done);
  g_rand_free (self.random);
}
