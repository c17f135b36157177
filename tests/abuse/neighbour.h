/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Another pipeline of the process, which works in the same context and calls the
 * driver only when it is asked to. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct
{
  GstElement *pipeline;
  GstElement *src;
  GstElement *sink;
  guint n; /* frames so far */
} Neighbour;

void neighbour_init (Neighbour *self);
void neighbour_clear (Neighbour *self);

/* TRUE if a frame comes through and is right; else @error is what elements of
 * ours said, an error each, or NULL. */
gboolean neighbour_exchange (Neighbour *self, gchar **error);

/* What it says when it can't start, or NULL if it can. */
gchar *neighbour_restart_error (Neighbour *self);

G_END_DECLS
