/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Modules and launches. */

#include "control.h"

#include "fliplayout.h"
#include "flipfatbin.h"

#include <string.h>

#define KERNEL "zc_flip_copy"
#define SIZE 1000

typedef struct
{
  CUmodule module;
  CUfunction function;
} Loaded;

static gboolean
load (Loaded *loaded)
{
  if (zc_flip_fatbin_size == 0) {
    g_test_skip ("this build has no kernels");
    return FALSE;
  }
  OK (cuModuleLoadData (&loaded->module, zc_flip_fatbin));
  return TRUE;
}

static CUresult
launch (Scene *scene, const Loaded *loaded, ZcFlipArgs *args)
{
  void *params[] = { args };

  return cu.cuLaunchKernel (loaded->function, 1, 1, 1, 32, 1, 1, 0,
      scene->stream, params, NULL);
}

/* In place of the real kernel: writes 1 to the first plane's bytes, as many as
 * its width says. */
static void
fill_block (const void *data, const unsigned grid[3], const unsigned block[3],
    const unsigned index[3], void *shared)
{
  const ZcFlipArgs *args = data;

  memset ((void *) (gsize) args->plane[0].dst, 1, (gsize) args->plane[0].width);
}

static unsigned
fill_ranges (const void *data, SoftcudaRange *ranges, unsigned room)
{
  const ZcFlipArgs *args = data;

  ranges[0] = (SoftcudaRange) { .start = args->plane[0].dst,
    .width = (gsize) args->plane[0].height,
    .rows = 1,
    .write = 1 };
  return 1;
}

static void
test_own_twin (Scene *scene, gconstpointer data)
{
  ZcFlipArgs args = { .n_planes = 1 };
  Loaded loaded;
  CUdeviceptr memory;
  guint8 bytes[SIZE];

  NEEDS (scene);
  if (!load (&loaded))
    return;
  g_assert_true (panel->register_kernel (KERNEL, sizeof args, fill_block,
      fill_ranges));
  OK (cuModuleGetFunction (&loaded.function, loaded.module, KERNEL));
  OK (cuMemAlloc (&memory, SIZE));
  OK (cuMemsetD8 (memory, 0, SIZE));
  OK (cuCtxSynchronize ());
  args.plane[0] =
      (ZcFlipPlane) { .dst = memory, .width = SIZE - 1, .height = SIZE - 1 };
  g_assert_cmpint (launch (scene, &loaded, &args), ==, CUDA_SUCCESS);
  memset (&args, 0, sizeof args); /* the parameters were copied */
  OK (cuStreamSynchronize (scene->stream));
  OK (cuMemcpyDtoH (bytes, memory, SIZE));
  g_assert_cmpuint (bytes[SIZE - 2], ==, 1);
  g_assert_cmpuint (bytes[SIZE - 1], ==, 0);
  OK (cuMemFree (memory));
  OK (cuModuleUnload (loaded.module));
  g_assert_cmpuint (control_errors (), ==, 0);
}

/* @told bytes are what the kernel says it writes, @written what it does. */
static void
overrun (gsize told, gsize written)
{
  ZcFlipArgs args = { .n_planes = 1 };
  Scene lost = { 0 };
  Loaded loaded;
  CUdeviceptr memory;

  OK (create_context (&lost.ctx, 0, 0));
  if (load (&loaded)) {
    panel->register_kernel (KERNEL, sizeof args, fill_block, fill_ranges);
    OK (cuModuleGetFunction (&loaded.function, loaded.module, KERNEL));
    OK (cuMemAlloc (&memory, SIZE));
    args.plane[0] = (ZcFlipPlane) {
      .dst = memory, .width = (gint32) written, .height = (gint32) told
    };
    launch (&lost, &loaded, &args); /* may fail at once, by policy */
    EXPECT (CUDA_ERROR_ILLEGAL_ADDRESS, cuStreamSynchronize (NULL));
    g_assert_cmpuint (control_errors (), >=, 1);
  }
  OK (cuCtxDestroy (lost.ctx));
}

static void
test_overrun (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  overrun (SIZE + 1, SIZE);
  overrun (SIZE, SIZE + 1);
}

static void
test_refused (Scene *scene, gconstpointer data)
{
  static const char ptx[] = ".version 6.4\n.target sm_75\n";
  CUfunction function;
  CUmodule module;
  Loaded loaded;

  NEEDS (scene);
  EXPECT (CUDA_ERROR_JIT_COMPILER_NOT_FOUND, cuModuleLoadData (&module, ptx));
  if (!load (&loaded))
    return;
  EXPECT (CUDA_ERROR_NOT_FOUND,
      cuModuleGetFunction (&function, loaded.module, "zc_no_such_kernel"));
  panel->register_kernel (KERNEL, 8, fill_block, NULL);
  EXPECT (CUDA_ERROR_INVALID_IMAGE,
      cuModuleGetFunction (&function, loaded.module, KERNEL));
  OK (cuModuleUnload (loaded.module));
}

static void
test_no_code_for_device (Scene *scene, gconstpointer data)
{
  static const char *const devices[] = { "30", "74" };

  NEEDS (scene);
  if (zc_flip_fatbin_size == 0) {
    g_test_skip ("this build has no kernels");
    return;
  }
  for (guint i = 0; i < G_N_ELEMENTS (devices); i++)
    control_run_with ("/softcuda/kernels/subprocess/load",
        "SOFTCUDA_CAPABILITY", devices[i]);
}

/* Of PTX, where there is no code for so new a device. */
static void
test_ptx (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  if (zc_flip_fatbin_size == 0)
    g_test_skip ("this build has no kernels");
  else
    control_run_with ("/softcuda/kernels/subprocess/compile",
        "SOFTCUDA_CAPABILITY", "250");
}

static void
load_compiled (Scene *scene, gconstpointer data)
{
  CUmodule module;

  NEEDS (scene);
  OK (cuModuleLoadData (&module, zc_flip_fatbin));
  OK (cuModuleUnload (module));
}

static void
load_without_code (Scene *scene, gconstpointer data)
{
  CUmodule module;

  NEEDS (scene);
  EXPECT (CUDA_ERROR_NO_BINARY_FOR_GPU,
      cuModuleLoadData (&module, zc_flip_fatbin));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD_CONTROL_TEST ("/softcuda/kernels/own-twin", test_own_twin);
  ADD_CONTROL_TEST ("/softcuda/kernels/overrun", test_overrun);
  ADD_CONTROL_TEST ("/softcuda/kernels/refused", test_refused);
  ADD_CONTROL_TEST ("/softcuda/kernels/no-code", test_no_code_for_device);
  ADD_CONTROL_TEST ("/softcuda/kernels/ptx", test_ptx);
  ADD_CONTROL_TEST ("/softcuda/kernels/subprocess/load", load_without_code);
  ADD_CONTROL_TEST ("/softcuda/kernels/subprocess/compile", load_compiled);
  return g_test_run ();
}
