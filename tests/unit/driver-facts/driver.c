/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "driver.h"

#include <dlfcn.h>

Driver cu;

static const char *
load_symbols (void *library)
{
#define LOAD(name)                                                             \
  if (!(cu.name = (__typeof__ (cu.name)) dlsym (library, G_STRINGIFY (name)))) \
    return G_STRINGIFY (name) " is missing";
  DRIVER_CALLS (LOAD)
#undef LOAD
  cu.create_context =
      (__typeof__ (cu.create_context)) dlsym (library, "cuCtxCreate_v2");
  return cu.create_context ? NULL : "cuCtxCreate_v2 is missing";
}

static const char *
load (void)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW);
  const char *missing = library ? load_symbols (library) : dlerror ();

  if (missing)
    return missing;
  return cu.cuInit (0) == CUDA_SUCCESS ? NULL : "cuInit finds no device";
}

gboolean
driver_load (const char **why)
{
  static gsize loaded;
  static const char *missing;

  if (g_once_init_enter (&loaded)) {
    missing = load ();
    g_once_init_leave (&loaded, 1);
  }
  *why = missing;
  return missing == NULL;
}

gboolean
driver_is_softcuda (void)
{
  return dlsym (dlopen ("libcuda.so.1", RTLD_NOW), "softcuda_fail") != NULL;
}

void
scene_set_up (Scene *scene, gconstpointer data)
{
  const char *why;

  scene->ready = driver_load (&why);
  if (!scene->ready) {
    g_test_skip (why);
    return;
  }
  OK (create_context (&scene->ctx, 0, 0));
  OK (cuStreamCreate (&scene->stream, CU_STREAM_NON_BLOCKING));
  OK (cuStreamCreate (&scene->other, CU_STREAM_NON_BLOCKING));
}

void
scene_tear_down (Scene *scene, gconstpointer data)
{
  CUcontext current;

  NEEDS (scene);
  OK (cuCtxSynchronize ());
  OK (cuStreamDestroy (scene->other));
  OK (cuStreamDestroy (scene->stream));
  OK (cuCtxDestroy (scene->ctx));
  OK (cuCtxGetCurrent (&current));
  g_assert_null (current);
}
