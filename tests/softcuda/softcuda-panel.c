/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "softcuda-panel.h"

#include <dlfcn.h>
#include <stddef.h>

static SoftcudaPanel panel;

typedef struct
{
  const char *name;
  size_t offset;
} Entry;

#define ENTRY(name) { "softcuda_" #name, offsetof (SoftcudaPanel, name) }

static const Entry entries[] = {
  ENTRY (get_counters),
  ENTRY (reset_counters),
  ENTRY (get_outstanding),
  ENTRY (call_count),
  ENTRY (each_call),
  ENTRY (last_error),
  ENTRY (delay),
  ENTRY (fail),
  ENTRY (fail_randomly),
  ENTRY (fail_clear),
  ENTRY (set_policy),
  ENTRY (set_seed),
  ENTRY (get_seed),
  ENTRY (set_memory),
  ENTRY (set_free_mode),
  ENTRY (set_races),
  ENTRY (race_count),
  ENTRY (host_access),
  ENTRY (virtual_time_reset),
  ENTRY (virtual_time_get),
  ENTRY (drain),
  ENTRY (register_kernel),
  ENTRY (watch),
  ENTRY (host_view),
};

const SoftcudaPanel *
softcuda_panel (void)
{
  void *driver = dlopen ("libcuda.so.1", RTLD_NOW);

  if (!driver)
    return NULL;
  for (unsigned i = 0; i < sizeof entries / sizeof *entries; i++) {
    void *func = dlsym (driver, entries[i].name);
    if (!func)
      return NULL;
    *(void **) ((char *) &panel + entries[i].offset) = func;
  }
  return &panel;
}
