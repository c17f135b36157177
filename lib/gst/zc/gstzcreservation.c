/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcreservation.h"

#include "gstzcallocator.h"
#include "gstzcbarrier.h"
#include "gstzcmark.h"

struct _ZcReservation
{
  GMutex lock;
  ZcStreamKey bridge;           /* of the memory; holds its context */
  ZcMark write;
  GArray *reads; /* of ZcMark; since the write, those pending */
  gboolean foreign; /* memory of somebody else's allocator */
  ZcMemoryHold hold;
  gboolean foreign_write; /* somebody writes on the bridge, or has */
  gboolean foreign_read; /* on a stream that we are not told */
  gboolean uploading; /* from the staging memory, on the bridge */
  ZcDeviceSync *unknown_write; /* owned; to be waited for, or NULL */
};

/* The same as a barrier of that name. */
static gboolean
barrier (ZcBarrier which, const ZcMark *mark, const ZcStreamKey *stream,
    GError **error)
{
  return !zc_barrier_holds (which) || zc_mark_wait (mark, stream, error);
}

static void
reservation_free (gpointer data)
{
  ZcReservation *self = data;

  zc_mark_clear (&self->write);
  g_array_unref (self->reads);
  g_clear_pointer (&self->unknown_write, zc_device_sync_unref);
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
  self->reads = g_array_new (FALSE, TRUE, sizeof (ZcMark));
  g_array_set_clear_func (self->reads, zc_mark_clear);
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

static gboolean
wait_for_reads (ZcReservation *self, ZcBarrier which, const ZcStreamKey *stream,
    GError **error)
{
  guint i;

  for (i = 0; i < self->reads->len; i++) {
    if (!barrier (which, &g_array_index (self->reads, ZcMark, i), stream,
            error))
      return FALSE;
  }
  return TRUE;
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

static void
forget_reads (ZcReservation *self)
{
  guint i;

  for (i = 0; i < self->reads->len; i++)
    g_array_index (self->reads, ZcMark, i).pending = FALSE;
}

/* The mark that @stream's read goes to: its own, else one that is free, else a
 * new one: there are never more than streams that read at once. */
static ZcMark *
read_mark_for (ZcReservation *self, const ZcStreamKey *stream)
{
  ZcMark *free_mark = NULL;
  guint i;

  for (i = 0; i < self->reads->len; i++) {
    ZcMark *mark = &g_array_index (self->reads, ZcMark, i);

    if (zc_mark_is_of (mark, stream))
      return mark;
    if (!mark->pending)
      free_mark = mark;
  }
  for (i = 0; !free_mark && i < self->reads->len; i++) {
    ZcMark *mark = &g_array_index (self->reads, ZcMark, i);

    if (zc_mark_is_done (mark))
      free_mark = mark;
  }
  if (free_mark)
    return free_mark;

  g_array_set_size (self->reads, self->reads->len + 1);
  return &g_array_index (self->reads, ZcMark, self->reads->len - 1);
}

/* Nobody tells on which stream a foreign element read. */
static gboolean
settle_foreign_read (ZcReservation *self, GError **error)
{
  const ZcStreamKey nobody = { .context = self->bridge.context,
    .id = ZC_NO_STREAM };

  if (!self->foreign_read || !zc_barrier_holds (ZC_BARRIER_FOREIGN_READ))
    return TRUE;
  if (!zc_mark_record_context_or_legacy (read_mark_for (self, &nobody),
          self->bridge.context, error))
    return FALSE;
  self->foreign_read = FALSE;
  return TRUE;
}

static gboolean
settle_unknown_write (ZcReservation *self, GError **error)
{
  if (!self->unknown_write || !zc_barrier_holds (ZC_BARRIER_UNKNOWN_WRITE))
    return TRUE;
  if (!zc_device_sync_once (self->unknown_write, error))
    return FALSE;
  g_clear_pointer (&self->unknown_write, zc_device_sync_unref);
  return TRUE;
}

static gboolean
wait_for_marks (ZcReservation *self, GstMapFlags flags,
    const ZcStreamKey *stream, GError **error)
{
  gboolean writes = (flags & GST_MAP_WRITE) != 0;

  if (!settle_unknown_write (self, error) ||
      !settle_foreign_write (self, error) ||
      !barrier (writes ? ZC_BARRIER_WAW : ZC_BARRIER_RAW, &self->write, stream,
          error))
    return FALSE;
  return !writes ||
      (settle_foreign_read (self, error) &&
          wait_for_reads (self, ZC_BARRIER_WAR, stream, error));
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
  gboolean ok;

  g_mutex_lock (&self->lock);
  ok = self->foreign ? wait_for_owner (self, stream, error)
                     : wait_for_marks (self, flags, stream, error);
  g_mutex_unlock (&self->lock);
  return ok;
}

static ZcMark *
record_use (ZcReservation *self, gboolean writes, const ZcStreamKey *stream,
    GError **error)
{
  ZcMark *mark = writes ? &self->write : read_mark_for (self, stream);

  if (zc_barrier_holds (writes ? ZC_BARRIER_RECORD_WRITE
                               : ZC_BARRIER_RECORD_READ) &&
      !zc_mark_record (mark, stream, error))
    return NULL;
  if (writes)
    forget_reads (self);
  return mark;
}

/* After a write at once: an encoder may read later with no map at all. */
static gboolean
tell_bridge (ZcReservation *self, gboolean writes, const ZcMark *mark,
    GError **error)
{
  if (self->foreign)
    return barrier (ZC_BARRIER_FOREIGN_RELEASE, mark, &self->bridge, error);
  return !writes ||
      barrier (ZC_BARRIER_BRIDGE_AFTER_WRITE, mark, &self->bridge, error);
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
  ok = mark != NULL && tell_bridge (self, writes, mark, error);
  g_mutex_unlock (&self->lock);
  if (!ok)
    zc_stream_key_wait_on_host (stream);
  return ok;
}

static gboolean
wait_for_context (ZcContext *context, GError **error)
{
  g_autoptr (ZcDeviceSync) sync = zc_device_sync_new (context);

  return zc_device_sync_once (sync, error);
}

gboolean
zc_reservation_release_context (ZcReservation *self, GstMapFlags flags,
    ZcContext *context, GError **error)
{
  const ZcStreamKey nobody = { .context = context, .id = ZC_NO_STREAM };
  gboolean writes = (flags & GST_MAP_WRITE) != 0;
  gboolean recorded, ok = FALSE;
  ZcMark *mark;

  if (!zc_barrier_holds (ZC_BARRIER_LOAN))
    return TRUE;
  g_mutex_lock (&self->lock);
  mark = writes ? &self->write : read_mark_for (self, &nobody);
  recorded = zc_mark_record_whole_context (mark, context);
  if (recorded)
    ok = tell_bridge (self, writes, mark, error);
  if (ok && writes)
    forget_reads (self);
  g_mutex_unlock (&self->lock);
  return recorded ? ok : wait_for_context (context, error);
}

gboolean
zc_reservation_note_unknown_write (ZcReservation *self, ZcDeviceSync *sync,
    GError **error)
{
  gboolean ok = TRUE;

  g_mutex_lock (&self->lock);
  if (zc_mark_record_whole_context (&self->write, self->bridge.context))
    ok = zc_mark_wait (&self->write, &self->bridge, error);
  else if (!self->unknown_write)
    self->unknown_write = zc_device_sync_ref (sync);
  g_mutex_unlock (&self->lock);
  return ok;
}

gboolean
zc_reservation_settle_unknown_write (ZcReservation *self, GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  ok = settle_unknown_write (self, error);
  g_mutex_unlock (&self->lock);
  return ok;
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
  if (!self->foreign && !self->foreign_write && self->write.pending &&
      self->write.stream_id != ZC_NO_STREAM)
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
  ok = settle_foreign_read (self, error) &&
      wait_for_reads (self, ZC_BARRIER_BRIDGE_AFTER_READS, &self->bridge,
          error);
  if (ok) {
    forget_reads (self);
    self->foreign_write = TRUE;
  }
  g_mutex_unlock (&self->lock);
  return ok;
}

void
zc_reservation_note_foreign_read (ZcReservation *self)
{
  g_mutex_lock (&self->lock);
  self->foreign_read = TRUE;
  g_mutex_unlock (&self->lock);
}

gboolean
zc_reservation_settle_foreign_reads (ZcReservation *self, GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  ok = settle_foreign_read (self, error);
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
  if (!zc_context_push (self->bridge.context, &guard, error) ||
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
marks_are_done (ZcReservation *self)
{
  gboolean done = zc_mark_is_done (&self->write);
  guint i;

  for (i = 0; done && i < self->reads->len; i++)
    done = zc_mark_is_done (&g_array_index (self->reads, ZcMark, i));
  return done;
}

gboolean
zc_reservation_is_idle (ZcReservation *self)
{
  g_autoptr (GError) error = NULL;
  gboolean idle;

  g_mutex_lock (&self->lock);
  idle =
      settle_foreign_read (self, &error) && settle_foreign_write (self, &error)
      ? marks_are_done (self)
      : zc_cuda_error_is_over (error);
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
