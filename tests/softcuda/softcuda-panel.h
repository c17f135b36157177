/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* How a test program reaches the control panel without linking to it, so that
 * the same program runs on a real driver. */

#pragma once

#include "softcuda.h"

typedef struct
{
  void (*get_counters) (SoftcudaCounters *counters);
  void (*reset_counters) (void);
  void (*get_outstanding) (SoftcudaOutstanding *outstanding);
  uint64_t (*call_count) (const char *name);
  void (*each_call) (SoftcudaCallFunc func, void *data);
  const char *(*last_error) (void);
  int (*delay) (void *stream, unsigned ms);
  void (*fail) (const char *name, unsigned nth, int error, int sticky);
  void (*fail_randomly) (unsigned one_in, int error);
  void (*fail_clear) (void);
  int (*set_policy) (const char *policy);
  void (*set_seed) (uint64_t seed);
  uint64_t (*get_seed) (void);
  void (*set_memory) (size_t bytes);
  void (*set_free_mode) (int mode);
  int (*set_races) (const char *mode);
  uint64_t (*race_count) (void);
  void (*host_access) (const void *memory, size_t size, int write);
  void (*virtual_time_reset) (unsigned scale);
  void (*virtual_time_get) (SoftcudaVirtualTime *time);
  void (*drain) (void);
  int (*register_kernel) (const char *name, size_t args_size,
      SoftcudaKernelFunc func, SoftcudaRangesFunc ranges);
  void (*watch) (SoftcudaWatchFunc func, void *data);
  void *(*host_view) (uint64_t device_address);
} SoftcudaPanel;

/* The panel of the libcuda.so.1 that this process finds, each function as in
 * softcuda.h, or NULL if that is a real driver or there is none. */
const SoftcudaPanel *softcuda_panel (void);
