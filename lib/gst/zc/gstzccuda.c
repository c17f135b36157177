/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzccuda.h"

#include <dlfcn.h>

#include "gstzctrace-private.h"

#define LIBRARY "libcuda.so.1"

ZcCuda zc_cu;

GstDebugCategory *
zc_debug_category (void)
{
  static gsize category = 0;

  if (g_once_init_enter (&category))
    g_once_init_leave (&category,
        (gsize) _gst_debug_category_new ("zc", 0, "gst-zc: CUDA frames"));
  return (GstDebugCategory *) category;
}

static gboolean
find_symbol (gpointer library, const gchar *symbol, gpointer *slot,
    GError **error)
{
  *slot = dlsym (library, symbol);
  if (*slot)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NO_DRIVER,
      "The NVIDIA driver's " LIBRARY " has no %s: install a driver of CUDA 12.0"
      " (525) or newer",
      symbol);
  return FALSE;
}

static gboolean
load_entry_points (GError **error)
{
  /* Kept for ever: the driver can't be unloaded. */
  gpointer library = dlopen (LIBRARY, RTLD_NOW | RTLD_LOCAL);

  if (!library) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NO_DRIVER,
        "No NVIDIA driver was found (%s): install the driver, or make "
        "its " LIBRARY " visible in this container",
        dlerror ());
    return FALSE;
  }

#define FIND(name, symbol, params)                                             \
  if (!find_symbol (library, symbol, (gpointer *) &zc_cu.name, error))         \
    return FALSE;
  ZC_CUDA_ENTRY_POINTS (FIND)
#undef FIND
#define FIND(name, symbol, params)                                             \
  *(gpointer *) &zc_cu.name = dlsym (library, symbol);
  ZC_CUDA_OPTIONAL_ENTRY_POINTS (FIND)
#undef FIND

  zc_trace_driver_loaded (library);
  return TRUE;
}

static gboolean
start_driver (GError **error)
{
  CUresult result = zc_cu.cuInit (0);

  switch (result) {
    case CUDA_SUCCESS:
      return TRUE;
    case CUDA_ERROR_STUB_LIBRARY:
      g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STUB_DRIVER,
          "The " LIBRARY " found is the CUDA toolkit's stub, which only serves "
          "to link: remove its folder from LD_LIBRARY_PATH and install the "
          "NVIDIA driver");
      return FALSE;
    case CUDA_ERROR_NO_DEVICE:
      g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NO_DEVICE,
          "The NVIDIA driver sees no CUDA device: check nvidia-smi, "
          "CUDA_VISIBLE_DEVICES and, in a container, that a GPU was given "
          "to it");
      return FALSE;
    default:
      return zc_cuda_check (result, "cuInit", error);
  }
}

gboolean
zc_cuda_init (GError **error)
{
  static gsize once = 0;
  static GError *failure = NULL;

  if (g_once_init_enter (&once)) {
    if (load_entry_points (&failure))
      start_driver (&failure);
    g_once_init_leave (&once, 1);
  }

  if (failure && error)
    *error = g_error_copy (failure);
  return failure == NULL;
}

static GstZcError
code_of (CUresult result)
{
  switch (result) {
    case CUDA_ERROR_OUT_OF_MEMORY:
      return GST_ZC_ERROR_NO_MEMORY;
    case CUDA_ERROR_INVALID_DEVICE:
      return GST_ZC_ERROR_WRONG_DEVICE;
    case CUDA_ERROR_NO_BINARY_FOR_GPU:
      return GST_ZC_ERROR_UNSUPPORTED;
    /* There is no such context, or not any more. */
    case CUDA_ERROR_DEINITIALIZED:
    case CUDA_ERROR_INVALID_CONTEXT:
    case CUDA_ERROR_CONTEXT_IS_DESTROYED:
    /* These stick to the context: every later call of it fails too. */
    case CUDA_ERROR_ECC_UNCORRECTABLE:
    case CUDA_ERROR_NVLINK_UNCORRECTABLE:
    case CUDA_ERROR_ILLEGAL_ADDRESS:
    case CUDA_ERROR_LAUNCH_TIMEOUT:
    case CUDA_ERROR_ASSERT:
    case CUDA_ERROR_HARDWARE_STACK_ERROR:
    case CUDA_ERROR_ILLEGAL_INSTRUCTION:
    case CUDA_ERROR_MISALIGNED_ADDRESS:
    case CUDA_ERROR_INVALID_ADDRESS_SPACE:
    case CUDA_ERROR_INVALID_PC:
    case CUDA_ERROR_LAUNCH_FAILED:
      return GST_ZC_ERROR_CONTEXT_LOST;
    default:
      return GST_ZC_ERROR_DRIVER;
  }
}

