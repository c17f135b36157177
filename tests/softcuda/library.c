/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "compiled.h"
#include "report.h"

struct _ScLibrary
{
  void *handle;
  const ScCompiledKernel *kernels;
  ScTwin *twins; /* one a kernel */
};

bool
sc_library_is (const void *image)
{
  return !strncmp (image, SC_COMPILED_MAGIC, sizeof SC_COMPILED_MAGIC);
}

static bool
write_all (int file, const char *bytes, size_t size)
{
  while (size) {
    ssize_t n = write (file, bytes, size);
    if (n <= 0)
      return false;
    bytes += n;
    size -= (size_t) n;
  }
  return true;
}

static void *
open_bytes (const void *bytes, size_t size)
{
  int file = memfd_create ("softcuda-kernels", MFD_CLOEXEC);
  char path[32];
  void *handle = NULL;

  if (file < 0)
    return NULL;
  snprintf (path, sizeof path, "/proc/self/fd/%d", file);
  if (write_all (file, bytes, size))
    handle = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  if (!handle)
    sc_report ("compiled kernels: %s", dlerror ());
  close (file);
  return handle;
}

static ScTwin *
make_twins (const ScCompiledKernel *kernels)
{
  ScTwin *twins;
  size_t n = 0;

  while (kernels[n].name)
    n++;
  twins = calloc (n + 1, sizeof *twins);
  while (twins && n-- > 0)
    twins[n] = (ScTwin) { kernels[n].name, kernels[n].args_size, kernels[n].run,
      NULL };
  return twins;
}

static bool
list (ScLibrary *library)
{
  library->kernels = dlsym (library->handle, SC_COMPILED_LIST);
  if (library->kernels)
    library->twins = make_twins (library->kernels);
  return library->twins != NULL;
}

ScLibrary *
sc_library_load (const void *image)
{
  ScLibrary *library = calloc (1, sizeof *library);
  ScCompiledHeader header;

  if (!library)
    return NULL;
  memcpy (&header, image, sizeof header);
  library->handle =
      open_bytes ((const char *) image + sizeof header, header.size);
  if (library->handle && list (library))
    return library;
  sc_library_free (library);
  return NULL;
}

void
sc_library_free (ScLibrary *library)
{
  if (!library)
    return;
  free (library->twins);
  if (library->handle)
    dlclose (library->handle);
  free (library);
}

static ScKernelInfo *
info_of (const ScCompiledKernel *kernel)
{
  ScKernelInfo *info = calloc (1, sizeof *info);

  if (!info || kernel->n_params > SC_MAX_PARAMS) {
    free (info);
    return NULL;
  }
  info->name = strdup (kernel->name);
  info->args_size = kernel->args_size;
  info->n_params = kernel->n_params;
  for (unsigned i = 0; i < kernel->n_params; i++)
    info->params[i] = (ScParam) { kernel->offsets[i], kernel->sizes[i] };
  return info;
}

ScKernelInfo *
sc_library_kernels (const ScLibrary *library)
{
  ScKernelInfo *first = NULL;

  for (const ScCompiledKernel *kernel = library->kernels; kernel->name;
      kernel++) {
    ScKernelInfo *info = info_of (kernel);
    if (!info)
      continue;
    info->next = first;
    first = info;
  }
  return first;
}

const ScTwin *
sc_library_twin (const ScLibrary *library, const char *name)
{
  for (const ScTwin *twin = library->twins; twin->name; twin++)
    if (!strcmp (twin->name, name))
      return twin;
  return NULL;
}
