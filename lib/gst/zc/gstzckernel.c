/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzckernel.h"

#include "flipfatbin.h"
#include "fliplayout.h"

struct _ZcKernels
{
  CUmodule module;
  CUfunction flip[ZC_FLIP_N_KERNELS];
};

static const gchar *const flip_names[] = {
#define NAME(id, name) #name,
  ZC_FLIP_KERNELS (NAME)
#undef NAME
};

void
zc_kernels_free (ZcKernels *self)
{
  g_autoptr (GError) error = NULL;

  if (self->module && !ZC_CU (&error, cuModuleUnload, self->module))
    GST_WARNING ("A CUDA module stays loaded: %s", error->message);
  g_free (self);
}

static void
explain_no_image (ZcContext *context, GError **error)
{
  int major = 0, minor = 0;

  zc_cu.cuDeviceGetAttribute (&major,
      CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, context->device);
  zc_cu.cuDeviceGetAttribute (&minor,
      CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, context->device);
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
      "CUDA device %d is sm_%d%d, for which this build has no kernel (%s): "
      "rebuild gst-zc with a toolkit that knows the device, or use another one",
      context->device, major, minor,
      zc_flip_fatbin_size ? zc_flip_fatbin_architectures
                          : "it was built with -Dkernels=disabled");
}

static gboolean
load_module (ZcContext *context, CUmodule *module, GError **error)
{
  CUresult result = CUDA_ERROR_NO_BINARY_FOR_GPU;

  if (zc_flip_fatbin_size > 0)
    result = zc_cu.cuModuleLoadData (module, zc_flip_fatbin);
  switch (result) {
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
    case CUDA_ERROR_INVALID_PTX:
    case CUDA_ERROR_UNSUPPORTED_PTX_VERSION:
      explain_no_image (context, error);
      return FALSE;
    default:
      return zc_cuda_check (result, "cuModuleLoadData", error);
  }
}

static ZcKernels *
kernels_new (ZcContext *context, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  ZcKernels *self = NULL;
  guint i;

  if (!zc_context_push (context, &guard, error))
    return NULL;
  self = g_new0 (ZcKernels, 1);
  if (!load_module (context, &self->module, error))
    goto failed;
  for (i = 0; i < ZC_FLIP_N_KERNELS; i++) {
    if (!ZC_CU (error, cuModuleGetFunction, &self->flip[i], self->module,
            flip_names[i]))
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
  gboolean loaded;

  g_mutex_lock (&context->lock);
  if (!context->kernels)
    context->kernels = kernels_new (context, error);
  loaded = context->kernels != NULL;
  g_mutex_unlock (&context->lock);
  return loaded;
}

gboolean
zc_kernels_launch_flip (const ZcStreamKey *stream, const ZcFlipArgs *args,
    GError **error)
{
  ZcFlipArgs complete = *args;
  ZcFlipLaunch launch = zc_flip_layout (&complete);
  void *params[] = { &complete };
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;

  return zc_kernels_load (stream->context, error) &&
      zc_context_push (stream->context, &guard, error) &&
      ZC_CU (error, cuLaunchKernel,
          stream->context->kernels->flip[launch.kernel], launch.blocks, 1, 1,
          ZC_FLIP_THREADS, 1, 1, 0, stream->handle, params, NULL);
}
