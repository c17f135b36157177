/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Microseconds a frame of the eight orientations: on the device alone, next to
 * a linear copy of the same bytes; through GStreamer, next to its own elements;
 * and what zcflip costs the CPU. */

#include "figures.h"
#include "flipdevice.h"
#include "flippipelines.h"

#include <stdlib.h>

static gdouble seconds = 0.5;
static gchar *part = NULL;
static gchar **formats = NULL;

static const GOptionEntry options[] = {
  { "seconds", 's', 0, G_OPTION_ARG_DOUBLE, &seconds,
      "how long each pipeline is measured (0.5)", "N" },
  { "part", 'p', 0, G_OPTION_ARG_STRING, &part,
      "measure this only: device, pipelines or cpu", "NAME" },
  { "format", 'f', 0, G_OPTION_ARG_STRING_ARRAY, &formats,
      "a format to measure; may come several times (all)", "FORMAT" },
  { NULL },
};

static gboolean
wants (const gchar *name)
{
  return part == NULL || g_str_equal (part, name);
}

int
main (int argc, char **argv)
{
  Figures *figures = figures_begin ("flip", options, &argc, &argv);
  g_autoptr (GError) error = NULL;
  gboolean ok = TRUE;
  int status;

  if (wants ("device"))
    ok = flip_on_device (figures, formats, &error);
  if (ok && wants ("pipelines"))
    flip_in_pipelines (figures, formats, seconds);
  if (ok && wants ("cpu"))
    flip_on_cpu (figures, formats, seconds);
  status = figures_end (figures);
  if (ok)
    return status;
  g_printerr ("%s\n", error->message);
  return EXIT_FAILURE;
}
