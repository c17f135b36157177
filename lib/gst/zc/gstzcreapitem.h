/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: one thing that the reaper is to let go of. */

#include <gst/zc/gstzcreaper.h>

G_BEGIN_DECLS

typedef struct
{
  ZcContext *context;           /* owned; keeps the reaper, too */
  CUevent event;                /* owned; NULL: ask is_done */
  ZcDoneFunc is_done;           /* NULL: no event was to be had either */
  ZcReapFunc func;
  gpointer data;
  gconstpointer owner;
  gint64 unknown_since; /* atomic; monotonic; 0: the driver answers */
} ZcReapItem;

ZcReapItem *zc_reap_item_new (ZcContext *context, ZcReapFunc func,
    gpointer data);
/* After this the reaper may be gone, if the item was the last user of it. */
void zc_reap_item_free (ZcReapItem *self);

/* Asks, does not wait. */
gboolean zc_reap_item_is_done (ZcReapItem *self);
/* TRUE if the driver has not said for long if it is done. */
gboolean zc_reap_item_is_stuck (const ZcReapItem *self);
/* Calls its function, and waits for the context first if nothing else tells
 * that it is done. FALSE if that failed: to be tried again. */
gboolean zc_reap_item_run (ZcReapItem *self);

G_END_DECLS
