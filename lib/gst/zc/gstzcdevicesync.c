/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcdevicesync.h"

struct _ZcDeviceSync
{
  ZcContext *context;           /* owned */
  GMutex lock;
  gboolean done;
};

ZcDeviceSync *
zc_device_sync_new (ZcContext *context)
{
  ZcDeviceSync *self = g_atomic_rc_box_new0 (ZcDeviceSync);

  self->context = zc_context_ref (context);
  g_mutex_init (&self->lock);
  return self;
}

ZcDeviceSync *
zc_device_sync_ref (ZcDeviceSync *self)
{
  return g_atomic_rc_box_acquire (self);
}

static void
device_sync_clear (gpointer data)
{
  ZcDeviceSync *self = data;

  g_mutex_clear (&self->lock);
  zc_context_unref (self->context);
}

void
zc_device_sync_unref (ZcDeviceSync *self)
{
  g_atomic_rc_box_release_full (self, device_sync_clear);
}

static gboolean
synchronize (ZcContext *context, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;

  return zc_context_push (context, &guard, error) &&
      ZC_CU (error, cuCtxSynchronize);
}

gboolean
zc_device_sync_once (ZcDeviceSync *self, GError **error)
{
  gboolean ok;

  g_mutex_lock (&self->lock);
  ok = self->done || synchronize (self->context, error);
  self->done = ok;
  g_mutex_unlock (&self->lock);
  return ok;
}
