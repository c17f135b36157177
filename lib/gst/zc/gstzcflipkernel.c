/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcflipkernel.h"

#include "flipfatbin.h"
#include "fliplayout.h"
#include "gstzcmodule.h"

struct _ZcKernels
{
  CUmodule module;
  CUfunction function[ZC_FLIP_N_KERNELS];
};

static const gchar *const function_names[ZC_FLIP_N_KERNELS] = {
#define ZC_FLIP_NAME(id, name) [ZC_FLIP_KERNEL_##id] = #name,
  ZC_FLIP_KERNELS (ZC_FLIP_NAME)
#undef ZC_FLIP_NAME
};

static gboolean
load_module (CUmodule *module, CUdevice device, GError **error)
{
  CUresult result;

  if (zc_flip_fatbin_size == 0) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "This build of gst-zc has no kernels; build it with nvcc, without "
        "-Dkernels=disabled, to turn or mirror pictures");
    return FALSE;
  }
  result = zc_cu.cuModuleLoadData (module, zc_flip_fatbin);
  if (!zc_module_nothing_fits (result))
    return zc_cuda_check (result, "cuModuleLoadData", error);
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
      "No kernel for CUDA device %d, which is sm_%d: this build has %s, and "
      "the "
      "driver can't make another from them; update the NVIDIA driver, or build "
      "gst-zc with a CUDA Toolkit that knows sm_%d",
      device, zc_module_capability (device), zc_flip_fatbin_architectures,
      zc_module_capability (device));
  return FALSE;
}

void
zc_kernels_free (ZcKernels *self)
{
  g_autoptr (GError) error = NULL;

  if (self->module && !ZC_CU (&error, cuModuleUnload, self->module))
    GST_WARNING ("A CUDA module stays loaded: %s", error->message);
  g_free (self);
}

/* All functions at once: a driver that loads lazily loads them here, too. */
static ZcKernels *
zc_kernels_new (CUdevice device, GError **error)
{
  ZcKernels *self = g_new0 (ZcKernels, 1);

  if (!load_module (&self->module, device, error))
    goto failed;
  for (guint i = 0; i < ZC_FLIP_N_KERNELS; i++) {
    if (!ZC_CU (error, cuModuleGetFunction, &self->function[i], self->module,
            function_names[i]))
      goto failed;
  }
  return self;

failed:
  zc_kernels_free (self);
  return NULL;
}

gboolean
zc_kernels_load (ZcContext *context, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  gboolean ok;

  if (g_atomic_pointer_get (&context->kernels))
    return TRUE;
  if (!zc_context_push (context, &guard, error))
    return FALSE;

  g_mutex_lock (&context->lock);
  if (!context->kernels)
    g_atomic_pointer_set (&context->kernels,
        zc_kernels_new (context->device, error));
  ok = context->kernels != NULL;
  g_mutex_unlock (&context->lock);
  return ok;
}

gboolean
zc_kernels_launch_flip (const ZcStreamKey *stream, const ZcFlipArgs *args,
    GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  ZcFlipArgs placed = *args;
  void *params[] = { &placed };
  ZcFlipLaunch launch;

  if (!zc_kernels_load (stream->context, error) ||
      !zc_context_push (stream->context, &guard, error))
    return FALSE;
  launch = zc_flip_layout (&placed);
  return ZC_CU (error, cuLaunchKernel,
      stream->context->kernels->function[launch.kernel], launch.blocks, 1, 1,
      ZC_FLIP_THREADS, 1, 1, 0, stream->handle, params, NULL);
}
