/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcreservation-private.h"

#include "gstzcallocator.h"
#include "gstzcbarrier.h"
#include "gstzccapture.h"

static void
reservation_free (gpointer data)
{
  ZcReservation *self = data;

  zc_mark_clear (&self->write);
  zc_reads_clear (&self->reads);
  g_ptr_array_unref (self->owed_reads);
  g_clear_pointer (&self->owed_write, zc_context_unref);
  g_clear_pointer (&self->sync, zc_device_sync_unref);
  zc_context_unref (self->bridge.context);
  g_mutex_clear (&self->lock);
  g_free (self);
}

static ZcReservation *
reservation_new (GstCudaMemory *memory, GError **error)
{
  GstCudaStream *stream = gst_cuda_memory_get_stream (memory);
  ZcContext *context = zc_context_get (memory->context, error);
  ZcReservation *self;
  ZcStreamKey bridge;

  if (!context)
    return NULL;
  if (!zc_stream_key_init (&bridge, context,
          gst_cuda_stream_get_handle (stream), error)) {
    zc_context_unref (context);
    return NULL;
  }

  self = g_new0 (ZcReservation, 1);
  g_mutex_init (&self->lock);
  self->bridge = bridge;
  self->foreign = !zc_is_own_memory (GST_MEMORY_CAST (memory));
  zc_reads_init (&self->reads);
  self->owed_reads = zc_untold_contexts_new ();
  return self;
}

static GQuark
reservation_quark (void)
{
  static GQuark quark = 0;

  if (!quark)
    quark = g_quark_from_static_string ("gst-zc-reservation");
  return quark;
}

const ZcStreamKey *
zc_reservation_get_bridge (ZcReservation *self)
{
  return &self->bridge;
}

/* Foreign work on the bridge becomes a write like any other: one event, for
 * all who come next. */
static gboolean
settle_foreign_write (ZcReservation *self, GError **error)
{
  if (!self->foreign_write || !zc_barrier_holds (ZC_BARRIER_FOREIGN_WRITE))
    return TRUE;
  if (!zc_mark_record (&self->write, &self->bridge, error))
    return FALSE;
  self->foreign_write = FALSE;
  return TRUE;
}

static gboolean
wait_for_marks (ZcReservation *self, gboolean writes, const ZcStreamKey *stream,
    GError **error)
{
  return settle_foreign_write (self, error) &&
      zc_mark_barrier (&self->write, writes ? ZC_BARRIER_WAW : ZC_BARRIER_RAW,
          stream, error) &&
      (!writes || zc_reads_wait (&self->reads, ZC_BARRIER_WAR, stream, error));
}

static gboolean
wait_for_owner (ZcReservation *self, const ZcStreamKey *stream, GError **error)
{
  return !zc_barrier_holds (ZC_BARRIER_FOREIGN_ACQUIRE) ||
      zc_stream_key_wait_tail (stream, &self->bridge, error);
}

gboolean
zc_reservation_acquire (ZcReservation *self, GstMapFlags flags,
    const ZcStreamKey *stream, GError **error)
{
  gboolean writes = (flags & GST_MAP_WRITE) != 0;
  gboolean ok;

  g_mutex_lock (&self->lock);
  ok = zc_reservation_pay (self, writes, error) &&
      (self->foreign ? wait_for_owner (self, stream, error)
                     : wait_for_marks (self, writes, stream, error));
  g_mutex_unlock (&self->lock);
  return ok;
}

static ZcMark *
record_use (ZcReservation *self, gboolean writes, const ZcStreamKey *stream,
    GError **error)
{
  ZcMark *mark = writes ? &self->write : zc_reads_find (&self->reads, stream);

  if (zc_barrier_holds (writes ? ZC_BARRIER_RECORD_WRITE
                               : ZC_BARRIER_RECORD_READ) &&
      !zc_mark_record (mark, stream, error))
    return NULL;
  if (writes)
    zc_reads_forget (&self->reads);
  return mark;
}

gboolean
zc_reservation_tell_bridge (ZcReservation *self, gboolean writes,
    const ZcMark *mark, GError **error)
{
  if (self->foreign)
    return zc_mark_barrier (mark, ZC_BARRIER_FOREIGN_RELEASE, &self->bridge,
        error);
  return !writes ||
      zc_mark_barrier (mark, ZC_BARRIER_BRIDGE_AFTER_WRITE, &self->bridge,
          error);
}

