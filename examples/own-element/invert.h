/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the kernel is told: one struct for both compilers. */
#pragma once

#include <stdint.h>

typedef struct
{
  uint64_t in, out; /* device addresses of the first rows */
  int64_t in_stride, out_stride; /* bytes from a row to the next one */
  uint32_t width, height; /* bytes of a row, rows */
  uint32_t threshold;
} InvertArgs;
