/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The kernel for softcuda, the CUDA driver on the CPU: the same source, and which
 * bytes a launch touches, for the search for races. */

#include <softcuda-twin.h>

#include "invert.cu"

static unsigned
touched (const void *data, SoftcudaRange *ranges, unsigned room)
{
  const InvertArgs *args = static_cast<const InvertArgs *> (data);

  ranges[0] =
      softcuda_reads (args->in, args->in_stride, args->width, args->height);
  ranges[1] =
      softcuda_writes (args->out, args->out_stride, args->width, args->height);
  return 2;
}

SOFTCUDA_TWINS (SOFTCUDA_TWIN (invert, InvertArgs, touched))