static const gchar *
advice_for (GstZcError code)
{
  switch (code) {
    case GST_ZC_ERROR_NO_MEMORY:
      return ": use smaller or fewer frames in flight, or free memory that "
             "other programs hold";
    case GST_ZC_ERROR_CONTEXT_LOST:
      return ": the CUDA context is lost, the process must be restarted";
    default:
      return "";
  }
}

gboolean
zc_cuda_check (CUresult result, const gchar *call, GError **error)
{
  const char *name = NULL, *text = NULL;
  GstZcError code;

  if (result == CUDA_SUCCESS)
    return TRUE;

  zc_cu.cuGetErrorName (result, &name);
  zc_cu.cuGetErrorString (result, &text);
  code = code_of (result);
  g_set_error (error, GST_ZC_ERROR, code, "%s failed with %s (%d, %s)%s", call,
      name ? name : "an unknown error", result, text ? text : "no text",
      advice_for (code));
  return FALSE;
}

gboolean
zc_cuda_is_over (CUresult result)
{
  /* An event that is none any more went with its context. */
  return result == CUDA_ERROR_DEINITIALIZED ||
      result == CUDA_ERROR_INVALID_HANDLE ||
      code_of (result) == GST_ZC_ERROR_CONTEXT_LOST;
}

gboolean
zc_cuda_error_is_over (const GError *error)
{
  return g_error_matches (error, GST_ZC_ERROR, GST_ZC_ERROR_CONTEXT_LOST);
}

/* The context of this thread's innermost guard, which has the thread relaxed,
 * too; NULL outside of all. */
static _Thread_local CUcontext guarded;

/* A guard inside another one has nothing to do, unless what runs between the
 * two has pushed a context of its own. */
static gboolean
is_guarded (CUcontext handle)
{
  CUcontext current;

  return guarded == handle && handle != NULL &&
      zc_cu.cuCtxGetCurrent (&current) == CUDA_SUCCESS && current == handle;
}

gboolean
zc_context_guard_is_held (void)
{
  return guarded != NULL;
}

static CUresult
guard_try (ZcContextGuard *guard, CUcontext handle, const gchar **call)
{
  CUcontext popped;
  CUresult result;

  if (is_guarded (handle))
    return CUDA_SUCCESS;
  *call = "cuCtxPushCurrent";
  result = zc_cu.cuCtxPushCurrent (handle);
  if (result != CUDA_SUCCESS)
    return result;
  *call = "cuThreadExchangeStreamCaptureMode";
  result = zc_cu.cuThreadExchangeStreamCaptureMode (&guard->mode);
  guard->pushed = result == CUDA_SUCCESS;
  if (guard->pushed) {
    guard->outer = guarded;
    guarded = handle;
  } else {
    zc_cu.cuCtxPopCurrent (&popped);
  }
  return result;
}

CUresult
zc_context_guard_try (ZcContextGuard *guard, CUcontext handle)
{
  const gchar *call = NULL;

  return guard_try (guard, handle, &call);
}

gboolean
zc_context_guard_push (ZcContextGuard *guard, CUcontext handle, GError **error)
{
  const gchar *call = NULL;
  CUresult result = guard_try (guard, handle, &call);

  return zc_cuda_check (result, call, error);
}

void
zc_context_guard_clear (ZcContextGuard *guard)
{
  g_autoptr (GError) error = NULL;
  CUcontext popped;

  if (!guard->pushed)
    return;
  guard->pushed = FALSE;
  guarded = guard->outer;
  if (!ZC_CU (&error, cuThreadExchangeStreamCaptureMode, &guard->mode))
    GST_WARNING ("The capture mode of this thread stays relaxed: %s",
        error->message);
  g_clear_error (&error);
  if (!ZC_CU (&error, cuCtxPopCurrent, &popped))
    GST_ERROR ("A CUDA context stays current on this thread: %s",
        error->message);
}
