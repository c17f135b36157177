/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Jobs in child processes of this one, so that one that crashes or hangs is
 * told from the others and starts where nothing has happened yet. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define CHILD_TEXT 1024
#define CHILD_BYTES 4096
#define CHILD_OUTPUT 6000

/* How a child ended. */
typedef enum
{
  CHILD_DONE,
  CHILD_CRASHED,
  CHILD_HUNG
} ChildEnd;

/* What it leaves behind, in memory that it shares with its parent. */
typedef struct
{
  ChildEnd end;
  gint status;              /* as waitpid has it */
  gint outcome;             /* the job's own */
  gchar text[CHILD_TEXT];   /* why */
  guint64 words[CHILD_BYTES / 8]; /* the job's own, too */
  gchar output[CHILD_OUTPUT]; /* the last that it wrote */
} ChildResult;

/* Runs in the child. */
typedef void (*ChildFunc) (gconstpointer job, ChildResult *result);

/* Runs @func on each of @n @jobs, of @size bytes, @parallel at a time; a child
 * that takes more than @seconds is ended. The caller must have no threads.
 * Returns @n results. */
ChildResult *children_run (ChildFunc func, gconstpointer jobs, gsize size,
    guint n, guint parallel, guint seconds);
void children_free (ChildResult *results, guint n);

G_END_DECLS
