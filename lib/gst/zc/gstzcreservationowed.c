/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What is used on streams that nobody tells: owed first, then a mark. */

#include "gstzcreservation-private.h"

static ZcMark *
find_read (gpointer self, const ZcStreamKey *stream)
{
  return zc_reads_find (&((ZcReservation *) self)->reads, stream);
}

static ZcMark *
find_write (gpointer self, const ZcStreamKey *stream)
{
  return &((ZcReservation *) self)->write;
}

void
zc_reservation_owe (ZcReservation *self, gboolean writes, ZcContext *context)
{
  if (!writes) {
    zc_untold_contexts_add (self->owed_reads, context);
    return;
  }
  zc_context_ref (context);
  g_clear_pointer (&self->owed_write, zc_context_unref);
  self->owed_write = context;
}

/* Others look at the stream of memory that is not ours alone. */
static gboolean
tell_bridge_of_reads (ZcReservation *self, GError **error)
{
  return !self->foreign ||
      zc_reads_wait (&self->reads, ZC_BARRIER_FOREIGN_RELEASE, &self->bridge,
          error);
}

static ZcUntold
pay_reads (ZcReservation *self, ZcUntoldFlags flags, GError **error)
{
  ZcUntold result = ZC_UNTOLD_RECORDED;

  if (!zc_barrier_holds (ZC_BARRIER_FOREIGN_READ))
    return result;
  while (self->owed_reads->len > 0) {
    result = zc_untold_record (g_ptr_array_index (self->owed_reads, 0), flags,
        NULL, find_read, self, error);
    if (!zc_untold_check (result, NULL))
      return result;
    if (!tell_bridge_of_reads (self, error))
      return ZC_UNTOLD_FAILED;
    g_ptr_array_remove_index_fast (self->owed_reads, 0);
  }
  return result;
}

static ZcUntold
pay_write (ZcReservation *self, ZcUntoldFlags flags, GError **error)
{
  ZcUntold result;

  if (!self->owed_write || !zc_barrier_holds (ZC_BARRIER_UNKNOWN_WRITE))
    return ZC_UNTOLD_RECORDED;
  result = zc_untold_record (self->owed_write, flags, self->sync, find_write,
      self, error);
  if (!zc_untold_check (result, NULL))
    return result;
  if (result == ZC_UNTOLD_RECORDED &&
      !zc_reservation_tell_bridge (self, TRUE, &self->write, error))
    return ZC_UNTOLD_FAILED;
  /* Whoever wrote came after those who read before. */
  zc_reads_forget (&self->reads);
  g_clear_pointer (&self->owed_write, zc_context_unref);
  g_clear_pointer (&self->sync, zc_device_sync_unref);
  return result;
}

static gboolean
pay_write_now (ZcReservation *self, GError **error)
{
  return zc_untold_check (pay_write (self, ZC_UNTOLD_MAY_WAIT | ZC_UNTOLD_NOW,
                              error),
      error);
}

gboolean
zc_reservation_pay (ZcReservation *self, gboolean reads_too, GError **error)
{
  return pay_write_now (self, error) &&
      (!reads_too ||
          zc_untold_check (pay_reads (self, ZC_UNTOLD_PARTLY | ZC_UNTOLD_NOW,
                               error),
              error));
}

ZcUntold
zc_reservation_pay_later (ZcReservation *self, ZcUntoldFlags flags,
    GError **error)
{
  ZcUntold result = pay_write (self, flags | ZC_UNTOLD_PARTLY, error);

  return zc_untold_check (result, NULL)
      ? pay_reads (self, flags | ZC_UNTOLD_PARTLY, error)
      : result;
}

/* The borrowers' streams need not be blocking, so no part will do. */
static ZcUntold
pay_lent (ZcReservation *self, gboolean writes, GError **error)
{
  /* What others do with memory that is not ours alone, its stream says. */
  ZcUntoldFlags flags =
      self->foreign ? ZC_UNTOLD_MAY_WAIT | ZC_UNTOLD_NOW : ZC_UNTOLD_MAY_WAIT;

  return writes ? pay_write (self, flags, error)
                : pay_reads (self, flags, error);
}

gboolean
zc_reservation_release_context (ZcReservation *self, GstMapFlags flags,
    ZcContext *context, GError **error)
{
  gboolean writes = (flags & GST_MAP_WRITE) != 0;
  ZcUntold result;

  if (!zc_barrier_holds (ZC_BARRIER_LOAN))
    return TRUE;
  g_mutex_lock (&self->lock);
  zc_reservation_owe (self, writes, context);
  result = pay_lent (self, writes, error);
  g_mutex_unlock (&self->lock);
  if (result == ZC_UNTOLD_OWED && !self->foreign)
    return TRUE;
  return zc_untold_check (result, error);
}

gboolean
zc_reservation_note_unknown_write (ZcReservation *self, ZcDeviceSync *sync,
    GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  zc_reservation_owe (self, TRUE, self->bridge.context);
  if (!self->sync)
    self->sync = zc_device_sync_ref (sync);
  ok = pay_write (self, ZC_UNTOLD_ALL, error) != ZC_UNTOLD_FAILED;
  g_mutex_unlock (&self->lock);
  return ok;
}

gboolean
zc_reservation_settle_unknown_write (ZcReservation *self, GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  ok = pay_write_now (self, error);
  g_mutex_unlock (&self->lock);
  return ok;
}

void
zc_reservation_note_foreign_read (ZcReservation *self, ZcContext *reader)
{
  g_mutex_lock (&self->lock);
  zc_reservation_owe (self, FALSE, self->bridge.context);
  if (reader && zc_barrier_holds (ZC_BARRIER_READER_CONTEXT))
    zc_reservation_owe (self, FALSE, reader);
  g_mutex_unlock (&self->lock);
}

ZcUntold
zc_reservation_settle_foreign_reads (ZcReservation *self, GError **error)
{
  ZcUntold result;

  g_mutex_lock (&self->lock);
  result = zc_reservation_pay_later (self, 0, error);
  g_mutex_unlock (&self->lock);
  return result;
}
