/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Whether what is in use stays the same: the first looks are to warm up, and none
 * after them may find more. */
#pragma once

#include "leak.h"

G_BEGIN_DECLS

#define FLAT_LOOKS 40
#define FLAT_WARM (FLAT_LOOKS / 4)

typedef struct
{
  const gchar *what;
  Use base; /* the most while warming up */
  gint looks;
} Flat;

/* At the start of a program, before the first pipeline. @leak, or NULL, happens
 * at each look. */
void flat_init (const Leak *leak);

/* With all pipelines gone; @n tells where it is. */
void flat_look (Flat *self, gint64 n);
/* While they play: there is more, and more of it comes and goes. */
void flat_look_playing (Flat *self, gint64 n);
/* That nothing is in use that was not before flat_init(). */
void flat_check_nothing_left (const gchar *what);

/* Fails the test if there is a @why, which is freed. */
void flat_fail (const gchar *what, gchar *why);
void flat_tell (const gchar *what, gint64 n, const Use *use);

/* More of these is no leak: memory of the host may lie about in pieces. */
extern const Use flat_at_rest;

G_END_DECLS
