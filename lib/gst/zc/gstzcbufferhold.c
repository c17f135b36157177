/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcbufferhold.h"

#include "gstzcbarrier.h"
#include "gstzcreaper.h"
#include "gstzcreservation.h"

/* What all buffers have: GStreamer's own, which asks the pool. */
static GstMiniObjectDisposeFunction dispose_of_gst;

/* One that keeps @buffer from its pool, or NULL. */
static ZcReservation *
find_busy (GstBuffer *buffer)
{
  guint i;

  for (i = 0; i < gst_buffer_n_memory (buffer); i++) {
    ZcReservation *reservation =
        zc_reservation_peek (gst_buffer_peek_memory (buffer, i));

    if (reservation && zc_reservation_needs_hold (reservation) &&
        !zc_reservation_is_idle (reservation))
      return reservation;
  }
  return NULL;
}

static gboolean
is_idle (gpointer buffer)
{
  return find_busy (buffer) == NULL;
}

static void
unref_buffer (gpointer buffer)
{
  gst_buffer_unref (buffer);
}

static gboolean
dispose_when_idle (GstMiniObject *object)
{
  GstBuffer *buffer = GST_BUFFER_CAST (object);
  /* Where there is no pool, memory that goes is held by itself. */
  ZcReservation *busy = buffer->pool ? find_busy (buffer) : NULL;
  GstMiniObjectDisposeFunction dispose;

  if (!busy) {
    dispose = g_atomic_pointer_get (&dispose_of_gst);
    return dispose (object);
  }
  gst_mini_object_ref (object);
  zc_reaper_add_polled (zc_reservation_get_bridge (busy)->context, is_idle,
      unref_buffer, object);
  return FALSE;
}

void
zc_buffer_hold (GstBuffer *buffer)
{
  static GMutex lock;
  GstMiniObject *object = GST_MINI_OBJECT_CAST (buffer);

  if (!zc_barrier_holds (ZC_BARRIER_BUFFER_HOLD) || !find_busy (buffer))
    return;
  /* Two branches may read one buffer. */
  g_mutex_lock (&lock);
  if (object->dispose != dispose_when_idle) {
    g_atomic_pointer_set (&dispose_of_gst, object->dispose);
    object->dispose = dispose_when_idle;
  }
  g_mutex_unlock (&lock);
}
