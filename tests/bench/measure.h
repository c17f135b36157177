/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/gst.h>

/* Plays a pipeline that never ends by itself, whose sink is named "sink", for
 * some time after a warm-up. Returns the microseconds a frame, the wait for the
 * last frame's pixels included; below 0 with @error set if it does not play. */
gdouble measure_pipeline (const gchar *description, gdouble seconds,
    GError **error);

typedef struct
{
  gdouble us;     /* microseconds a frame, as above */
  gdouble cpu_us; /* of all threads of the process */
} MeasuredTime;

/* The same. Returns FALSE with @error set if it does not play. */
gboolean measure_pipeline_cpu (const gchar *description, gdouble seconds,
    MeasuredTime *time, GError **error);
