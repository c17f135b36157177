/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What a bench measures: rows of a table on standard output and, with --json
 * FILE, of a file that tools/benchreport.py makes tables and plots of. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

#define FIGURE_NOT_THERE (-1.0)

typedef struct
{
  const gchar *job;    /* what was done */
  const gchar *who;    /* by which element, library or call */
  const gchar *format; /* of the pictures */
  gint width, height;  /* pixels */
  gdouble us;          /* microseconds a frame, or FIGURE_NOT_THERE */
  const gchar *limit;  /* who can't be beaten at this, or NULL */
  gdouble limit_us;    /* microseconds a frame of that one */
  gdouble least;       /* the share limit_us / us that is asked for, or 0 */
  gsize bytes;         /* of a frame, where that is what takes time, or 0 */
} Figure;

typedef struct _Figures Figures;

/* Parses the command line of the bench called @name, @options its own ones or
 * NULL, and prints what the table is about. Does not return if there is nothing
 * to measure: --help, a wrong argument. */
Figures *figures_begin (const gchar *name, const GOptionEntry *options,
    int *argc, char ***argv);

/* Whether softcuda stands in for the GPU, so that figures mean nothing and
 * pictures had better be small. */
gboolean figures_soft (const Figures *self);

/* Prints the row and writes the file with it. */
void figures_add (Figures *self, const Figure *figure);

/* Tells which shares that were asked for were reached and frees @self. Returns the exit status of main(). */
int figures_end (Figures *self);

G_END_DECLS
