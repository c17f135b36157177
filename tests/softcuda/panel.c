/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <string.h>

#include "arena.h"
#include "call.h"
#include "config.h"
#include "context.h"
#include "counters.h"
#include "event.h"
#include "fail.h"
#include "graph.h"
#include "lock.h"
#include "blocks.h"
#include "module.h"
#include "race.h"
#include "report.h"
#include "scheduler.h"
#include "stream.h"
#include "thread.h"
#include "twin.h"

#define NS_PER_MS ((int64_t) 1000000)

void
softcuda_get_counters (SoftcudaCounters *counters)
{
  sc_lock ();
  *counters = *sc_counters ();
  counters->errors = sc_report_count ();
  counters->races = sc_race_count ();
  sc_unlock ();
}

void
softcuda_reset_counters (void)
{
  sc_lock ();
  memset (sc_counters (), 0, sizeof (SoftcudaCounters));
  sc_call_reset ();
  sc_report_reset ();
  sc_race_reset ();
  sc_unlock ();
}

void
softcuda_get_outstanding (SoftcudaOutstanding *out)
{
  size_t bytes;

  sc_lock ();
  *out = (SoftcudaOutstanding) { .contexts = sc_context_count (),
    .streams = sc_context_streams (),
    .events = sc_event_count (),
    .modules = sc_module_count (),
    .operations = sc_context_operations (),
    .graphs = sc_graph_count () };
  out->device_allocations = sc_memory_sum (SC_MEMORY_DEVICE, -1, &bytes);
  out->device_bytes = bytes;
  out->pinned_allocations = sc_memory_sum (SC_MEMORY_PINNED, -1, &bytes);
  out->pinned_bytes = bytes;
  out->registrations = sc_memory_sum (SC_MEMORY_REGISTERED, -1, &bytes);
  sc_unlock ();
}

uint64_t
softcuda_call_count (const char *name)
{
  uint64_t count;

  sc_lock ();
  count = sc_call_count (name);
  sc_unlock ();
  return count;
}

void
softcuda_each_call (SoftcudaCallFunc func, void *data)
{
  sc_lock ();
  sc_call_each (func, data);
  sc_unlock ();
}

const char *
softcuda_last_error (void)
{
  return sc_report_last ();
}

static CUresult
push_delay (CUstream handle, unsigned ms)
{
  ScStream *stream;
  ScOp *op;
  CUresult result = sc_stream_resolve (handle, &stream);

  if (result != CUDA_SUCCESS)
    return result;
  op = sc_op_new (SC_OP_DELAY, stream->ctx, 0);
  if (!op)
    return CUDA_ERROR_OUT_OF_MEMORY;
  op->delay = op->span.cost = ms * NS_PER_MS;
  sc_stream_push (stream, op);
  sc_op_unref (op);
  return CUDA_SUCCESS;
}

int
softcuda_delay (void *stream, unsigned ms)
{
  SC_API (SC_NEED_CONTEXT, push_delay (stream, ms));
}

void
softcuda_fail (const char *name, unsigned nth, int error, int sticky)
{
  sc_lock ();
  sc_fail_add (name, nth, (CUresult) error, sticky);
  sc_unlock ();
}

void
softcuda_fail_randomly (unsigned one_in, int error)
{
  sc_lock ();
  sc_fail_random (one_in, (CUresult) error);
  sc_unlock ();
}

void
softcuda_fail_clear (void)
{
  sc_lock ();
  sc_fail_clear ();
  sc_unlock ();
}

int
softcuda_set_policy (const char *policy)
{
  bool known;

  sc_lock ();
  sc_config ();
  known = sc_config_set_policy (policy);
  sc_unlock ();
  return known;
}

void
softcuda_set_seed (uint64_t seed)
{
  sc_lock ();
  sc_config ();
  sc_config_seed (seed);
  sc_unlock ();
}

uint64_t
softcuda_get_seed (void)
{
  uint64_t seed;

  sc_lock ();
  seed = sc_config ()->seed;
  sc_unlock ();
  return seed;
}

void
softcuda_set_memory (size_t bytes)
{
  sc_lock ();
  sc_config ()->memory = bytes;
  sc_unlock ();
}

void
softcuda_set_free_mode (int mode)
{
  sc_lock ();
  sc_config ()->free_mode = (ScFreeMode) mode;
  sc_unlock ();
}

int
softcuda_set_races (const char *mode)
{
  bool known;

  sc_lock ();
  sc_config ();
  known = sc_config_set_races (mode);
  sc_unlock ();
  return known;
}

uint64_t
softcuda_race_count (void)
{
  uint64_t count;

  sc_lock ();
  count = sc_race_count ();
  sc_unlock ();
  return count;
}

void
softcuda_host_access (const void *memory, size_t size, int write)
{
  sc_lock ();
  sc_thread ()->call = __func__;
  sc_thread ()->caller = __builtin_return_address (0);
  sc_race_check_host ((uintptr_t) memory, size, write);
  sc_unlock ();
}

void
softcuda_virtual_time_reset (unsigned scale)
{
  sc_lock ();
  sc_vtime_reset ();
  sc_vtime_set_scale (scale);
  sc_unlock ();
}

void
softcuda_virtual_time_get (SoftcudaVirtualTime *time)
{
  sc_lock ();
  *time = (SoftcudaVirtualTime) { .makespan = (uint64_t) sc_vtime_makespan (),
    .uploading = (uint64_t) sc_engine_busy (SC_ENGINE_UPLOAD),
    .downloading = (uint64_t) sc_engine_busy (SC_ENGINE_DOWNLOAD),
    .computing = (uint64_t) sc_engine_busy (SC_ENGINE_COMPUTE) };
  sc_unlock ();
}

void
softcuda_drain (void)
{
  sc_lock ();
  sc_context_drain ();
  sc_unlock ();
}

int
softcuda_register_kernel (const char *name, size_t args_size,
    SoftcudaKernelFunc func, SoftcudaRangesFunc ranges)
{
  ScTwin twin = { name, args_size, func, ranges };
  bool done;

  sc_lock ();
  done = sc_twin_add (twin);
  sc_unlock ();
  return done;
}

void *
softcuda_host_view (uint64_t device_address)
{
  void *view = NULL;

  sc_lock ();
  if (sc_memory_find (device_address))
    view = sc_arena_view (device_address);
  sc_unlock ();
  return view;
}
