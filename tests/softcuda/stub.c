/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "stub.h"

#include "call.h"
#include "lock.h"

#define MAX_STUBS 1024

static ScCall calls[MAX_STUBS];
static unsigned n_calls;

/* Names are literals of one file, so one address each. */
static ScCall *
find_call (const char *name)
{
  for (unsigned i = 0; i < n_calls; i++)
    if (calls[i].name == name)
      return &calls[i];
  if (n_calls == MAX_STUBS)
    return &calls[0];
  calls[n_calls].name = name;
  return &calls[n_calls++];
}

int
sc_stub (const char *name)
{
  CUresult result;
  ScCall *call;

  sc_lock ();
  call = find_call (name);
  sc_unlock ();
  result = sc_enter (call, SC_NEED_NOTHING, NULL);
  if (result == CUDA_SUCCESS)
    return sc_leave (CUDA_ERROR_NOT_SUPPORTED);
  return result == SC_SKIPPED ? CUDA_SUCCESS : result;
}
