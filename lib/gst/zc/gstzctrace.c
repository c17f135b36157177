/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzctrace-private.h"

static const GstZcTraceFuncs *told; /* atomic */
static gint sees_own, sees_others; /* atomic */

const GstZcTraceFuncs *
zc_trace_funcs (void)
{
  return g_atomic_pointer_get (&told);
}

gboolean
gst_zc_trace_start (const GstZcTraceFuncs *funcs)
{
  return g_atomic_pointer_compare_and_exchange (&told, NULL, funcs);
}

/* What was replaced stays so and tells nobody. */
void
gst_zc_trace_stop (void)
{
  g_atomic_pointer_set (&told, NULL);
}

void
gst_zc_trace_load_driver (void)
{
  zc_cuda_init (NULL);
}

gboolean
gst_zc_trace_sees_own (void)
{
  return g_atomic_int_get (&sees_own);
}

gboolean
gst_zc_trace_sees_others (void)
{
  return g_atomic_int_get (&sees_others);
}

void
zc_trace_driver_loaded (gpointer library)
{
  if (!zc_trace_funcs ())
    return;
  zc_trace_driver_wrap ();
  g_atomic_int_set (&sees_own, TRUE);
  g_atomic_int_set (&sees_others, zc_trace_watch_others (library));
  zc_trace_memory_watch_allocators ();
}

void
zc_trace_context_ends (CUcontext context)
{
  if (gst_zc_trace_sees_own ())
    zc_trace_work_context_ends (context);
}
