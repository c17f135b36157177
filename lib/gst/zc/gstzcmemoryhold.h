/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: a memory that is dropped while work on it is pending. Freeing is no
 * barrier, nor is giving back to an owner: the reaper drops it for good when
 * that work is done. */

#include <gst/gst.h>

G_BEGIN_DECLS

/* Part of a reservation. All zero at first. */
typedef struct
{
  GstMiniObjectDisposeFunction dispose; /* what the memory had, or NULL */
  gboolean keep_cpu_writes; /* what a CPU wrote is brought to the bytes first */
} ZcMemoryHold;

/* @memory, which has a reservation, is being used. To be called again at each
 * use: gst-cuda's pools set a dispose of their own when they hand memory out. */
void zc_memory_hold (GstMemory *memory);

G_END_DECLS
