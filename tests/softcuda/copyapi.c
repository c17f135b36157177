/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "call.h"
#include "copy.h"
#include "context.h"
#include "peer.h"
#include "thread.h"

typedef struct
{
  bool sync;
  CUstream stream;
} When;

#define NOW ((When) { .sync = true })
#define ON(stream_) ((When) { .stream = (stream_) })

/* The synchronous calls run on the legacy stream, and wait unless both sides
 * are the device's. */
static CUresult
push (const ScCopy *copy, When when)
{
  ScStream *stream;
  CUresult result = sc_stream_resolve (when.stream, &stream);
  bool on_device =
      copy->src.kind == SC_SIDE_DEVICE && copy->dst.kind == SC_SIDE_DEVICE;

  if (result != CUDA_SUCCESS)
    return result;
  return sc_copy_push (stream, copy, when.sync && !on_device);
}

static CUresult
linear (ScAddress to, uintptr_t dst, ScAddress from, uintptr_t src, size_t size,
    When when)
{
  ScCopy copy = {
    .dst.pitch = size, .src.pitch = size, .width = size, .rows = 1, .depth = 1
  };
  CUresult result;

  if (size == 0)
    return push (&copy, when);
  result = sc_side_init (&copy.dst, to, dst);
  if (result == CUDA_SUCCESS)
    result = sc_side_init (&copy.src, from, src);
  return result == CUDA_SUCCESS ? push (&copy, when) : result;
}

static CUresult
side_of (ScSide *side, CUmemorytype type, const void *host, CUdeviceptr device,
    size_t offset)
{
  switch (type) {
    case CU_MEMORYTYPE_HOST:
      return sc_side_init (side, SC_ADDRESS_HOST, (uintptr_t) host + offset);
    case CU_MEMORYTYPE_DEVICE:
      return sc_side_init (side, SC_ADDRESS_DEVICE, device + offset);
    case CU_MEMORYTYPE_UNIFIED:
      return sc_side_init (side, SC_ADDRESS_ANY, device + offset);
    default:
      return CUDA_ERROR_NOT_SUPPORTED;
  }
}

/* As measured, a pitch of 0 stands for rows without a gap. */
static size_t
pitch_or (size_t pitch, size_t width)
{
  return pitch ? pitch : width;
}

static CUresult
flat (const CUDA_MEMCPY2D *c, When when)
{
  ScCopy copy = { .dst.pitch = pitch_or (c->dstPitch, c->WidthInBytes),
    .src.pitch = pitch_or (c->srcPitch, c->WidthInBytes),
    .width = c->WidthInBytes,
    .rows = c->Height,
    .depth = 1 };
  CUresult result;

  if (copy.width == 0 || copy.rows == 0)
    return push (&copy, when);
  result = side_of (&copy.dst, c->dstMemoryType, c->dstHost, c->dstDevice,
      c->dstY * copy.dst.pitch + c->dstXInBytes);
  if (result == CUDA_SUCCESS)
    result = side_of (&copy.src, c->srcMemoryType, c->srcHost, c->srcDevice,
        c->srcY * copy.src.pitch + c->srcXInBytes);
  return result == CUDA_SUCCESS ? push (&copy, when) : result;
}

