/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The CUDA runtime and CUDA Python get the driver's functions from
 * cuGetProcAddress (), not from the dynamic linker: what it answers is replaced
 * by a jump that counts. */

#include <pthread.h>
#include <string.h>

#include "forward.h"

#define PUBLIC __attribute__ ((visibility ("default")))
#define V2_SINCE 12000

typedef int (*Get) (const char *symbol, void **function, int version,
    unsigned long long flags);
typedef int (*GetV2) (const char *symbol, void **function, int version,
    unsigned long long flags, int *status);

PUBLIC int cuGetProcAddress (const char *symbol, void **function, int version,
    unsigned long long flags);
PUBLIC int cuGetProcAddress_v2 (const char *symbol, void **function,
    int version, unsigned long long flags, int *status);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned n_spares;

static unsigned
index_of (const char *name)
{
  unsigned i = 0;

  while (i < forward_n && strcmp (forward_names[i], name))
    i++;
  return i;
}

/* One that the driver does not export, or not at this address. */
static void *
take_spare (const char *symbol, void *function)
{
  unsigned i = forward_n + n_spares;

  if (n_spares == forward_n_spares)
    return function;
  forward_slots[i] = function;
  __atomic_store_n (&forward_names[i], strdup (symbol), __ATOMIC_RELEASE);
  n_spares++;
  return forward_jumps[i];
}

static void *
jump_for (const char *symbol, void *function)
{
  for (unsigned i = 0; i < forward_n + n_spares; i++)
    if (forward_slots[i] == function || forward_jumps[i] == function)
      return forward_jumps[i];
  return take_spare (symbol, function);
}

static void
replace (const char *symbol, void **function, int version)
{
  if (!function || !*function)
    return;
  if (!strcmp (symbol, "cuGetProcAddress")) {
    *function = version < V2_SINCE ? (void *) cuGetProcAddress
                                   : (void *) cuGetProcAddress_v2;
    return;
  }
  pthread_mutex_lock (&lock);
  *function = jump_for (symbol, *function);
  pthread_mutex_unlock (&lock);
}

static void *
count (const char *name)
{
  unsigned i = index_of (name);

  __atomic_add_fetch (&forward_counts[i], 1, __ATOMIC_RELAXED);
  return forward_slots[i];
}

int
cuGetProcAddress (const char *symbol, void **function, int version,
    unsigned long long flags)
{
  Get get = (Get) count ("cuGetProcAddress");
  int result = get (symbol, function, version, flags);

  if (result == 0)
    replace (symbol, function, version);
  return result;
}

int
cuGetProcAddress_v2 (const char *symbol, void **function, int version,
    unsigned long long flags, int *status)
{
  GetV2 get = (GetV2) count ("cuGetProcAddress_v2");
  int result = get (symbol, function, version, flags, status);

  if (result == 0)
    replace (symbol, function, version);
  return result;
}