gboolean
zc_reservation_release (ZcReservation *self, GstMapFlags flags,
    const ZcStreamKey *stream, GError **error)
{
  gboolean writes = (flags & GST_MAP_WRITE) != 0;
  gboolean ok;
  ZcMark *mark;

  g_mutex_lock (&self->lock);
  mark = record_use (self, writes, stream, error);
  ok = mark && zc_reservation_tell_bridge (self, writes, mark, error);
  g_mutex_unlock (&self->lock);
  if (ok || zc_stream_key_wait_on_host (stream))
    return ok;
  g_mutex_lock (&self->lock);
  zc_reservation_owe (self, writes, stream->context);
  g_mutex_unlock (&self->lock);
  return FALSE;
}

void
zc_reservation_keep_cpu_writes (ZcReservation *self)
{
  self->hold.keep_cpu_writes = TRUE;
}

GstZcStream *
zc_reservation_find_writer (ZcReservation *self)
{
  GstZcStream *writer = NULL;

  g_mutex_lock (&self->lock);
  if (!self->foreign && !self->foreign_write && !self->owed_write &&
      self->write.pending && !zc_mark_is_untold (&self->write))
    writer = zc_stream_find (self->write.context, self->write.stream_id);
  g_mutex_unlock (&self->lock);
  return writer;
}

gboolean
zc_reservation_begin_foreign_write (ZcReservation *self, GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  /* It has waited for the last write since that was made. */
  ok = zc_reservation_pay (self, TRUE, error) &&
      zc_reads_wait (&self->reads, ZC_BARRIER_BRIDGE_AFTER_READS, &self->bridge,
          error);
  if (ok) {
    zc_reads_forget (&self->reads);
    self->foreign_write = TRUE;
  }
  g_mutex_unlock (&self->lock);
  return ok;
}

void
zc_reservation_note_upload (ZcReservation *self)
{
  g_mutex_lock (&self->lock);
  self->uploading = TRUE;
  g_mutex_unlock (&self->lock);
}

static gboolean
finish_upload (ZcReservation *self, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;

  if (!self->uploading || !zc_barrier_holds (ZC_BARRIER_STAGING_WAIT))
    return TRUE;
  if (!zc_capture_check_legacy (&self->bridge, error) ||
      !zc_context_push (self->bridge.context, &guard, error) ||
      !ZC_CU (error, cuStreamSynchronize, self->bridge.handle))
    return FALSE;
  self->uploading = FALSE;
  return TRUE;
}

gboolean
zc_reservation_finish_upload (ZcReservation *self, GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  ok = finish_upload (self, error);
  g_mutex_unlock (&self->lock);
  return ok;
}

gboolean
zc_reservation_needs_hold (ZcReservation *self)
{
  return self->foreign && !self->bridge.handle;
}

static gboolean
is_idle (ZcReservation *self)
{
  g_autoptr (GError) error = NULL;
  ZcUntold owed = zc_reservation_pay_later (self, ZC_UNTOLD_AGAIN, &error);

  if (owed == ZC_UNTOLD_OWED && zc_barrier_holds (ZC_BARRIER_OWED_HOLD))
    return FALSE;
  if (owed == ZC_UNTOLD_FAILED || !settle_foreign_write (self, &error))
    return zc_cuda_error_is_over (error);
  return zc_mark_is_done (&self->write) && zc_reads_are_done (&self->reads);
}

gboolean
zc_reservation_is_idle (ZcReservation *self)
{
  gboolean idle;

  g_mutex_lock (&self->lock);
  idle = is_idle (self);
  g_mutex_unlock (&self->lock);
  return idle;
}

ZcMemoryHold *
zc_reservation_get_hold (ZcReservation *self)
{
  return &self->hold;
}

ZcReservation *
zc_reservation_peek (GstMemory *memory)
{
  return gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (memory),
      reservation_quark ());
}

ZcReservation *
zc_reservation_get (GstMemory *memory, GError **error)
{
  /* Two branches may touch a memory for the first time at once. */
  static GMutex lock;
  GstMiniObject *object = GST_MINI_OBJECT_CAST (memory);
  ZcReservation *self;

  g_mutex_lock (&lock);
  self = zc_reservation_peek (memory);
  if (!self && (self = reservation_new ((GstCudaMemory *) memory, error)))
    gst_mini_object_set_qdata (object, reservation_quark (), self,
        reservation_free);
  if (self)
    zc_memory_hold (memory);
  g_mutex_unlock (&lock);
  return self;
}
