/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* This program again, as a process that is told what to do by its arguments. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct
{
  GSubprocess *process;
  GDataInputStream *lines;
} Process;

/* @values: up to NULL. */
void process_start (Process *self, const gchar *const *values);

/* What it says next; NULL: it has ended. (transfer full) */
gchar *process_read (Process *self);
void process_expect (Process *self, const gchar *expected);

/* It ended by itself, and well, and had no more to say. */
void process_finish (Process *self);
void process_kill (Process *self);

G_END_DECLS
