/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Which shares of a limit were asked for, and which were reached. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct _Targets Targets;

Targets *targets_new (void);
void targets_free (Targets *self);

/* @share of the limit was reached, @least was asked for. Of several @where of
 * one @what, the worst is told. */
void targets_add (Targets *self, const gchar *what, const gchar *where,
    gdouble share, gdouble least);

/* A line for each @what. */
void targets_print (const Targets *self);

G_END_DECLS
