/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "driver.h"

#include <dlfcn.h>
#include <gst/gst.h>

BenchDriver cu;

static const char *
load_symbols (void *library)
{
#define LOAD(name)                                                             \
  if (!(cu.name = (__typeof__ (cu.name)) dlsym (library, G_STRINGIFY (name)))) \
    return "libcuda.so.1 has no " G_STRINGIFY (name);
  BENCH_DRIVER_CALLS (LOAD)
#undef LOAD
  cu.elapsed_time =
      (__typeof__ (cu.elapsed_time)) dlsym (library, "cuEventElapsedTime");
  return cu.elapsed_time ? NULL : "libcuda.so.1 has no cuEventElapsedTime";
}

gboolean
driver_load (GError **error)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW);
  const char *wrong = library ? load_symbols (library) : dlerror ();

  if (!wrong && cu.cuInit (0) != CUDA_SUCCESS)
    wrong = "cuInit finds no device";
  if (wrong)
    g_set_error_literal (error, GST_LIBRARY_ERROR, GST_LIBRARY_ERROR_INIT,
        wrong);
  return wrong == NULL;
}
