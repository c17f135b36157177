/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "info.h"

static void
device_free (gpointer data)
{
  ZcDevice *device = data;

  g_clear_pointer (&device->info, gst_structure_free);
  g_free (device->peers);
  g_free (device->context);
  g_free (device);
}

static void
neighbour_free (gpointer data)
{
  ZcNeighbour *neighbour = data;

  g_free (neighbour->name);
  g_free (neighbour->detail);
  g_free (neighbour);
}

void
zc_info_init (ZcInfo *self)
{
  *self = (ZcInfo) {
    .devices = g_ptr_array_new_with_free_func (device_free),
    .neighbours = g_ptr_array_new_with_free_func (neighbour_free),
    .problems = g_ptr_array_new_with_free_func (g_free),
  };
}

void
zc_info_clear (ZcInfo *self)
{
  g_clear_pointer (&self->driver, gst_structure_free);
  g_free (self->gstreamer);
  g_free (self->plugin);
  g_ptr_array_unref (self->devices);
  g_ptr_array_unref (self->neighbours);
  g_ptr_array_unref (self->problems);
}

void
zc_info_add_problem (ZcInfo *self, const gchar *format, ...)
{
  va_list args;

  va_start (args, format);
  g_ptr_array_add (self->problems, g_strdup_vprintf (format, args));
  va_end (args);
}

void
zc_info_take_error (ZcInfo *self, const gchar *where, GError *error)
{
  zc_info_add_problem (self, "%s: %s", where,
      error ? error->message : "no reason was given");
  g_clear_error (&error);
}
