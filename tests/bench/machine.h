/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What a figure was measured on. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gboolean soft;    /* softcuda, a CUDA driver on the CPU */
  gchar *gpu;       /* name of CUDA device 0 */
  gchar *driver;    /* version, as nvidia-smi shows it */
  gchar *cuda;      /* the newest that the driver serves */
  gchar *gstreamer; /* version that runs */
} Machine;

void machine_init (Machine *self);
void machine_clear (Machine *self);

G_END_DECLS
