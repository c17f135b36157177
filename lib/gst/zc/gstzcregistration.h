/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: page-locks memory of others that comes again and again, so that it
 * is copied as fast as memory that was page-locked from the start: the buffers
 * of a foreign pool, of a capture device, of a display.
 *
 * It is done when one element sees one GstMemory for the third time, and tied
 * to that object: unregistered by a destroy notify, before its owner frees the
 * bytes. Never to an address, where other bytes may lie the next time. Those
 * that share a parent count as the parent.
 *
 * Registering takes a millisecond, during which other threads' driver calls
 * wait too: a thread of its own does it, and frames go another way meanwhile.
 * Unregistering waits for the whole device. It happens when the memory is
 * destroyed, where that is, and when the last element stops that uses it. Where
 * registered memory turns out to be destroyed soon, an element asks for more
 * and more sights.
 *
 * The driver may refuse: too many bytes, bytes that are registered already, a
 * system that can't (WSL2). That is remembered with the memory and does no
 * harm.
 *
 * Thread safety: a registrar belongs to one element; its calls may come from
 * any thread, but none during zc_registrar_free(). */

#include <gst/zc/gstzccontext-private.h>

G_BEGIN_DECLS

/* What one element has registered. */
typedef struct _ZcRegistrar ZcRegistrar;

/* At most @max_bytes at a time. */
ZcRegistrar *zc_registrar_new (ZcContext *context, gsize max_bytes);
/* Unregisters what only this one uses. No copy may be under way. */
void zc_registrar_free (ZcRegistrar *self);

/* Bytes that are registered for it. */
gsize zc_registrar_get_bytes (ZcRegistrar *self);

typedef enum
{
  ZC_SIGHT_NOTHING, /* not registered by any element */
  ZC_SIGHT_UNSURE, /* registered, but not for as long as it takes */
  ZC_SIGHT_REGISTERED /* as long as the memory is there, and @self */
} ZcSight;

/* Once for each memory of each frame: @map is to be copied from or to. What is
 * to be said of its bytes. Asks no driver and waits for nobody. */
ZcSight zc_registrar_look (ZcRegistrar *self, const GstMapInfo *map);

/* TRUE if [@data, @data + @size) is page-locked, by whomever. Asks the driver,
 * of which any context is current. */
gboolean zc_host_is_locked (gconstpointer data, gsize size);

G_END_DECLS