#define DEEP_SIDE(c, side)                                                     \
  { .pitch = pitch_or ((c)->side##Pitch, (c)->WidthInBytes),                   \
    .slice =                                                                   \
        pitch_or ((c)->side##Pitch, (c)->WidthInBytes) * (c)->side##Height }

#define DEEP_OFFSET(c, side)                                                   \
  ((c)->side##Z * copy.side.slice + (c)->side##Y * copy.side.pitch +           \
      (c)->side##XInBytes)

static CUresult
deep_peer (const CUDA_MEMCPY3D_PEER *c, When when)
{
  ScCopy copy = { .dst = DEEP_SIDE (c, dst),
    .src = DEEP_SIDE (c, src),
    .width = c->WidthInBytes,
    .rows = c->Height,
    .depth = c->Depth };
  CUresult result;

  if (copy.width == 0 || copy.rows == 0 || copy.depth == 0)
    return push (&copy, when);
  result = side_of (&copy.dst, c->dstMemoryType, c->dstHost, c->dstDevice,
      DEEP_OFFSET (c, dst));
  if (result == CUDA_SUCCESS)
    result = side_of (&copy.src, c->srcMemoryType, c->srcHost, c->srcDevice,
        DEEP_OFFSET (c, src));
  return result == CUDA_SUCCESS ? push (&copy, when) : result;
}

static CUresult
peer_deep (const CUDA_MEMCPY3D_PEER *c, When when)
{
  CUresult result = sc_peer_check_copy (c->srcDevice, c->dstDevice);

  return result == CUDA_SUCCESS ? deep_peer (c, when) : result;
}

static CUresult
peer_linear (CUdeviceptr dst, CUdeviceptr src, size_t size, When when)
{
  CUresult result = sc_peer_check_copy (src, dst);

  if (result != CUDA_SUCCESS)
    return result;
  return linear (SC_ADDRESS_ANY, dst, SC_ADDRESS_ANY, src, size, when);
}

static CUresult
deep (const CUDA_MEMCPY3D *c, When when)
{
  CUDA_MEMCPY3D_PEER peer = { .srcXInBytes = c->srcXInBytes,
    .srcY = c->srcY,
    .srcZ = c->srcZ,
    .srcLOD = c->srcLOD,
    .srcMemoryType = c->srcMemoryType,
    .srcHost = c->srcHost,
    .srcDevice = c->srcDevice,
    .srcPitch = c->srcPitch,
    .srcHeight = c->srcHeight,
    .dstXInBytes = c->dstXInBytes,
    .dstY = c->dstY,
    .dstZ = c->dstZ,
    .dstLOD = c->dstLOD,
    .dstMemoryType = c->dstMemoryType,
    .dstHost = c->dstHost,
    .dstDevice = c->dstDevice,
    .dstPitch = c->dstPitch,
    .dstHeight = c->dstHeight,
    .WidthInBytes = c->WidthInBytes,
    .Height = c->Height,
    .Depth = c->Depth };

  return deep_peer (&peer, when);
}

#define DEVICE SC_ADDRESS_DEVICE
#define HOST SC_ADDRESS_HOST
#define ANY SC_ADDRESS_ANY

CUresult CUDAAPI
cuMemcpyHtoD_v2 (CUdeviceptr dst, const void *src, size_t size)
{
  SC_API (SC_NEED_CONTEXT,
      linear (DEVICE, dst, HOST, (uintptr_t) src, size, NOW));
}

CUresult CUDAAPI
cuMemcpyDtoH_v2 (void *dst, CUdeviceptr src, size_t size)
{
  SC_API (SC_NEED_CONTEXT,
      linear (HOST, (uintptr_t) dst, DEVICE, src, size, NOW));
}

CUresult CUDAAPI
cuMemcpyDtoD_v2 (CUdeviceptr dst, CUdeviceptr src, size_t size)
{
  SC_API (SC_NEED_CONTEXT, linear (DEVICE, dst, DEVICE, src, size, NOW));
}

CUresult CUDAAPI
cuMemcpy (CUdeviceptr dst, CUdeviceptr src, size_t size)
{
  SC_API (SC_NEED_CONTEXT, linear (ANY, dst, ANY, src, size, NOW));
}

CUresult CUDAAPI
cuMemcpyPeer (CUdeviceptr dst, CUcontext dst_ctx, CUdeviceptr src,
    CUcontext src_ctx, size_t size)
{
  SC_API (SC_NEED_CONTEXT, peer_linear (dst, src, size, NOW));
}

CUresult CUDAAPI
cuMemcpyHtoDAsync_v2 (CUdeviceptr dst, const void *src, size_t size,
    CUstream stream)
{
  SC_API (SC_NEED_CONTEXT,
      linear (DEVICE, dst, HOST, (uintptr_t) src, size, ON (stream)));
}

CUresult CUDAAPI
cuMemcpyDtoHAsync_v2 (void *dst, CUdeviceptr src, size_t size, CUstream stream)
{
  SC_API (SC_NEED_CONTEXT,
      linear (HOST, (uintptr_t) dst, DEVICE, src, size, ON (stream)));
}

CUresult CUDAAPI
cuMemcpyDtoDAsync_v2 (CUdeviceptr dst, CUdeviceptr src, size_t size,
    CUstream stream)
{
  SC_API (SC_NEED_CONTEXT,
      linear (DEVICE, dst, DEVICE, src, size, ON (stream)));
}

CUresult CUDAAPI
cuMemcpyAsync (CUdeviceptr dst, CUdeviceptr src, size_t size, CUstream stream)
{
  SC_API (SC_NEED_CONTEXT, linear (ANY, dst, ANY, src, size, ON (stream)));
}

CUresult CUDAAPI
cuMemcpyPeerAsync (CUdeviceptr dst, CUcontext dst_ctx, CUdeviceptr src,
    CUcontext src_ctx, size_t size, CUstream stream)
{
  SC_API (SC_NEED_CONTEXT, peer_linear (dst, src, size, ON (stream)));
}

CUresult CUDAAPI
cuMemcpy2D_v2 (const CUDA_MEMCPY2D *copy)
{
  SC_API (SC_NEED_CONTEXT, flat (copy, NOW));
}

CUresult CUDAAPI
cuMemcpy2DUnaligned_v2 (const CUDA_MEMCPY2D *copy)
{
  SC_API (SC_NEED_CONTEXT, flat (copy, NOW));
}

CUresult CUDAAPI
cuMemcpy2DAsync_v2 (const CUDA_MEMCPY2D *copy, CUstream stream)
{
  SC_API (SC_NEED_CONTEXT, flat (copy, ON (stream)));
}

CUresult CUDAAPI
cuMemcpy3D_v2 (const CUDA_MEMCPY3D *copy)
{
  SC_API (SC_NEED_CONTEXT, deep (copy, NOW));
}

CUresult CUDAAPI
cuMemcpy3DAsync_v2 (const CUDA_MEMCPY3D *copy, CUstream stream)
{
  SC_API (SC_NEED_CONTEXT, deep (copy, ON (stream)));
}

CUresult CUDAAPI
cuMemcpy3DPeer (const CUDA_MEMCPY3D_PEER *copy)
{
  SC_API (SC_NEED_CONTEXT, peer_deep (copy, NOW));
}

CUresult CUDAAPI
cuMemcpy3DPeerAsync (const CUDA_MEMCPY3D_PEER *copy, CUstream stream)
{
  SC_API (SC_NEED_CONTEXT, peer_deep (copy, ON (stream)));
}
