/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcregistration-private.h"

/* The first sights of a memory. It comes back, then, and is worth it. */
#define N_SIGHTS 3
/* Refusals after which an element does not try again. */
#define MAX_REFUSED 8

gboolean
zc_registrar_join (ZcRegistrar *user, ZcRegistration *self)
{
  if (g_ptr_array_find (self->users, user, NULL))
    return TRUE;
  if (self->size > user->max_bytes - user->taken)
    return FALSE;
  g_ptr_array_add (self->users, user);
  g_ptr_array_add (user->registrations, zc_registration_ref (self));
  user->taken += self->size;
  if (self->state == ZC_REGISTRATION_REGISTERED)
    user->registered += self->size;
  return TRUE;
}

void
zc_registrar_leave (ZcRegistrar *user, ZcRegistration *self)
{
  g_ptr_array_remove_fast (self->users, user);
  user->taken -= self->size;
  if (self->state == ZC_REGISTRATION_REGISTERED)
    user->registered -= self->size;
  g_ptr_array_remove_fast (user->registrations, self);
}

/* The bytes of others, as a file's or a display's, may lie elsewhere each time
 * that they are mapped. */
static gboolean
stays_in_place (GstMemory *memory)
{
  static const gchar *const types[] = { GST_ALLOCATOR_SYSMEM, "shm",
    "V4l2Memory", "ximage", "xvimage" };

  if (memory->parent != NULL)
    return gst_memory_is_type (memory, GST_ALLOCATOR_SYSMEM);
  for (guint i = 0; i < G_N_ELEMENTS (types); i++) {
    if (gst_memory_is_type (memory, types[i]))
      return TRUE;
  }
  return FALSE;
}

static gboolean
has_bytes_of (const ZcRegistration *self, const GstMapInfo *map)
{
  return map->data >= self->base &&
      map->data + map->size <= self->base + self->size;
}

/* With the lock. Sights by several elements are no sign that memory comes
 * back. */
static gboolean
is_due (ZcRegistrar *self, ZcRegistration *registration)
{
  if (registration->watcher != self->id) {
    registration->watcher = self->id;
    registration->n_sights = 0;
  }
  return ++registration->n_sights >= self->n_sights &&
      self->n_refused < MAX_REFUSED;
}

/* With the lock. */
static ZcSight
look (ZcRegistrar *self, ZcRegistration *registration)
{
  switch (registration->state) {
    case ZC_REGISTRATION_SEEN:
      if (!is_due (self, registration) ||
          !zc_registrar_join (self, registration))
        return ZC_SIGHT_NOTHING;
      zc_registration_want (registration, self->context);
      return ZC_SIGHT_UNSURE;
    case ZC_REGISTRATION_REFUSED:
      return ZC_SIGHT_NOTHING;
    case ZC_REGISTRATION_REGISTERED:
      if (!zc_registrar_join (self, registration))
        return ZC_SIGHT_UNSURE;
      registration->n_uses++;
      return ZC_SIGHT_REGISTERED;
    default:
      return ZC_SIGHT_UNSURE;
  }
}

ZcSight
zc_registrar_look (ZcRegistrar *self, const GstMapInfo *map)
{
  ZcSight sight = ZC_SIGHT_NOTHING;
  ZcRegistration *registration;

  if (self->max_bytes == 0 || !stays_in_place (map->memory))
    return ZC_SIGHT_NOTHING;
  g_mutex_lock (&zc_registration_lock);
  registration = zc_registration_get (map);
  if (has_bytes_of (registration, map))
    sight = look (self, registration);
  g_mutex_unlock (&zc_registration_lock);
  return sight;
}

static void
drop_registration (gpointer registration)
{
  zc_registration_unref (registration);
}

ZcRegistrar *
zc_registrar_new (ZcContext *context, gsize max_bytes)
{
  static guint64 n_made = 0;
  ZcRegistrar *self = g_new0 (ZcRegistrar, 1);

  self->context = zc_context_ref (context);
  self->max_bytes = max_bytes;
  self->n_sights = N_SIGHTS;
  self->registrations = g_ptr_array_new_with_free_func (drop_registration);
  g_mutex_lock (&zc_registration_lock);
  self->id = ++n_made;
  g_mutex_unlock (&zc_registration_lock);
  return self;
}

/* (transfer full) (nullable) */
static ZcRegistration *
any_of (ZcRegistrar *self)
{
  ZcRegistration *found = NULL;

  g_mutex_lock (&zc_registration_lock);
  if (self->registrations->len > 0)
    found = zc_registration_ref (g_ptr_array_index (self->registrations, 0));
  g_mutex_unlock (&zc_registration_lock);
  return found;
}

static void
give_up (ZcRegistrar *self, ZcRegistration *registration)
{
  gboolean last = FALSE;

  g_mutex_lock (&registration->driver);
  g_mutex_lock (&zc_registration_lock);
  /* Else the memory has been destroyed meanwhile. */
  if (g_ptr_array_find (registration->users, self, NULL)) {
    zc_registrar_leave (self, registration);
    last = registration->users->len == 0 &&
        registration->state == ZC_REGISTRATION_REGISTERED;
  }
  if (last)
    registration->state = ZC_REGISTRATION_SEEN;
  g_mutex_unlock (&zc_registration_lock);
  if (last)
    zc_registration_undo (registration);
  zc_registration_unlock_driver (registration);
}

void
zc_registrar_free (ZcRegistrar *self)
{
  ZcRegistration *registration;

  if (self == NULL)
    return;
  while ((registration = any_of (self)) != NULL) {
    give_up (self, registration);
    zc_registration_unref (registration);
  }
  g_ptr_array_unref (self->registrations);
  zc_context_unref (self->context);
  g_free (self);
}

gsize
zc_registrar_get_bytes (ZcRegistrar *self)
{
  gsize bytes;

  g_mutex_lock (&zc_registration_lock);
  bytes = self->registered;
  g_mutex_unlock (&zc_registration_lock);
  return bytes;
}
