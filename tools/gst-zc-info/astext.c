/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <string.h>

#include "info.h"

#define LABEL 12
#define WIDTH 78

/* A line with a label; the words of a long text go on below. */
G_GNUC_PRINTF (3, 4)
static void
row (GString *text, const gchar *label, const gchar *format, ...)
{
  g_autofree gchar *value = NULL;
  g_auto (GStrv) words = NULL;
  gsize column = LABEL;
  va_list args;

  va_start (args, format);
  value = g_strdup_vprintf (format, args);
  va_end (args);
  words = g_strsplit (value, " ", -1);

  g_string_append_printf (text, "%-*s", LABEL, label);
  for (guint i = 0; words[i] != NULL; i++) {
    gsize length = g_utf8_strlen (words[i], -1);

    if (i > 0 && column + 1 + length > WIDTH) {
      g_string_append_printf (text, "\n%-*s", LABEL, "");
      column = LABEL;
    } else if (i > 0) {
      g_string_append_c (text, ' ');
      column++;
    }
    g_string_append (text, words[i]);
    column += length;
  }
  g_string_append_c (text, '\n');
}

static void
append_driver (GString *text, const ZcInfo *info)
{
  const gchar *path = gst_structure_get_string (info->driver, "path");
  guint version = 0;

  gst_structure_get_uint (info->driver, "version", &version);
  if (version > 0)
    row (text, "driver", "CUDA %u.%u, %s", version / 1000, version % 1000 / 10,
        path ? path : "from an unknown file");
  else if (path != NULL)
    row (text, "driver", "%s, which can't be used", path);
  else
    row (text, "driver", "none");
}

static const gchar *
kernels_text (const gchar *kernels)
{
  if (g_str_equal (kernels, "cubin"))
    return "there is code for it";
  return g_str_equal (kernels, "ptx") ? "the driver compiles them from PTX"
                                      : "none that runs on it";
}

static void
append_rates (GString *text, const ZcRates *rates)
{
  if (rates->up_pageable <= 0)
    return;
  row (text, "  up", "%.1f GB/s from pinned memory, %.1f from pageable",
      rates->up_pinned / 1e9, rates->up_pageable / 1e9);
  row (text, "  down", "%.1f GB/s to pinned memory, %.1f to pageable",
      rates->down_pinned / 1e9, rates->down_pageable / 1e9);
}

static void
append_self_test (GString *text, const ZcSelfTest *test)
{
  if (!test->ran)
    row (text, "  self-test", "not run");
  else
    row (text, "  self-test", "%s: %u pictures in %.2f s",
        test->passed ? "passed" : "FAILED", test->n_pictures, test->seconds);
}

static void
append_device (GString *text, const ZcDevice *device)
{
  g_autofree gchar *label = g_strdup_printf ("device %u", device->number);
  guint major, minor;
  guint64 memory;
  gboolean active;

  if (device->info == NULL) {
    row (text, label, "can't be used");
    return;
  }
  gst_structure_get (device->info, "major", G_TYPE_UINT, &major, "minor",
      G_TYPE_UINT, &minor, "memory", G_TYPE_UINT64, &memory,
      "primary-context-active", G_TYPE_BOOLEAN, &active, NULL);
  row (text, label, "%s, compute capability %u.%u, %.1f GiB, %s",
      gst_structure_get_string (device->info, "name"), major, minor,
      memory / 1073741824.0,
      gst_structure_get_string (device->info, "pci-bus-id"));
  row (text, "  uuid", "%s", gst_structure_get_string (device->info, "uuid"));
  row (text, "  kernels", "%s",
      kernels_text (gst_structure_get_string (device->info, "kernels")));
  row (text, "  context", "%s%s%s",
      device->context ? "the elements use the " : "",
      device->context ? device->context
          : active    ? "primary one in use"
                      : "none in use",
      device->context ? " one" : "");
  row (text, "  peers", "%s", device->peers);
  append_rates (text, &device->rates);
  append_self_test (text, &device->self_test);
}

static void
append_neighbours (GString *text, const ZcInfo *info)
{
  for (guint i = 0; i < info->neighbours->len; i++) {
    const ZcNeighbour *neighbour = g_ptr_array_index (info->neighbours, i);

    row (text, neighbour->name, "%s%s",
        neighbour->found ? "" : "not found: ", neighbour->detail);
  }
}

static void
append_problems (GString *text, const ZcInfo *info)
{
  if (info->problems->len == 0)
    g_string_append (text, "Nothing is wrong.\n");
  for (guint i = 0; i < info->problems->len; i++)
    row (text, "WRONG", "%s",
        (const gchar *) g_ptr_array_index (info->problems, i));
  if (info->problems->len > 0)
    row (text, "next",
        "docs/troubleshooting.md has a paragraph on each message; "
        "GST_DEBUG=zc:5,cuda*:5 gst-zc-info tells more");
}

gchar *
zc_info_as_text (const ZcInfo *self)
{
  const gchar *kernels = gst_zc_kernel_architectures ();
  GString *text = g_string_new (NULL);

  row (text, "gst-zc", "%s, %s", ZC_VERSION, self->gstreamer);
  row (text, "elements", "%s", self->plugin ? self->plugin : "not found");
  row (text, "kernels", "%s", *kernels ? kernels : "none in this build");
  append_driver (text, self);
  for (guint i = 0; i < self->devices->len; i++)
    append_device (text, g_ptr_array_index (self->devices, i));
  append_neighbours (text, self);
  append_problems (text, self);
  return g_string_free (text, FALSE);
}
