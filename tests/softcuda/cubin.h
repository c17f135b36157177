/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What a cubin, an ELF file, says of its kernels. */

#pragma once

#include "cudaapi.h"

#define SC_MAX_PARAMS 64

typedef struct
{
  size_t offset, size;
} ScParam;

typedef struct _ScKernelInfo ScKernelInfo;
struct _ScKernelInfo
{
  char *name;
  size_t args_size; /* bytes of the parameter buffer */
  unsigned n_params;
  ScParam params[SC_MAX_PARAMS];
  ScKernelInfo *next;
};

bool sc_cubin_is (const void *image);
/* The kernels of the cubin at @image, or NULL if it is broken or has none. */
ScKernelInfo *sc_cubin_read (const void *image);
void sc_cubin_free (ScKernelInfo *kernels);
