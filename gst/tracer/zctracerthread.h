/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* For which element a thread works at a moment: GStreamer's hooks tell when it
 * goes into an element and comes out again. */

#pragma once

#include "zctracerrecords.h"

G_BEGIN_DECLS

/* Goes into @element; NULL: what it was in before. Takes a reference. */
void zc_thread_enter (ZcElement *element);
/* The same, to change its state. */
void zc_thread_enter_state (ZcElement *element);
/* Comes out; tells in which it was and since when (ns). FALSE if in none.
 * (transfer full) */
gboolean zc_thread_leave (ZcElement **element, gint64 *since);

/* Of a thread that is in no element: whose loop it runs. */
void zc_thread_set_loop (ZcElement *element);

/* What it works for, or NULL. Good until the thread goes on. */
ZcElement *zc_thread_in (void);
ZcElement *zc_thread_loop (void);
/* TRUE if it is there to change a state. */
gboolean zc_thread_in_state (void);

/* The source pad that pushes a buffer now. Takes a reference; NULL: none. */
void zc_thread_set_pushing (ZcPad *pad);
/* (transfer full) (nullable) */
ZcPad *zc_thread_take_pushing (void);

/* The system's number of this thread. */
guint zc_thread_number (void);

G_END_DECLS
