/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "calls.h"

#include <dlfcn.h>

#define MAX_FUNCTIONS 24

static const gchar *const functions[CALLS_N_KINDS][MAX_FUNCTIONS] = {
  [CALLS_HOST_WAITS] = { "cuStreamSynchronize", "cuEventSynchronize",
      "cuCtxSynchronize", "cuMemcpy", "cuMemcpyPeer", "cuMemcpyHtoD_v2",
      "cuMemcpyDtoH_v2", "cuMemcpyDtoD_v2", "cuMemcpy2D_v2",
      "cuMemcpy2DUnaligned_v2", "cuMemcpy3D_v2", "cuMemsetD8_v2",
      "cuMemsetD2D8_v2" },
  [CALLS_ALLOCATIONS] = { "cuMemAlloc_v2", "cuMemAllocPitch_v2",
      "cuMemAllocHost_v2", "cuMemHostAlloc", "cuMemAllocManaged",
      "cuMemAllocAsync", "cuMemFree_v2", "cuMemFreeHost", "cuMemFreeAsync",
      "cuMemCreate", "cuMemRelease" },
  [CALLS_EVENTS] = { "cuEventCreate", "cuEventDestroy_v2" },
  [CALLS_STREAMS] = { "cuStreamCreate", "cuStreamCreateWithPriority",
      "cuStreamDestroy_v2" },
  [CALLS_REGISTRATIONS] = { "cuMemHostRegister_v2", "cuMemHostUnregister" },
  [CALLS_SET_CURRENT] = { "cuCtxSetCurrent" },
  [CALLS_MODULES] = { "cuModuleLoad", "cuModuleLoadData", "cuModuleLoadDataEx",
      "cuModuleLoadFatBinary", "cuModuleUnload" },
};

typedef unsigned long (*CallsFunc) (const char *name);

static CallsFunc
find (const gchar *name)
{
  gpointer driver = dlopen ("libcuda.so.1", RTLD_NOW);

  return driver ? (CallsFunc) dlsym (driver, name) : NULL;
}

gboolean
calls_are_counted (void)
{
  if (find ("counter_calls"))
    return TRUE;
  g_test_skip ("the libcuda.so.1 found first is not the one that counts");
  return FALSE;
}

gulong
calls_of (const gchar *function)
{
  return find ("counter_calls") (function);
}

gulong
calls_beginning (const gchar *prefix)
{
  return find ("counter_calls_of") (prefix);
}

void
calls_get (Calls *calls)
{
  for (guint kind = 0; kind < CALLS_N_KINDS; kind++) {
    calls->n[kind] = 0;
    for (guint i = 0; functions[kind][i]; i++)
      calls->n[kind] += calls_of (functions[kind][i]);
  }
}

const gchar *
calls_kind_name (CallKind kind)
{
  static const gchar *const names[] = { "host waits", "allocations and frees",
    "events made", "streams made", "registrations", "cuCtxSetCurrent",
    "modules loaded" };

  return names[kind];
}

const gchar *const *
calls_functions (CallKind kind)
{
  return functions[kind];
}
