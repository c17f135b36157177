/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "peer.h"

#include "blocks.h"
#include "call.h"
#include "config.h"
#include "device.h"
#include "thread.h"

#define MAX_PAIRS 256

typedef struct
{
  const ScContext *from, *to;
} Pair;

static Pair pairs[MAX_PAIRS];
static unsigned n_pairs;

static Pair *
find_pair (const ScContext *from, const ScContext *to)
{
  for (unsigned i = 0; i < n_pairs; i++)
    if (pairs[i].from == from && pairs[i].to == to)
      return &pairs[i];
  return NULL;
}

static CUresult
enable (ScContext *to, unsigned flags)
{
  const ScContext *from = sc_thread_current ();
  CUresult result = sc_context_check (to);

  if (result != CUDA_SUCCESS)
    return result;
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  if (from->device == to->device)
    return CUDA_ERROR_INVALID_DEVICE;
  if (sc_config ()->peers != SC_PEERS_ACCESS)
    return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
  if (find_pair (from, to))
    return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  if (n_pairs == MAX_PAIRS)
    return CUDA_ERROR_TOO_MANY_PEERS;
  pairs[n_pairs++] = (Pair) { from, to };
  return CUDA_SUCCESS;
}

static CUresult
disable (ScContext *to)
{
  Pair *pair = find_pair (sc_thread_current (), to);

  if (!pair)
    return CUDA_ERROR_PEER_ACCESS_NOT_ENABLED;
  *pair = pairs[--n_pairs];
  return CUDA_SUCCESS;
}

void
sc_peer_forget (const ScContext *ctx)
{
  for (unsigned i = n_pairs; i-- > 0;)
    if (pairs[i].from == ctx || pairs[i].to == ctx)
      pairs[i] = pairs[--n_pairs];
}

CUresult
sc_peer_check_copy (CUdeviceptr a, CUdeviceptr b)
{
  const ScBlock *from = sc_memory_find (a), *to = sc_memory_find (b);

  if (sc_config ()->peers == SC_PEERS_NONE && from && to &&
      sc_memory_is_device (from) && sc_memory_is_device (to) &&
      from->device != to->device)
    return CUDA_ERROR_PEER_ACCESS_UNSUPPORTED;
  return CUDA_SUCCESS;
}

static CUresult
can_access (int *answer, CUdevice from, CUdevice to)
{
  if (!answer)
    return CUDA_ERROR_INVALID_VALUE;
  if (!sc_device_valid (from) || !sc_device_valid (to))
    return CUDA_ERROR_INVALID_DEVICE;
  *answer = from != to && sc_config ()->peers == SC_PEERS_ACCESS;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuDeviceCanAccessPeer (int *answer, CUdevice from, CUdevice to)
{
  SC_API (SC_NEED_INIT, can_access (answer, from, to));
}

CUresult CUDAAPI
cuCtxEnablePeerAccess (CUcontext to, unsigned int flags)
{
  SC_API (SC_NEED_CONTEXT, enable (to, flags));
}

CUresult CUDAAPI
cuCtxDisablePeerAccess (CUcontext to)
{
  SC_API (SC_NEED_CONTEXT, disable (to));
}
