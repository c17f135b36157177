/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "nvcvtypes.h"

#include <dlfcn.h>

static gpointer
find (gpointer library, const gchar *name)
{
  gpointer symbol = dlsym (library, name);

  if (!symbol)
    g_error ("libnvcv_types has no %s", name);
  return symbol;
}

#define FIND(name) nvcv.name = find (library, "nvcv" #name)

static const Nvcv *
load (void)
{
  static Nvcv nvcv;
  const gchar *path = g_getenv ("NVCV_TYPES");
  gpointer library = path ? dlopen (path, RTLD_NOW) : NULL;

  if (!library)
    return NULL;
  FIND (ImageFormatGetName);
  FIND (ImageFormatGetNumPlanes);
  FIND (ImageFormatGetPlaneSize);
  FIND (ImageFormatGetColorSpec);
  FIND (ColorSpecGetName);
  FIND (ImageWrapDataConstruct);
  FIND (ImageExportData);
  FIND (ImageGetSize);
  FIND (ImageGetFormat);
  FIND (ImageDecRef);
  FIND (TensorWrapImageConstruct);
  FIND (TensorExportData);
  FIND (TensorDecRef);
  return &nvcv;
}

const Nvcv *
nvcv_load (void)
{
  static const Nvcv *nvcv;

  if (!nvcv)
    nvcv = load ();
  if (!nvcv)
    g_test_skip ("needs CV-CUDA's libnvcv_types: tools/setup/neighbours.sh "
                 "fetches it");
  return nvcv;
}
