/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: what a reservation is made of, for its own files. */

#include <gst/zc/gstzcreads.h>
#include <gst/zc/gstzcreservation.h>

G_BEGIN_DECLS

struct _ZcReservation
{
  GMutex lock;
  ZcStreamKey bridge;           /* of the memory; holds its context */
  ZcMark write;
  ZcReads reads;                /* since the write */
  GPtrArray *owed_reads;        /* of ZcContext; see gstzcuntold.h */
  ZcContext *owed_write;        /* owned; the same, or NULL */
  ZcDeviceSync *sync;           /* owned; for the owed write, or NULL */
  gboolean foreign;             /* memory of somebody else's allocator */
  gboolean foreign_write;       /* somebody writes on the bridge, or has */
  gboolean uploading;           /* from the staging memory, on the bridge */
  ZcMemoryHold hold;
};

/* All with the lock. The bridge comes after what @mark says, where somebody
 * would look for it there: after a write at once, since an encoder may read
 * later with no map at all. */
gboolean zc_reservation_tell_bridge (ZcReservation *self, gboolean writes,
    const ZcMark *mark, GError **error);

/* Somebody has used the memory on streams of @context that nobody tells. */
void zc_reservation_owe (ZcReservation *self, gboolean writes,
    ZcContext *context);
/* Makes marks of what is owed, for those who must come after it now. */
gboolean zc_reservation_pay (ZcReservation *self, gboolean reads_too,
    GError **error);
/* The same as far as it harms no capture; with @flags besides. */
ZcUntold zc_reservation_pay_later (ZcReservation *self, ZcUntoldFlags flags,
    GError **error);

G_END_DECLS
