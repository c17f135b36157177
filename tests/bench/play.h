/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Plays pipelines of fed frames and tells how fast they go. */
#pragma once

#include "feed.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *launch; /* what is between source and sink */
  FeedKind feed;
  GstVideoInfo info;
  GstCudaContext *context; /* not owned; all elements are given it */
  guint n_pipelines;
  gboolean pin_all; /* raise max-pinned-bytes above what the source holds */
} Play;

typedef struct
{
  gdouble us;     /* a frame, of all pipelines together */
  gdouble cpu_us; /* that the CPUs of this process worked, a frame */
} Pace;

gboolean play_for (const Play *play, gdouble seconds, Pace *pace,
    GError **error);

G_END_DECLS
