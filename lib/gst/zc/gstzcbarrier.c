/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Only in builds for the mutation check. */

#include "gstzcbarrier.h"

#define NAME(name, text, kind, what) text,
static const gchar *const names[] = { ZC_BARRIERS (NAME) };
#undef NAME

static ZcBarrier
find_mutated (void)
{
  const gchar *name = g_getenv ("GST_ZC_MUTATE");
  guint i;

  if (!name || !*name)
    return ZC_N_BARRIERS;
  for (i = 0; i < ZC_N_BARRIERS; i++) {
    if (g_str_equal (names[i], name))
      return i;
  }
  /* Else a slip of the pen would look like a barrier that nobody misses. */
  g_error ("GST_ZC_MUTATE=%s is no barrier of this library", name);
}

gboolean
zc_barrier_holds (ZcBarrier barrier)
{
  static gsize mutated = 0;

  if (g_once_init_enter (&mutated))
    g_once_init_leave (&mutated, find_mutated () + 1);
  return barrier + 1 != mutated;
}
