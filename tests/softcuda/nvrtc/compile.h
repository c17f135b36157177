/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* CUDA C++ into a shared library, by g++ and nvrtcshim.h. */

#pragma once

#include <stdbool.h>
#include <stddef.h>

/* @image is what softcuda's cuModuleLoadData takes; the caller frees it and
 * @log, which is NULL unless the compiler had something to say. */
bool sc_compile (const char *source, const char *const *options, int n_options,
    void **image, size_t *size, char **log);
