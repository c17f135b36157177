/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A texture object, for the driver and for kernels alike: a handle is the
 * address of one. */

#pragma once

#include <stddef.h>
#include <stdint.h>

typedef struct
{
  uintptr_t start; /* device address */
  const void *view; /* the same bytes for the host */
  size_t width, height, pitch; /* texels, rows, bytes */
  unsigned channels;
  unsigned bytes; /* of a channel: 1, 2; 4 is float */
  int is_signed, linear, normalized; /* normalized: coordinates from 0 to 1 */
} ScTexture;
