/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: lets go of things when the GPU is done with them: unmaps, unrefs,
 * notifies. One thread a context, asleep when nothing is pending, one FIFO a
 * stream, so that a slow stream starves no other. Where the thread does not get
 * to run, those who add help it. */

#include <gst/zc/gstzcstream-private.h>

G_BEGIN_DECLS

/* Called once, no lock held, on the reaper's thread or one that adds. */
typedef void (*ZcReapFunc) (gpointer data);

/* Calls @func (@data) soon (<= 200 us) after the work queued on @stream so far
 * is done. @owner is a tag to drain by, or NULL. Returns at once; where the
 * driver gives no event it waits on the host, and calls before it returns. With
 * many items of @stream waiting it calls those that are done. */
void zc_reaper_add (const ZcStreamKey *stream, ZcReapFunc func, gpointer data,
    gconstpointer owner);

/* Calls @func (@data) when @is_done (@data) says so: for memory with events of
 * its own. */
typedef gboolean (*ZcDoneFunc) (gpointer data);
void zc_reaper_add_polled (ZcContext *context, ZcDoneFunc is_done,
    ZcReapFunc func, gpointer data);

/* Blocks until all items of @owner are gone, or the driver has not said for a
 * second if one is done; that one is kept until it does. For state changes, DRAIN and caps
 * changes, never per frame. From a ZcReapFunc, in which an application may stop
 * its pipeline, it returns at once, whatever the context: it would wait for
 * itself, or for one that waits for it. */
void zc_reaper_drain (ZcContext *context, gconstpointer owner);

/* For ZcContext: ends the thread. From the reaper's own thread the thread is
 * not joined but ends by itself. */
void zc_reaper_free (ZcReaper *self);

G_END_DECLS
