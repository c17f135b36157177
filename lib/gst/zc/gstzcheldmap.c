/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcheldmap.h"

/* In the memory's qdata, made once. */
typedef struct
{
  GMutex lock; /* its own: mapping may take its time */
  GstMapInfo map;
  guint holders;
} HeldMap;

static void
held_map_free (gpointer data)
{
  HeldMap *self = data;

  g_mutex_clear (&self->lock);
  g_free (self);
}

static HeldMap *
held_map_get (GstMemory *memory)
{
  static GMutex lock;
  GQuark quark = g_quark_from_static_string ("gst-zc-held-map");
  GstMiniObject *object = GST_MINI_OBJECT_CAST (memory);
  HeldMap *self;

  g_mutex_lock (&lock);
  self = gst_mini_object_get_qdata (object, quark);
  if (self == NULL) {
    self = g_new0 (HeldMap, 1);
    g_mutex_init (&self->lock);
    gst_mini_object_set_qdata (object, quark, self, held_map_free);
  }
  g_mutex_unlock (&lock);
  return self;
}

gboolean
zc_held_map (GstMemory *memory, GstMapInfo *map)
{
  HeldMap *self = held_map_get (memory);
  gboolean mapped;

  g_mutex_lock (&self->lock);
  mapped =
      self->holders > 0 || gst_memory_map (memory, &self->map, GST_MAP_READ);
  if (mapped) {
    self->holders++;
    *map = self->map;
  }
  g_mutex_unlock (&self->lock);
  return mapped;
}

void
zc_held_unmap (GstMemory *memory)
{
  HeldMap *self = held_map_get (memory);

  g_mutex_lock (&self->lock);
  if (--self->holders == 0)
    gst_memory_unmap (memory, &self->map);
  g_mutex_unlock (&self->lock);
}
