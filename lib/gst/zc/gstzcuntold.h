/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: work on streams that nobody tells. One event comes after all streams
 * of a context where the driver can (CUDA 12.5); one on the legacy stream comes
 * after blocking streams, which all of gst-cuda's are. Neither is recorded where
 * that would break a neighbour's capture: then the mark is owed. Recorded later,
 * it covers more, so it stays right. */

#include <gst/zc/gstzcdevicesync.h>
#include <gst/zc/gstzcmark.h>

G_BEGIN_DECLS

typedef enum
{
  ZC_UNTOLD_FAILED, /* with an error; the mark is owed, too */
  ZC_UNTOLD_OWED,
  ZC_UNTOLD_RECORDED,
  ZC_UNTOLD_WAITED /* on the host: there is nothing to come after any more */
} ZcUntold;

/* What else will do. */
typedef enum
{
  ZC_UNTOLD_ALL = 0, /* nothing: one event for all streams, or none yet */
  ZC_UNTOLD_MAY_WAIT =
      1 << 0, /* where the driver has no such event: the host */
  ZC_UNTOLD_PARTLY = 1 << 1, /* there: an event on the legacy stream */
  ZC_UNTOLD_NOW = 1 << 2, /* that too while a capture is in the way */
  ZC_UNTOLD_AGAIN = 1 << 3 /* it is asked for again and again until it is */
} ZcUntoldFlags;

/* The mark for what @untold says: one that comes after less must not take the
 * place of one that comes after more. */
typedef ZcMark *(*ZcMarkFinder) (gpointer data, const ZcStreamKey *untold);

/* Records what is queued in @context now. @sync is what waits, or NULL. */
ZcUntold zc_untold_record (ZcContext *context, ZcUntoldFlags flags,
    ZcDeviceSync *sync, ZcMarkFinder find, gpointer data, GError **error);

/* For those who can't do without: TRUE if @result is a success; else sets an
 * error, if there is none. */
gboolean zc_untold_check (ZcUntold result, GError **error);

/* Contexts with such reads, each once; a GPtrArray of ZcContext. */
GPtrArray *zc_untold_contexts_new (void);
void zc_untold_contexts_add (GPtrArray *contexts, ZcContext *context);

G_END_DECLS
