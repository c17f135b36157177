/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Which of the images in a fatbin the device runs. */

#pragma once

#include "cudaapi.h"

/* Finds the cubin for a device of @capability (90 for 9.0) in a fatbin, or
 * takes @image itself if it is a cubin. PTX serves too, as long as any cubin is
 * there to tell the kernels. */
CUresult sc_fatbin_select (const void *image, int capability,
    const void **cubin);
