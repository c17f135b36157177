/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* An owner who counts how often its pixels came back. */
#pragma once

#include "fuzz.h"

G_BEGIN_DECLS

/* A GDestroyNotify for a gint. */
static inline void
fuzz_notify (gpointer count)
{
  g_atomic_int_inc ((gint *) count);
}

/* Fails unless it comes to @n, soon; a thread of the library may be behind. */
static inline void
fuzz_wait_for_notify (gint *count, gint n)
{
  gint64 end = g_get_monotonic_time () + 5 * G_TIME_SPAN_SECOND;

  while (g_atomic_int_get (count) < n && g_get_monotonic_time () < end)
    g_usleep (20);
  fuzz_assert (g_atomic_int_get (count) == n);
}

G_END_DECLS
