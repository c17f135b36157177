/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "soakpipe.h"

#define MAX_BUFFERS 8
#define MAX_HELD 6
#define MAX_SEEK (3600 * GST_SECOND)

/* What is done to it */

static void
change_caps (SoakPipe *self, GRand *random)
{
  g_mutex_lock (&self->lock);
  gst_clear_caps (&self->new_caps);
  self->new_caps = soak_new_caps (random);
  g_mutex_unlock (&self->lock);
}

static void
change_direction (SoakPipe *self, GRand *random)
{
  g_object_set (self->flip, "video-direction", g_rand_int_range (random, 0, 8),
      NULL);
}

static void
change_pools (SoakPipe *self, GRand *random)
{
  g_atomic_int_set (&self->n_buffers,
      g_rand_int_range (random, 0, MAX_BUFFERS + 1));
  gst_pad_push_event (self->out, gst_event_new_reconfigure ());
}

static void
change_hold (SoakPipe *self, GRand *random)
{
  g_atomic_int_set (&self->hold, g_rand_int_range (random, 0, MAX_HELD + 1));
}

static void
seek (SoakPipe *self, GRand *random)
{
  gst_element_seek_simple (self->pipeline, GST_FORMAT_TIME, GST_SEEK_FLAG_FLUSH,
      (gint64) (g_rand_double (random) * (gdouble) MAX_SEEK));
}

static void
change_state (SoakPipe *self, GRand *random)
{
  static const GstState states[] = { GST_STATE_PAUSED, GST_STATE_READY,
    GST_STATE_NULL };
  guint which = (guint) g_rand_int_range (random, 0, G_N_ELEMENTS (states));

  gst_element_set_state (self->pipeline, states[which]);
  if (g_rand_boolean (random))
    g_usleep ((gulong) g_rand_int_range (random, 0, 3000));
  soak_pipe_play (self);
}

typedef struct
{
  const gchar *name;
  void (*run) (SoakPipe *self, GRand *random);
} Disturbance;

static const Disturbance disturbances[] = {
  { "caps", change_caps },
  { "direction", change_direction },
  { "pools", change_pools },
  { "hold", change_hold },
  { "seek", seek },
  { "state", change_state },
};

const gchar *
soak_pipe_disturb (SoakPipe *self, GRand *random)
{
  const Disturbance *what =
      &disturbances[g_rand_int_range (random, 0, G_N_ELEMENTS (disturbances))];

  what->run (self, random);
  return what->name;
}
