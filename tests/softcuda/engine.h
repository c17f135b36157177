/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The engines of a device in virtual time: each does one thing at a time. */

#pragma once

#include <stdint.h>

typedef enum
{
  SC_ENGINE_UPLOAD,
  SC_ENGINE_DOWNLOAD,
  SC_ENGINE_COMPUTE, /* kernels, and what stays on the device */
  SC_N_ENGINES,
  SC_ENGINE_NONE = SC_N_ENGINES, /* takes time, but of nobody's */
} ScEngine;

/* With the lock held; times are ns. Finds @cost of time that is free, from
 * @ready on, takes it and returns its end. */
int64_t sc_engine_take (int device, ScEngine engine, int64_t ready,
    int64_t cost);
/* Time taken since the reset; of the busiest device. */
int64_t sc_engine_busy (ScEngine engine);
void sc_engine_reset (void);
