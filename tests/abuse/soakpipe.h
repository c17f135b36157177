/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A pipeline without end, to which things are done while it plays. Each frame
 * carries a mark of its time in a corner, which has to come out in a corner. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  guint chain;
  GstElement *pipeline, *source, *caps, *flip;
  GstPad *out;        /* of the last element */
  gint frames;        /* atomic: that came out */
  gint wrong;         /* atomic: those without their mark */
  gint n_buffers;     /* atomic: that the end asks pools for */
  gint hold;          /* atomic: buffers that the end keeps */
  GMutex lock;        /* for what is below */
  GQueue held;
  GstCaps *new_caps; /* for the next frame, or NULL */
  gchar *error;       /* the first one, or NULL */
} SoakPipe;

guint soak_pipe_n_chains (void);

/* @chain is any number. Not playing yet. */
SoakPipe *soak_pipe_new (guint chain, GRand *random);
/* Stops it. NULL is fine. */
void soak_pipe_free (SoakPipe *self);

void soak_pipe_play (SoakPipe *self);
/* Plays @n frames and ends the stream. FALSE if that takes too long. */
gboolean soak_pipe_run (SoakPipe *self, gint n);
/* The same for one that plays already. */
gboolean soak_pipe_end (SoakPipe *self, gint n);
/* One thing at random: soakdisturb.c. The name of it. */
const gchar *soak_pipe_disturb (SoakPipe *self, GRand *random);

/* Caps at random, small. (transfer full) */
GstCaps *soak_new_caps (GRand *random);

/* What is wrong, or NULL. Free it. */
gchar *soak_pipe_check (SoakPipe *self);

G_END_DECLS
