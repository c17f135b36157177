/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: the reads of a memory since its last write, a mark for each stream. */

#include <gst/zc/gstzcmark.h>

G_BEGIN_DECLS

typedef struct
{
  GArray *marks; /* of ZcMark; not all of them pending */
} ZcReads;

void zc_reads_init (ZcReads *self);
void zc_reads_clear (ZcReads *self);

/* The mark that @stream's read goes to: its own, else one that is free, else a
 * new one: there are never more than streams that read at once. Good until the
 * next call. */
ZcMark *zc_reads_find (ZcReads *self, const ZcStreamKey *stream);
/* Makes @stream wait for each, unless @which is left out. */
gboolean zc_reads_wait (ZcReads *self, ZcBarrier which,
    const ZcStreamKey *stream, GError **error);
/* Somebody has waited for them. */
void zc_reads_forget (ZcReads *self);
gboolean zc_reads_are_done (ZcReads *self);

G_END_DECLS
