/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcregistration-private.h"

#include "gstzcbarrier.h"

/* Uses without which registering was a waste, and what comes of it. */
#define N_USES 16
#define MAX_SIGHTS (1 << 20)

GMutex zc_registration_lock;

void
zc_registration_unref (ZcRegistration *self)
{
  if (!g_atomic_ref_count_dec (&self->refcount))
    return;
  g_ptr_array_unref (self->users);
  zc_context_unref (self->context);
  g_mutex_clear (&self->driver);
  g_free (self);
}

ZcRegistration *
zc_registration_ref (ZcRegistration *self)
{
  g_atomic_ref_count_inc (&self->refcount);
  return self;
}

static gboolean
register_bytes (ZcRegistration *self)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  g_autoptr (GError) error = NULL;

  if (zc_context_push (self->context, &guard, &error) &&
      ZC_CU (&error, cuMemHostRegister, self->base, self->size,
          CU_MEMHOSTREGISTER_PORTABLE))
    return TRUE;
  GST_INFO ("%" G_GSIZE_FORMAT " bytes stay pageable: %s", self->size,
      error->message);
  return FALSE;
}

/* After all copies: the driver waits, but does not promise to. */
void
zc_registration_undo (ZcRegistration *self)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  g_autoptr (GError) error = NULL;

  if (!zc_barrier_holds (ZC_BARRIER_UNREGISTER))
    return;
  if (!zc_context_push (self->context, &guard, &error) ||
      !ZC_CU (&error, cuMemHostUnregister, self->base))
    GST_WARNING ("Memory stays registered: %s", error->message);
}

void
zc_registration_unlock_driver (ZcRegistration *self)
{
  ZcContext *context = NULL;

  g_mutex_lock (&zc_registration_lock);
  if (self->state == ZC_REGISTRATION_SEEN ||
      self->state == ZC_REGISTRATION_REFUSED)
    context = g_steal_pointer (&self->context);
  g_mutex_unlock (&zc_registration_lock);
  g_mutex_unlock (&self->driver);
  /* Without a lock: it may be the last reference. */
  zc_context_unref (context);
}

/* The worker */

static gboolean
is_still_wanted (ZcRegistration *self)
{
  gboolean wanted;

  g_mutex_lock (&zc_registration_lock);
  wanted = self->state == ZC_REGISTRATION_WANTED && !self->gone &&
      self->users->len > 0;
  if (self->state == ZC_REGISTRATION_WANTED && !wanted)
    self->state = ZC_REGISTRATION_SEEN;
  g_mutex_unlock (&zc_registration_lock);
  return wanted;
}

static void
note_registered (ZcRegistration *self)
{
  g_mutex_lock (&zc_registration_lock);
  self->state = ZC_REGISTRATION_REGISTERED;
  self->n_uses = 0;
  for (guint i = 0; i < self->users->len; i++)
    ((ZcRegistrar *) g_ptr_array_index (self->users, i))->registered +=
        self->size;
  g_mutex_unlock (&zc_registration_lock);
}

static void
note_refused (ZcRegistration *self)
{
  g_mutex_lock (&zc_registration_lock);
  self->state = ZC_REGISTRATION_REFUSED;
  while (self->users->len > 0) {
    ZcRegistrar *user = g_ptr_array_index (self->users, 0);

    user->n_refused++;
    zc_registrar_leave (user, self);
  }
  g_mutex_unlock (&zc_registration_lock);
}

static void
work (gpointer data, gpointer unused)
{
  ZcRegistration *self = data;

  g_mutex_lock (&self->driver);
  if (is_still_wanted (self)) {
    if (register_bytes (self))
      note_registered (self);
    else
      note_refused (self);
  }
  zc_registration_unlock_driver (self);
  zc_registration_unref (self);
}

void
zc_registration_want (ZcRegistration *self, ZcContext *context)
{
  static gsize worker = 0;

  self->state = ZC_REGISTRATION_WANTED;
  if (self->context == NULL)
    self->context = zc_context_ref (context);
  if (g_once_init_enter (&worker))
    g_once_init_leave (&worker,
        (gsize) g_thread_pool_new (work, NULL, 1, FALSE, NULL));
  g_thread_pool_push ((GThreadPool *) worker, zc_registration_ref (self), NULL);
}

/* With the lock: who used it learns whether it was worth it. */
static void
dismiss_users (ZcRegistration *self)
{
  gboolean wasted =
      self->state == ZC_REGISTRATION_REGISTERED && self->n_uses < N_USES;

  while (self->users->len > 0) {
    ZcRegistrar *user = g_ptr_array_index (self->users, 0);

    if (wasted)
      user->n_sights = MIN (user->n_sights * 4, MAX_SIGHTS);
    zc_registrar_leave (user, self);
  }
}

/* The memory is being destroyed: its bytes are still there. The worker may be
 * at it, for a millisecond. */
static void
memory_is_gone (gpointer data)
{
  ZcRegistration *self = data;
  gboolean registered;

  g_mutex_lock (&self->driver);
  g_mutex_lock (&zc_registration_lock);
  self->gone = TRUE;
  dismiss_users (self);
  registered = self->state == ZC_REGISTRATION_REGISTERED;
  g_mutex_unlock (&zc_registration_lock);
  if (registered)
    zc_registration_undo (self);
  g_mutex_unlock (&self->driver);
  zc_registration_unref (self);
}

static GQuark
registration_quark (void)
{
  return g_quark_from_static_string ("gst-zc-registration");
}

static ZcRegistration *
registration_new (GstMemory *memory, guint8 *base)
{
  ZcRegistration *self = g_new0 (ZcRegistration, 1);

  g_atomic_ref_count_init (&self->refcount);
  g_mutex_init (&self->driver);
  self->users = g_ptr_array_new ();
  self->base = base;
  self->size = memory->maxsize;
  gst_mini_object_set_qdata (GST_MINI_OBJECT_CAST (memory),
      registration_quark (), self, memory_is_gone);
  return self;
}

ZcRegistration *
zc_registration_get (const GstMapInfo *map)
{
  GstMemory *memory = map->memory;
  GstMemory *root = memory->parent != NULL ? memory->parent : memory;
  ZcRegistration *self = gst_mini_object_get_qdata (GST_MINI_OBJECT_CAST (root),
      registration_quark ());

  return self != NULL ? self
                      : registration_new (root, map->data - memory->offset);
}

/* What the driver knows of a host address: nothing, if it is not page-locked. */
typedef struct
{
  CUmemorytype type;
  CUdeviceptr start;
  size_t size; /* 0: not told */
} Range;

static gboolean
is_host (gconstpointer address, Range *range)
{
  CUpointer_attribute attributes[] = { CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
    CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, CU_POINTER_ATTRIBUTE_RANGE_SIZE };
  void *answers[] = { &range->type, &range->start, &range->size };

  *range = (Range) { 0 };
  return ZC_CU (NULL, cuPointerGetAttributes, G_N_ELEMENTS (attributes),
             attributes, answers, (CUdeviceptr) (guintptr) address) &&
      range->type == CU_MEMORYTYPE_HOST;
}

gboolean
zc_host_is_locked (gconstpointer data, gsize size)
{
  CUdeviceptr address = (CUdeviceptr) (guintptr) data;
  Range range, last;

  if (size == 0 || !is_host (data, &range))
    return FALSE;
  if (range.size == 0)
    return is_host ((const guint8 *) data + size - 1, &last);
  return address >= range.start && address - range.start <= range.size &&
      size <= range.size - (address - range.start);
}
