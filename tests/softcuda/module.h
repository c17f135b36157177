/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Modules: what the program loads, checked but not run. */

#pragma once

#include "context.h"
#include "cubin.h"
#include "library.h"
#include "twin.h"

struct CUfunc_st
{
  CUmodule module;
  const ScKernelInfo *kernel;
  const ScTwin *twin;
  CUfunction next;
};

struct CUmod_st
{
  ScContext *ctx;
  ScKernelInfo *kernels;
  ScLibrary *library; /* NULL: the kernels have twins elsewhere */
  CUfunction functions;
  CUmodule next;
};

/* With the lock held. */
CUresult sc_function_check (CUfunction function);
void sc_module_unload_all (ScContext *ctx);
unsigned sc_module_count (void);
