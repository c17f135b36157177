/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "info.h"
#include "zcjson.h"

static void
add_driver (ZcJson *json, const GstStructure *driver)
{
  guint version = 0, devices = 0;

  zc_json_open (json, "driver", '{');
  gst_structure_get_uint (driver, "version", &version);
  gst_structure_get_uint (driver, "devices", &devices);
  zc_json_string (json, "path", gst_structure_get_string (driver, "path"));
  zc_json_int (json, "cuda-version", version);
  zc_json_int (json, "devices", devices);
  zc_json_string (json, "error", gst_structure_get_string (driver, "error"));
  zc_json_close (json, '}');
}

static void
add_peers (ZcJson *json, const gchar *peers)
{
  g_auto (GStrv) numbers = g_strsplit (peers, " ", -1);

  zc_json_open (json, "peers", '[');
  for (guint i = 0; numbers[i] != NULL && g_ascii_isdigit (*numbers[i]); i++)
    zc_json_int (json, NULL, g_ascii_strtoll (numbers[i], NULL, 10));
  zc_json_close (json, ']');
}

static void
add_facts (ZcJson *json, const GstStructure *info)
{
  guint major, minor;
  guint64 memory;
  gboolean active;

  gst_structure_get (info, "major", G_TYPE_UINT, &major, "minor", G_TYPE_UINT,
      &minor, "memory", G_TYPE_UINT64, &memory, "primary-context-active",
      G_TYPE_BOOLEAN, &active, NULL);
  zc_json_string (json, "name", gst_structure_get_string (info, "name"));
  zc_json_string (json, "pci-bus-id",
      gst_structure_get_string (info, "pci-bus-id"));
  zc_json_string (json, "uuid", gst_structure_get_string (info, "uuid"));
  zc_json_int (json, "compute-capability", major * 10 + minor);
  zc_json_int (json, "memory", memory);
  zc_json_string (json, "kernels", gst_structure_get_string (info, "kernels"));
  zc_json_bool (json, "primary-context-active", active);
}

static void
add_rates (ZcJson *json, const ZcRates *rates)
{
  zc_json_open (json, "bytes-per-second", '{');
  zc_json_int (json, "up-pinned", rates->up_pinned);
  zc_json_int (json, "up-pageable", rates->up_pageable);
  zc_json_int (json, "down-pinned", rates->down_pinned);
  zc_json_int (json, "down-pageable", rates->down_pageable);
  zc_json_close (json, '}');
}

static void
add_self_test (ZcJson *json, const ZcSelfTest *test)
{
  zc_json_open (json, "self-test", '{');
  zc_json_bool (json, "ran", test->ran);
  zc_json_bool (json, "passed", test->passed);
  zc_json_int (json, "pictures", test->n_pictures);
  zc_json_decimal (json, "seconds", test->seconds * 1000, 3);
  zc_json_close (json, '}');
}

static void
add_device (ZcJson *json, const ZcDevice *device)
{
  zc_json_open (json, NULL, '{');
  zc_json_int (json, "number", device->number);
  if (device->info != NULL) {
    add_facts (json, device->info);
    add_peers (json, device->peers);
    zc_json_string (json, "context", device->context);
    add_rates (json, &device->rates);
    add_self_test (json, &device->self_test);
  }
  zc_json_close (json, '}');
}

static void
add_neighbour (ZcJson *json, const ZcNeighbour *neighbour)
{
  zc_json_open (json, NULL, '{');
  zc_json_string (json, "name", neighbour->name);
  zc_json_bool (json, "found", neighbour->found);
  zc_json_string (json, "detail", neighbour->detail);
  zc_json_close (json, '}');
}

gchar *
zc_info_as_json (const ZcInfo *self)
{
  GString *text = g_string_new (NULL);
  ZcJson json = ZC_JSON_INIT (text);

  zc_json_open (&json, NULL, '{');
  zc_json_string (&json, "version", ZC_VERSION);
  zc_json_string (&json, "gstreamer", self->gstreamer);
  zc_json_string (&json, "elements", self->plugin);
  zc_json_string (&json, "kernels", gst_zc_kernel_architectures ());
  add_driver (&json, self->driver);
  zc_json_open (&json, "devices", '[');
  for (guint i = 0; i < self->devices->len; i++)
    add_device (&json, g_ptr_array_index (self->devices, i));
  zc_json_close (&json, ']');
  zc_json_open (&json, "neighbours", '[');
  for (guint i = 0; i < self->neighbours->len; i++)
    add_neighbour (&json, g_ptr_array_index (self->neighbours, i));
  zc_json_close (&json, ']');
  zc_json_open (&json, "problems", '[');
  for (guint i = 0; i < self->problems->len; i++)
    zc_json_string (&json, NULL, g_ptr_array_index (self->problems, i));
  zc_json_close (&json, ']');
  zc_json_close (&json, '}');
  g_string_append_c (text, '\n');
  return g_string_free (text, FALSE);
}
