/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: a few threads that help with what one CPU is too slow for. They
 * touch no GPU. One crew a process, however many elements there are: it is as
 * large as the memory of one machine can use. Any thread may call these. */

#include <glib.h>

G_BEGIN_DECLS

/* Pieces of one piece of work, at most. */
#define ZC_CREW_MAX_PIECES 128

/* The crew is there while somebody holds it. The last drop waits for its
 * threads to end. */
void zc_crew_hold (void);
void zc_crew_drop (void);

/* One piece of work. */
typedef void (*ZcCrewFunc) (guint piece, gpointer data);

/* Calls @work for each piece from 0 to before @n_pieces, once, on this thread
 * and on the crew's, several at a time; and @done, on this thread alone, for
 * each that is done, soon and in no order. Returns after the last @done.
 * Held. */
void zc_crew_run (guint n_pieces, ZcCrewFunc work, ZcCrewFunc done,
    gpointer data);

G_END_DECLS
