/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Frames through a few pipelines, while caps, directions, pools and states change
 * and pipelines come and go, all at random. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  gint frames; /* this many, in all */
  gint seconds; /* or, if not 0, as many as come in this time */
  gint seed;
} SoakOptions;

void soak_frames (const SoakOptions *options);

G_END_DECLS
