/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "call.h"

#include <string.h>

#include "capture.h"
#include "config.h"
#include "context.h"
#include "device.h"
#include "fail.h"
#include "lock.h"
#include "thread.h"
#include "vtime.h"
#include "watch.h"

static ScCall *calls;

static void
list_call (ScCall *call)
{
  if (call->listed)
    return;
  call->listed = true;
  call->next = calls;
  calls = call;
}

static CUresult
check_need (ScNeed need)
{
  CUresult result;

  if (sc_config ()->stub)
    return CUDA_ERROR_STUB_LIBRARY;
  if (need == SC_NEED_NOTHING)
    return CUDA_SUCCESS;
  if (!sc_device_initialized ())
    return CUDA_ERROR_NOT_INITIALIZED;
  if (need == SC_NEED_INIT || need == SC_NEED_THREAD)
    return CUDA_SUCCESS;
  result = sc_context_check_current ();
  return result == CUDA_SUCCESS && need == SC_NEED_UNSAFE
      ? sc_capture_check_unsafe ()
      : result;
}

CUresult
sc_enter (ScCall *call, ScNeed need, void *caller)
{
  CUresult result;

  sc_lock ();
  list_call (call);
  call->count++;
  sc_vtime_call (call);
  sc_thread ()->call = call->name;
  sc_thread ()->caller = caller;
  sc_thread ()->tells_lost = need != SC_NEED_THREAD;
  sc_watch_enter ();
  result = sc_fail_next (call->name);
  if (result == CUDA_SUCCESS)
    result = check_need (need);
  if (result != CUDA_SUCCESS)
    sc_unlock ();
  return result;
}

CUresult
sc_leave (CUresult result)
{
  ScContext *ctx = sc_thread_current ();
  const char *call = sc_thread ()->call;
  ScDeeds deeds;
  bool told;

  if (result == CUDA_SUCCESS && ctx && ctx->alive && sc_thread ()->tells_lost)
    result = ctx->sticky;
  told = sc_watch_leave (&deeds) && result == CUDA_SUCCESS;
  sc_unlock ();
  if (told)
    sc_watch_tell (&deeds, call);
  return result;
}

uint64_t
sc_call_count (const char *name)
{
  uint64_t count = 0;

  for (const ScCall *call = calls; call; call = call->next)
    if (!strcmp (call->name, name))
      count += call->count;
  return count;
}

void
sc_call_each (SoftcudaCallFunc func, void *data)
{
  for (const ScCall *call = calls; call; call = call->next)
    if (call->count > 0)
      func (call->name, call->count, data);
}

void
sc_call_reset (void)
{
  for (ScCall *call = calls; call; call = call->next)
    call->count = 0;
}

const char *
sc_call_name (void)
{
  const char *name = sc_thread ()->call;

  return name ? name : "the driver";
}
