/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "call.h"

/* Names whose newest version takes other arguments than the one that a program
 * built for an older toolkit asks for. */
typedef struct
{
  const char *name, *version;
  int since;
} Version;

static const Version versions[] = {
  { "cuCtxCreate", "cuCtxCreate_v4", 13000 },
  { "cuGetProcAddress", "cuGetProcAddress_v2", 12000 },
  { "cuEventElapsedTime", "cuEventElapsedTime_v2", 12080 },
};

static void *
look_up (const char *name)
{
  void *self = dlopen ("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
  void *found = self ? dlsym (self, name) : NULL;

  if (self)
    dlclose (self);
  return found;
}

static const char *
listed_version (const char *name, int version)
{
  for (unsigned i = 0; i < sizeof versions / sizeof *versions; i++)
    if (!strcmp (versions[i].name, name) && version >= versions[i].since)
      return versions[i].version;
  return NULL;
}

static void *
find (const char *name, int version)
{
  const char *listed = listed_version (name, version);
  char second[96];
  void *found;

  if (listed)
    return look_up (listed);
  snprintf (second, sizeof second, "%s_v2", name);
  found = look_up (second);
  return found ? found : look_up (name);
}

static CUresult
get (const char *name, void **func, int version, int *status)
{
  if (!name || !func)
    return CUDA_ERROR_INVALID_VALUE;
  *func = find (name, version);
  if (status)
    *status = *func ? CU_GET_PROC_ADDRESS_SUCCESS
                    : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
  return *func ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUresult CUDAAPI
cuGetProcAddress (const char *name, void **func, int version, cuuint64_t flags)
{
  SC_API (SC_NEED_NOTHING, get (name, func, version, NULL));
}

CUresult CUDAAPI
cuGetProcAddress_v2 (const char *name, void **func, int version,
    cuuint64_t flags, CUdriverProcAddressQueryResult *status)
{
  SC_API (SC_NEED_NOTHING, get (name, func, version, (int *) status));
}
