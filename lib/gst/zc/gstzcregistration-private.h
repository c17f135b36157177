/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: what the two sides of a registration share: the memory's, which
 * calls the driver, and the elements', which count bytes and sights. */

#include <gst/zc/gstzcregistration.h>

G_BEGIN_DECLS

typedef enum
{
  ZC_REGISTRATION_SEEN,
  ZC_REGISTRATION_WANTED, /* the worker is to register it */
  ZC_REGISTRATION_REGISTERED,
  ZC_REGISTRATION_REFUSED
} ZcRegistrationState;

/* In the qdata of a memory, made when it is first seen. Users and the worker
 * hold it too, but never the memory: a pool throws away what somebody
 * references. */
typedef struct
{
  gatomicrefcount refcount;
  guint8 *base;
  gsize size;

  GMutex driver; /* held to register and to unregister */

  /* Under the one lock. */
  ZcContext *context; /* owned; of who wanted it, as long as it is used */
  ZcRegistrationState state;
  gboolean gone; /* the memory is being destroyed */
  GPtrArray *users; /* of ZcRegistrar, which leave before they go */
  guint64 watcher; /* who saw it first and counts */
  guint n_sights;
  guint n_uses;
} ZcRegistration;

struct _ZcRegistrar
{
  ZcContext *context; /* owned */
  gsize max_bytes;
  guint64 id; /* never used again */

  /* Under the one lock. */
  GPtrArray *registrations; /* owned ZcRegistration */
  gsize taken; /* bytes, those included that are wanted */
  gsize registered; /* bytes */
  guint n_sights; /* needed */
  guint n_refused;
};

/* For all that is said to be under it. No driver is called with it. */
extern GMutex zc_registration_lock;

/* gstzcregistration.c */
ZcRegistration *zc_registration_ref (ZcRegistration *self);
void zc_registration_unref (ZcRegistration *self);
/* With the lock. The one of all bytes of the memory that @map is of, or of its
 * parent: made when first seen. (transfer none) */
ZcRegistration *zc_registration_get (const GstMapInfo *map);
/* With the lock: the worker is to register it in @context. */
void zc_registration_want (ZcRegistration *self, ZcContext *context);
/* With the driver lock. */
void zc_registration_undo (ZcRegistration *self);
/* Gives the driver lock up, and the context if it is not needed any more. */
void zc_registration_unlock_driver (ZcRegistration *self);

/* gstzcregistrar.c, with the lock. Who uses memory counts its bytes. FALSE if
 * they are too many. */
gboolean zc_registrar_join (ZcRegistrar *self, ZcRegistration *registration);
void zc_registrar_leave (ZcRegistrar *self, ZcRegistration *registration);

G_END_DECLS
