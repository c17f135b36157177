/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Modules that the stand-in for NVRTC compiled for the host. */

#pragma once

#include "cubin.h"
#include "twin.h"

typedef struct _ScLibrary ScLibrary;

bool sc_library_is (const void *image);
/* NULL if it can't be loaded. */
ScLibrary *sc_library_load (const void *image);
void sc_library_free (ScLibrary *library);
/* What is in it, as of a cubin; NULL without memory. */
ScKernelInfo *sc_library_kernels (const ScLibrary *library);
const ScTwin *sc_library_twin (const ScLibrary *library, const char *name);
