/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Driver calls of other libraries: softcuda, the CUDA driver on the CPU, tells
 * of them. NVIDIA's driver does not. */

#include <dlfcn.h>
#include <string.h>

#include "gstzctrace-private.h"

/* As softcuda.h has it. */
typedef void (*WatchFunc) (const char *call, const char *what, void *stream,
    uint64_t bytes, int64_t start, int64_t end, void *data);

static const gchar *const deeds[] = {
  [GST_ZC_TRACE_UPLOAD] = "upload",
  [GST_ZC_TRACE_DOWNLOAD] = "download",
  [GST_ZC_TRACE_DEVICE_COPY] = "device-copy",
  [GST_ZC_TRACE_KERNEL] = "kernel",
  [GST_ZC_TRACE_HOST_WAIT] = "host-wait",
  [GST_ZC_TRACE_EVENT_WAIT] = "event-wait",
  [GST_ZC_TRACE_DEVICE_ALLOC] = "allocation",
  [GST_ZC_TRACE_HOST_ALLOC] = "host-allocation",
};

static GstZcTraceDeed
deed_called (const gchar *what)
{
  for (guint i = 0; i < G_N_ELEMENTS (deeds); i++)
    if (g_strcmp0 (deeds[i], what) == 0)
      return i;
  return GST_ZC_TRACE_OTHER;
}

static void
watch (const char *name, const char *what, void *stream, uint64_t bytes,
    int64_t start, int64_t end, void *data)
{
  const GstZcTraceFuncs *funcs = zc_trace_funcs ();
  GstZcTraceCall call = {
    .name = name,
    .deed = deed_called (what),
    .start = start,
    .end = end,
    .bytes = bytes,
    .stream = stream,
  };

  if (funcs && !zc_trace_in_own_call ())
    funcs->call (&call);
}

gboolean
zc_trace_watch_others (gpointer library)
{
  void (*softcuda_watch) (WatchFunc func, void *data);

  *(gpointer *) &softcuda_watch = dlsym (library, "softcuda_watch");
  if (!softcuda_watch)
    return FALSE;
  softcuda_watch (watch, NULL);
  return TRUE;
}
