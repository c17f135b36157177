/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "module.h"

#include <string.h>

#include "call.h"
#include "capture.h"
#include "config.h"
#include "counters.h"
#include "fatbin.h"
#include "pool.h"
#include "report.h"
#include "scheduler.h"
#include "thread.h"

static ScPool modules = SC_POOL_INIT (struct CUmod_st);
static ScPool functions = SC_POOL_INIT (struct CUfunc_st);
static CUmodule loaded;

static CUresult
make (CUmodule *made, ScKernelInfo *kernels, ScLibrary *library)
{
  CUmodule module = sc_pool_take (&modules);

  if (!module) {
    sc_cubin_free (kernels);
    sc_library_free (library);
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
  module->library = library;
  module->ctx = sc_thread_current ();
  module->kernels = kernels;
  module->next = loaded;
  loaded = module;
  sc_counters ()->modules_loaded++;
  *made = module;
  return CUDA_SUCCESS;
}

static CUresult
load_library (CUmodule *module, const void *image)
{
  ScLibrary *library = sc_library_load (image);

  return library ? make (module, sc_library_kernels (library), library)
                 : CUDA_ERROR_INVALID_IMAGE;
}

/* As measured, loading waits for all that the context has to do. */
static CUresult
load (CUmodule *module, const void *image)
{
  const void *cubin;
  ScKernelInfo *kernels;
  CUresult result;

  if (!module || !image)
    return CUDA_ERROR_INVALID_VALUE;
  sc_sched_wait_idle (sc_thread_current ());
  if (sc_library_is (image))
    return load_library (module, image);
  result = sc_fatbin_select (image, sc_config ()->capability, &cubin);
  if (result != CUDA_SUCCESS)
    return result;
  kernels = sc_cubin_read (cubin);
  return kernels ? make (module, kernels, NULL) : CUDA_ERROR_INVALID_IMAGE;
}

static void
free_module (CUmodule module)
{
  CUmodule *link = &loaded;

  while (*link != module)
    link = &(*link)->next;
  *link = module->next;
  while (module->functions) {
    CUfunction function = module->functions;
    module->functions = function->next;
    sc_pool_give (&functions, function);
  }
  sc_cubin_free (module->kernels);
  sc_library_free (module->library);
  sc_pool_give (&modules, module);
}

static CUresult
unload (CUmodule module)
{
  CUresult result;

  if (!sc_pool_live (&modules, module)) {
    sc_report ("module %p is unloaded or none", (void *) module);
    return CUDA_ERROR_INVALID_HANDLE;
  }
  result = sc_capture_check_unsafe ();
  if (result != CUDA_SUCCESS)
    return result;
  sc_sched_wait_idle (module->ctx);
  free_module (module);
  return CUDA_SUCCESS;
}

void
sc_module_unload_all (ScContext *ctx)
{
  CUmodule next;

  for (CUmodule module = loaded; module; module = next) {
    next = module->next;
    if (module->ctx == ctx)
      free_module (module);
  }
}

unsigned
sc_module_count (void)
{
  return modules.n_live;
}

static const ScKernelInfo *
find_kernel (CUmodule module, const char *name)
{
  const ScKernelInfo *kernel = module->kernels;

  while (kernel && strcmp (kernel->name, name))
    kernel = kernel->next;
  return kernel;
}

static CUresult
find_twin (const CUmodule module, const ScKernelInfo *kernel,
    const ScTwin **twin)
{
  *twin = module->library ? sc_library_twin (module->library, kernel->name)
                          : sc_twin_find (kernel->name);
  if (!*twin) {
    sc_report ("kernel %s has no twin for the host", kernel->name);
    return CUDA_ERROR_NOT_FOUND;
  }
  if ((*twin)->args_size == kernel->args_size)
    return CUDA_SUCCESS;
  sc_report ("kernel %s takes %zu bytes of parameters, its twin %zu",
      kernel->name, kernel->args_size, (*twin)->args_size);
  return CUDA_ERROR_INVALID_IMAGE;
}

static CUresult
get_function (CUfunction *made, CUmodule module, const char *name)
{
  const ScKernelInfo *kernel;
  const ScTwin *twin;
  CUfunction function;
  CUresult result;

  if (!made || !name || !sc_pool_live (&modules, module))
    return CUDA_ERROR_INVALID_VALUE;
  kernel = find_kernel (module, name);
  if (!kernel)
    return CUDA_ERROR_NOT_FOUND;
  result = find_twin (module, kernel, &twin);
  if (result != CUDA_SUCCESS)
    return result;
  function = sc_pool_take (&functions);
  if (!function)
    return CUDA_ERROR_OUT_OF_MEMORY;
  *function = (struct CUfunc_st) { module, kernel, twin, module->functions };
  module->functions = function;
  *made = function;
  return CUDA_SUCCESS;
}

CUresult
sc_function_check (CUfunction function)
{
  if (sc_pool_live (&functions, function))
    return CUDA_SUCCESS;
  sc_report ("function %p is unloaded or none", (void *) function);
  return CUDA_ERROR_INVALID_HANDLE;
}

CUresult CUDAAPI
cuModuleLoadData (CUmodule *module, const void *image)
{
  SC_API (SC_NEED_CONTEXT, load (module, image));
}

CUresult CUDAAPI
cuModuleLoadDataEx (CUmodule *module, const void *image, unsigned int n,
    CUjit_option *options, void **values)
{
  SC_API (SC_NEED_CONTEXT, load (module, image));
}

CUresult CUDAAPI
cuModuleLoadFatBinary (CUmodule *module, const void *image)
{
  SC_API (SC_NEED_CONTEXT, load (module, image));
}

CUresult CUDAAPI
cuModuleUnload (CUmodule module)
{
  SC_API (SC_NEED_CONTEXT, unload (module));
}

CUresult CUDAAPI
cuModuleGetFunction (CUfunction *function, CUmodule module, const char *name)
{
  SC_API (SC_NEED_CONTEXT, get_function (function, module, name));
}
