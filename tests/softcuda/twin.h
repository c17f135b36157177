/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Twins: the host-compiled kernels that serve launches, by name. */

#pragma once

#include "softcuda.h"

#include <stdbool.h>

typedef SoftcudaTwin ScTwin;

#ifdef __cplusplus
extern "C" {
#endif

/* Those that are built in. The list ends with a NULL name. */
extern const ScTwin sc_builtin_twins[];

#ifdef __cplusplus
}
#endif

/* With the lock held. The answer stays valid. */
const ScTwin *sc_twin_find (const char *name);
bool sc_twin_add (ScTwin twin);
