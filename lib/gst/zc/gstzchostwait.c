/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzchostwait.h"

/* A sleeping thread is woken some 50 us after the event, one that looks again
 * and again at once, but it keeps a CPU. So a thread sleeps for most of the time
 * that a wait usually takes, looks for this long, and then sleeps until the
 * driver wakes it. */
#define LOOK_US 150
/* Some frames come late for reasons of their own. */
#define LONGEST_NAP_US 4000

gboolean
zc_host_wait_begin (ZcHostWait *self, const ZcStreamKey *stream, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;

  self->context = zc_context_ref (stream->context);
  self->event = zc_context_take_host_event (self->context, error);
  return self->event != NULL &&
      zc_context_push (self->context, &guard, error) &&
      ZC_CU (error, cuEventRecord, self->event, stream->handle);
}

/* Errors count as done: the driver's wait says what they are. */
static gboolean
is_done (const ZcHostWait *self)
{
  return zc_cu.cuEventQuery (self->event) != CUDA_ERROR_NOT_READY;
}

/* Returns FALSE if it slept for too long. */
static gboolean
nap (const ZcHostWait *self, gint us)
{
  if (us <= 0 || is_done (self))
    return TRUE;
  g_usleep (us);
  return !is_done (self);
}

static void
look (const ZcHostWait *self)
{
  gint64 end = g_get_monotonic_time () + LOOK_US;

  while (!is_done (self) && g_get_monotonic_time () < end)
    ;
}

/* Shorter at once, longer by and by: to sleep too long costs more than to look
 * for too long. */
static gint
learn (gint usual_us, gint64 us)
{
  if (us < usual_us)
    return (gint) us;
  return (gint) MIN (usual_us + (us - usual_us) / 8, LONGEST_NAP_US + LOOK_US);
}

static gboolean
wait_for (const ZcHostWait *self, gint *usual_us, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  gint usual = usual_us ? g_atomic_int_get (usual_us) : 0;
  gint64 start = g_get_monotonic_time ();
  gboolean in_time;

  if (!zc_context_push (self->context, &guard, error))
    return FALSE;
  in_time = nap (self, usual - LOOK_US);
  if (in_time)
    look (self);
  if (!ZC_CU (error, cuEventSynchronize, self->event))
    return FALSE;
  if (usual_us)
    g_atomic_int_set (usual_us,
        in_time ? learn (usual, g_get_monotonic_time () - start) : usual / 2);
  return TRUE;
}

void
zc_host_wait_clear (ZcHostWait *self)
{
  if (self->event)
    zc_context_give_host_event (self->context, self->event);
  self->event = NULL;
  g_clear_pointer (&self->context, zc_context_unref);
}

gboolean
zc_host_wait_end (ZcHostWait *self, gint *usual_us, GError **error)
{
  gboolean ok = self->event != NULL && wait_for (self, usual_us, error);

  zc_host_wait_clear (self);
  return ok;
}
