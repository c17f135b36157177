/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "busy.h"

#define SHORT (60 * G_TIME_SPAN_MILLISECOND)
#define LONG (5 * G_TIME_SPAN_SECOND)

static void CUDA_CB
hold (void *data)
{
  Busy *busy = data;

  g_mutex_lock (&busy->mutex);
  while (!busy->released && !busy->gave_up)
    busy->gave_up = !g_cond_wait_until (&busy->cond, &busy->mutex, busy->until);
  busy->done = TRUE;
  g_cond_broadcast (&busy->cond);
  g_mutex_unlock (&busy->mutex);
}

static void
start (Busy *busy, CUstream stream, gint64 span)
{
  *busy = (Busy) { .until = g_get_monotonic_time () + span };
  g_mutex_init (&busy->mutex);
  g_cond_init (&busy->cond);
  OK (cuLaunchHostFunc (stream, hold, busy));
}

void
busy_start (Busy *busy, CUstream stream)
{
  start (busy, stream, SHORT);
}

void
busy_hold (Busy *busy, CUstream stream)
{
  start (busy, stream, LONG);
}

gboolean
busy_done (Busy *busy)
{
  gboolean done;

  g_mutex_lock (&busy->mutex);
  done = busy->done;
  g_mutex_unlock (&busy->mutex);
  return done;
}

void
busy_release (Busy *busy)
{
  g_assert_false (busy_done (busy));
  g_mutex_lock (&busy->mutex);
  busy->released = TRUE;
  g_cond_broadcast (&busy->cond);
  g_mutex_unlock (&busy->mutex);
  busy_finish (busy);
}

void
busy_finish (Busy *busy)
{
  g_mutex_lock (&busy->mutex);
  while (!busy->done)
    g_cond_wait (&busy->cond, &busy->mutex);
  g_mutex_unlock (&busy->mutex);
  g_mutex_clear (&busy->mutex);
  g_cond_clear (&busy->cond);
}

void
busy_begin (Busy *busy, CUstream stream, gboolean waits)
{
  if (waits)
    busy_start (busy, stream);
  else
    busy_hold (busy, stream);
}

void
busy_end (Busy *busy, gboolean waits)
{
  g_assert_cmpint (busy_done (busy), ==, waits);
  if (waits)
    busy_finish (busy);
  else
    busy_release (busy);
}
