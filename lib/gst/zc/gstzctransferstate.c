/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzctransferstate.h"

#include "gstzcpinned.h"

#define MAX_STAGING ((gsize) 64 << 20)

void
zc_transfer_state_init (ZcTransferState *self, ZcContext *context,
    gsize max_bytes)
{
  *self = (ZcTransferState) {
    .context = zc_context_ref (context),
    .registrar = zc_registrar_new (context, max_bytes),
    .max_staging_bytes = MIN (max_bytes / 4, MAX_STAGING),
  };
}

static void
drop_staging (ZcTransferState *self)
{
  g_clear_pointer (&self->staging, zc_staging_free);
  __atomic_store_n (&self->staging_bytes, 0, __ATOMIC_RELAXED);
}

void
zc_transfer_state_clear (ZcTransferState *self)
{
  drop_staging (self);
  g_clear_pointer (&self->registrar, zc_registrar_free);
  g_clear_pointer (&self->context, zc_context_unref);
}

void
zc_transfer_state_set_picture (ZcTransferState *self, gsize bytes)
{
  if (bytes > self->picture_bytes) {
    drop_staging (self);
    self->is_refused = FALSE;
  }
  self->picture_bytes = bytes;
}

gsize
zc_transfer_state_get_registered (ZcTransferState *self)
{
  return self->registrar != NULL ? zc_registrar_get_bytes (self->registrar) : 0;
}

gsize
zc_transfer_state_get_staging (ZcTransferState *self)
{
  return __atomic_load_n (&self->staging_bytes, __ATOMIC_RELAXED);
}

static gboolean
has_staging (ZcTransferState *self)
{
  g_autoptr (GError) error = NULL;

  if (self->staging != NULL)
    return TRUE;
  if (self->is_refused)
    return FALSE;
  self->staging = zc_staging_new (self->context, self->picture_bytes,
      self->max_staging_bytes, &error);
  self->is_refused = self->staging == NULL;
  if (error != NULL)
    GST_WARNING ("The driver copies pageable memory by itself: %s",
        error->message);
  if (self->staging != NULL)
    __atomic_store_n (&self->staging_bytes, zc_staging_get_size (self->staging),
        __ATOMIC_RELAXED);
  return self->staging != NULL;
}

ZcRoute
zc_transfer_state_get_route (ZcTransferState *self, const GstMapInfo *map,
    gboolean up)
{
  ZcSight sight;

  if (gst_memory_is_type (map->memory, GST_ZC_PINNED_MEMORY_TYPE))
    return ZC_ROUTE_PINNED;
  sight = zc_registrar_look (self->registrar, map);
  if (sight == ZC_SIGHT_REGISTERED)
    return ZC_ROUTE_REGISTERED;
  if (sight == ZC_SIGHT_NOTHING && zc_host_is_locked (map->data, map->size))
    return ZC_ROUTE_PINNED;
  return up && has_staging (self) ? ZC_ROUTE_STAGED : ZC_ROUTE_PAGEABLE;
}
