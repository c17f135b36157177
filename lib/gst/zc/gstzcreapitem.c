/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcreapitem.h"

#include "gstzcdevicesync.h"

/* So long a drain waits for a driver that does not say if something is done.
 * The thing is kept. */
#define PATIENCE_US G_TIME_SPAN_SECOND

ZcReapItem *
zc_reap_item_new (ZcContext *context, ZcReapFunc func, gpointer data)
{
  ZcReapItem *self = g_new0 (ZcReapItem, 1);

  self->context = zc_context_ref (context);
  self->func = func;
  self->data = data;
  return self;
}

void
zc_reap_item_free (ZcReapItem *self)
{
  if (self->event)
    zc_context_give_event (self->context, self->event);
  zc_context_unref (self->context);
  g_free (self);
}

static gint64
get_unknown_since (const ZcReapItem *self)
{
  return __atomic_load_n (&self->unknown_since, __ATOMIC_RELAXED);
}

static void
note_answer (ZcReapItem *self, gboolean known)
{
  gint64 since = get_unknown_since (self);

  if (known)
    since = 0;
  else if (since == 0)
    since = g_get_monotonic_time ();
  __atomic_store_n (&self->unknown_since, since, __ATOMIC_RELAXED);
}

gboolean
zc_reap_item_is_done (ZcReapItem *self)
{
  ZcEventState state;

  if (self->is_done)
    return self->is_done (self->data);
  if (!self->event)
    return TRUE;
  state = zc_context_ask_event (self->context, self->event);
  note_answer (self, state != ZC_EVENT_UNKNOWN);
  return state == ZC_EVENT_OVER;
}

gboolean
zc_reap_item_is_stuck (const ZcReapItem *self)
{
  gint64 since = get_unknown_since (self);

  return since > 0 && g_get_monotonic_time () - since > PATIENCE_US;
}

static gboolean
wait_for_context (ZcContext *context)
{
  g_autoptr (ZcDeviceSync) sync = zc_device_sync_new (context);
  g_autoptr (GError) error = NULL;

  return zc_device_sync_once (sync, &error) || zc_cuda_error_is_over (error);
}

gboolean
zc_reap_item_run (ZcReapItem *self)
{
  if (!self->event && !self->is_done) {
    gboolean known = wait_for_context (self->context);

    note_answer (self, known);
    if (!known)
      return FALSE;
  }
  self->func (self->data);
  return TRUE;
}
