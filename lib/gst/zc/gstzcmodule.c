/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcmodule.h"

#include <string.h>

/* How a fatbin begins: its magic number, and where it says how long it is. */
#define FATBIN_MAGIC 0xba55ed50u
#define FATBIN_HEADER_SIZE_AT 6 /* guint16 */
#define FATBIN_SIZE_AT 8 /* guint64, without the header */
/* Bytes that any image has, this header alone. */
#define SMALLEST 16

/* By checksum of the image, not by its address, which may be another's since. */
struct _ZcModules
{
  GMutex lock; /* held while one is loaded */
  GHashTable *loaded; /* owned; gchar * -> CUmodule */
};

gint
zc_module_capability (CUdevice device)
{
  int major = 0, minor = 0;

  zc_cu.cuDeviceGetAttribute (&major,
      CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
  zc_cu.cuDeviceGetAttribute (&minor,
      CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
  return major * 10 + minor;
}

gboolean
zc_module_nothing_fits (CUresult result)
{
  return result == CUDA_ERROR_NO_BINARY_FOR_GPU ||
      result == CUDA_ERROR_INVALID_PTX ||
      result == CUDA_ERROR_UNSUPPORTED_PTX_VERSION ||
      result == CUDA_ERROR_JIT_COMPILER_NOT_FOUND ||
      result == CUDA_ERROR_JIT_COMPILATION_DISABLED;
}

static gboolean
is_fatbin (const guint8 *image)
{
  guint32 magic;

  memcpy (&magic, image, sizeof magic);
  return magic == FATBIN_MAGIC;
}

static gboolean
is_elf (const guint8 *image)
{
  return memcmp (image, "\177ELF", 4) == 0;
}

/* The driver is told no size, and goes by what the image says. */
static gboolean
is_whole (const guint8 *image, gsize size)
{
  guint16 header;
  guint64 rest;

  if (size < SMALLEST)
    return FALSE;
  if (!is_fatbin (image))
    return TRUE;
  memcpy (&header, image + FATBIN_HEADER_SIZE_AT, sizeof header);
  memcpy (&rest, image + FATBIN_SIZE_AT, sizeof rest);
  return header <= size && rest <= size - header;
}

static gboolean
check_whole (gconstpointer image, gsize size, GError **error)
{
  if (is_whole (image, size))
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "The image of kernels is cut short: %" G_GSIZE_FORMAT
      " bytes are not all of what nvcc made; give its whole size",
      size);
  return FALSE;
}

static gboolean
load_image (CUdevice device, gconstpointer image, CUmodule *module,
    GError **error)
{
  CUresult result = zc_cu.cuModuleLoadData (module, image);

  if (!zc_module_nothing_fits (result))
    return zc_cuda_check (result, "cuModuleLoadData", error);
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
      "The image of kernels has no code for CUDA device %d, which is sm_%d, "
      "and the driver can't make any from it: compile it with nvcc "
      "-arch=sm_%d, or update the NVIDIA driver",
      device, zc_module_capability (device), zc_module_capability (device));
  return FALSE;
}

/* Text has to end with a 0. */
static gboolean
load (CUdevice device, gconstpointer image, gsize size, CUmodule *module,
    GError **error)
{
  g_autofree gchar *text = NULL;

  if (!is_fatbin (image) && !is_elf (image))
    image = text = g_strndup (image, size);
  return load_image (device, image, module, error);
}

static ZcModules *
modules_of (ZcContext *context)
{
  g_mutex_lock (&context->lock);
  if (!context->modules) {
    context->modules = g_new0 (ZcModules, 1);
    g_mutex_init (&context->modules->lock);
    context->modules->loaded =
        g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  }
  g_mutex_unlock (&context->lock);
  return context->modules;
}

static gboolean
find_or_load (ZcContext *context, ZcModules *self, gconstpointer image,
    gsize size, CUmodule *module, GError **error)
{
  g_autofree gchar *sum =
      g_compute_checksum_for_data (G_CHECKSUM_SHA256, image, size);

  *module = g_hash_table_lookup (self->loaded, sum);
  if (*module)
    return TRUE;
  if (!load (context->device, image, size, module, error))
    return FALSE;
  g_hash_table_insert (self->loaded, g_steal_pointer (&sum), *module);
  return TRUE;
}

gboolean
zc_modules_load (ZcContext *context, gconstpointer image, gsize size,
    CUmodule *module, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  ZcModules *self;
  gboolean ok;

  if (!check_whole (image, size, error) ||
      !zc_context_push (context, &guard, error))
    return FALSE;
  self = modules_of (context);
  g_mutex_lock (&self->lock);
  ok = find_or_load (context, self, image, size, module, error);
  g_mutex_unlock (&self->lock);
  return ok;
}

static gboolean
unload (gpointer sum, gpointer module, gpointer data)
{
  g_autoptr (GError) error = NULL;

  if (!ZC_CU (&error, cuModuleUnload, module))
    GST_WARNING ("A CUDA module stays loaded: %s", error->message);
  return TRUE;
}

void
zc_modules_free (ZcModules *self, gboolean unload_them)
{
  if (unload_them)
    g_hash_table_foreach_remove (self->loaded, unload, NULL);
  g_hash_table_unref (self->loaded);
  g_mutex_clear (&self->lock);
  g_free (self);
}
