/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzckernel.h"

#include "gstzcmodule.h"
#include "gstzcstream-private.h"

#define BLOCK_WIDTH 32
#define BLOCK_HEIGHT 8

struct _GstZcKernel
{
  gatomicrefcount refcount;
  ZcContext *context; /* owned; keeps the module */
  CUfunction function;
  gsize args_size; /* bytes, at least; 0 if the driver does not say */
  gchar *name; /* owned */
};

G_DEFINE_BOXED_TYPE (GstZcKernel, gst_zc_kernel, gst_zc_kernel_ref,
    gst_zc_kernel_unref)

static gboolean
find (ZcContext *context, CUmodule module, const gchar *name,
    CUfunction *function, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  CUresult result;

  if (!zc_context_push (context, &guard, error))
    return FALSE;
  result = zc_cu.cuModuleGetFunction (function, module, name);
  if (result != CUDA_ERROR_NOT_FOUND)
    return zc_cuda_check (result, "cuModuleGetFunction", error);
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "The image of kernels has none named %s: declare it extern \"C\" "
      "__global__, so that its name stays as it is",
      name);
  return FALSE;
}

/* The end of the last parameter. The driver reads that much at a launch, whatever
 * size it is told. */
static gsize
ask_args_size (ZcContext *context, CUfunction function)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  gsize end = 0, offset, size;

  if (!zc_cu.cuFuncGetParamInfo || !zc_context_push (context, &guard, NULL))
    return 0;
  for (guint i = 0;
      zc_cu.cuFuncGetParamInfo (function, i, &offset, &size) == CUDA_SUCCESS;
      i++)
    end = MAX (end, offset + size);
  return end;
}

GstZcKernel *
gst_zc_kernel_new (GstCudaContext *context, gconstpointer image, gsize size,
    const gchar *name, GError **error)
{
  g_autoptr (ZcContext) own = NULL;
  GstZcKernel *self;
  CUfunction function;
  CUmodule module;

  g_return_val_if_fail (context != NULL, NULL);
  g_return_val_if_fail (image != NULL, NULL);
  g_return_val_if_fail (name != NULL, NULL);

  own = zc_context_get (context, error);
  if (!own || !zc_modules_load (own, image, size, &module, error) ||
      !find (own, module, name, &function, error))
    return NULL;
  self = g_new (GstZcKernel, 1);
  g_atomic_ref_count_init (&self->refcount);
  self->args_size = ask_args_size (own, function);
  self->context = g_steal_pointer (&own);
  self->function = function;
  self->name = g_strdup (name);
  return self;
}

GstZcKernel *
gst_zc_kernel_ref (GstZcKernel *kernel)
{
  g_atomic_ref_count_inc (&kernel->refcount);
  return kernel;
}

void
gst_zc_kernel_unref (GstZcKernel *kernel)
{
  if (!kernel || !g_atomic_ref_count_dec (&kernel->refcount))
    return;
  zc_context_unref (kernel->context);
  g_free (kernel->name);
  g_free (kernel);
}

static gboolean
check_args (const GstZcKernel *self, gsize size, GError **error)
{
  if (size >= self->args_size)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "The kernel %s takes %" G_GSIZE_FORMAT " bytes of parameters and was "
      "given %" G_GSIZE_FORMAT ": use one struct for both sides",
      self->name, self->args_size, size);
  return FALSE;
}

static gboolean
launch (GstZcKernel *self, CUstream stream, const guint *grid,
    const guint *block, gsize shared, gconstpointer args, gsize size,
    GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  void *extra[] = { CU_LAUNCH_PARAM_BUFFER_POINTER, (void *) args,
    CU_LAUNCH_PARAM_BUFFER_SIZE, &size, CU_LAUNCH_PARAM_END };

  return zc_context_push (self->context, &guard, error) &&
      ZC_CU (error, cuLaunchKernel, self->function, grid[0], grid[1], grid[2],
          block[0], block[1], block[2], shared, stream, NULL,
          size > 0 ? extra : NULL);
}

gboolean
gst_zc_kernel_launch (GstZcKernel *kernel, GstZcStream *stream,
    const guint *grid, const guint *block, gsize shared, gconstpointer args,
    gsize size, GError **error)
{
  g_return_val_if_fail (kernel != NULL, FALSE);
  g_return_val_if_fail (stream != NULL, FALSE);
  g_return_val_if_fail (args != NULL || size == 0, FALSE);

  if (stream->key.context == kernel->context)
    return check_args (kernel, size, error) &&
        launch (kernel, stream->key.handle, grid, block, shared, args, size,
            error);
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE,
      "The kernel %s was loaded in another CUDA context than that of the "
      "stream: load it in the context of the stream, in a filter each time "
      "that it starts",
      kernel->name);
  return FALSE;
}

gboolean
gst_zc_kernel_launch_2d (GstZcKernel *kernel, GstZcStream *stream, guint width,
    guint height, gconstpointer args, gsize size, GError **error)
{
  const guint block[] = { BLOCK_WIDTH, BLOCK_HEIGHT, 1 };
  const guint grid[] = { width / BLOCK_WIDTH + (width % BLOCK_WIDTH != 0),
    height / BLOCK_HEIGHT + (height % BLOCK_HEIGHT != 0), 1 };

  if (width == 0 || height == 0)
    return TRUE;
  return gst_zc_kernel_launch (kernel, stream, grid, block, 0, args, size,
      error);
}
