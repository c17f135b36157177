/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "call.h"
#include "context.h"
#include "device.h"

typedef struct
{
  ScContext *ctx; /* made once, so that its handle stays */
  unsigned refs, flags;
} Primary;

static Primary primaries[SC_MAX_DEVICES];

static CUresult
start (Primary *primary, int device)
{
  if (!primary->ctx)
    primary->ctx = sc_context_new (device, primary->flags, true);
  if (!primary->ctx)
    return CUDA_ERROR_OUT_OF_MEMORY;
  primary->ctx->flags = primary->flags;
  return sc_context_revive (primary->ctx);
}

static CUresult
retain (CUcontext *ctx, CUdevice device)
{
  Primary *primary = &primaries[device];
  CUresult result = CUDA_SUCCESS;

  if (!primary->ctx || !primary->ctx->alive)
    result = start (primary, device);
  if (result != CUDA_SUCCESS)
    return result;
  primary->refs++;
  *ctx = primary->ctx;
  return CUDA_SUCCESS;
}

static CUresult
release (CUdevice device)
{
  Primary *primary = &primaries[device];

  if (primary->refs == 0)
    return CUDA_ERROR_INVALID_CONTEXT;
  if (--primary->refs == 0)
    sc_context_destroy (primary->ctx);
  return CUDA_SUCCESS;
}

static CUresult
reset (CUdevice device)
{
  Primary *primary = &primaries[device];

  if (primary->ctx && primary->ctx->alive)
    sc_context_destroy (primary->ctx);
  return primary->refs ? start (primary, device) : CUDA_SUCCESS;
}

static CUresult
set_flags (CUdevice device, unsigned flags)
{
  Primary *primary = &primaries[device];

  primary->flags = flags;
  if (primary->ctx)
    primary->ctx->flags = flags;
  return CUDA_SUCCESS;
}

static CUresult
get_state (CUdevice device, unsigned *flags, int *active)
{
  const Primary *primary = &primaries[device];

  if (flags)
    *flags = primary->flags;
  if (active)
    *active = primary->ctx && primary->ctx->alive;
  return CUDA_SUCCESS;
}

#define ON_DEVICE(device, expr)                                                \
  SC_API (SC_NEED_INIT,                                                        \
      sc_device_valid (device) ? (expr) : CUDA_ERROR_INVALID_DEVICE)

CUresult CUDAAPI
cuDevicePrimaryCtxRetain (CUcontext *ctx, CUdevice device)
{
  ON_DEVICE (device, retain (ctx, device));
}

CUresult CUDAAPI
cuDevicePrimaryCtxRelease_v2 (CUdevice device)
{
  ON_DEVICE (device, release (device));
}

CUresult CUDAAPI
cuDevicePrimaryCtxRelease (CUdevice device)
{
  ON_DEVICE (device, release (device));
}

CUresult CUDAAPI
cuDevicePrimaryCtxReset_v2 (CUdevice device)
{
  ON_DEVICE (device, reset (device));
}

CUresult CUDAAPI
cuDevicePrimaryCtxReset (CUdevice device)
{
  ON_DEVICE (device, reset (device));
}

CUresult CUDAAPI
cuDevicePrimaryCtxSetFlags_v2 (CUdevice device, unsigned int flags)
{
  ON_DEVICE (device, set_flags (device, flags));
}

CUresult CUDAAPI
cuDevicePrimaryCtxSetFlags (CUdevice device, unsigned int flags)
{
  ON_DEVICE (device, set_flags (device, flags));
}

CUresult CUDAAPI
cuDevicePrimaryCtxGetState (CUdevice device, unsigned int *flags, int *active)
{
  ON_DEVICE (device, get_state (device, flags, active));
}
