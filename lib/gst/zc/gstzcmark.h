/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: one use of a memory, for those who come after it. */

#include <gst/zc/gstzcbarrier.h>
#include <gst/zc/gstzcstream-private.h>

G_BEGIN_DECLS

/* The stream_id of work on streams that nobody tells: any, or blocking ones. */
#define ZC_NO_STREAM G_MAXUINT64
#define ZC_BLOCKING_STREAMS (G_MAXUINT64 - 1)

/* The stream that somebody worked on, and an event after that work. The event is
 * recorded again and again. All zero is nobody. */
typedef struct
{
  ZcContext *context; /* owned; the event's */
  CUevent event;
  guint64 stream_id;
  gboolean pending; /* later users must wait for it */
} ZcMark;

/* Gives the event back; a GDestroyNotify for marks in an array. */
void zc_mark_clear (gpointer mark);

/* What is queued on @stream now is the use. */
gboolean zc_mark_record (ZcMark *self, const ZcStreamKey *stream,
    GError **error);
/* What is queued on those that the id of @untold says, by one event; the driver
 * must have it. Only for zc_untold_record (). */
CUresult zc_mark_record_untold (ZcMark *self, const ZcStreamKey *untold,
    GError **error);
gboolean zc_mark_is_untold (const ZcMark *self);

gboolean zc_mark_is_of (const ZcMark *self, const ZcStreamKey *stream);
/* Makes @stream wait for the use, unless it was there. */
gboolean zc_mark_wait (const ZcMark *self, const ZcStreamKey *stream,
    GError **error);
/* The same, unless @which is left out. */
gboolean zc_mark_barrier (const ZcMark *self, ZcBarrier which,
    const ZcStreamKey *stream, GError **error);
/* Asks the driver. FALSE if it does not say. */
gboolean zc_mark_is_done (const ZcMark *self);

G_END_DECLS
