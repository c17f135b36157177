/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "texture.h"

#include "arena.h"
#include "blocks.h"
#include "call.h"
#include "pool.h"
#include "report.h"

static ScPool pool = SC_POOL_INIT (ScTexture);

const ScTexture *
sc_texture_find (uint64_t handle)
{
  const ScTexture *texture = (const ScTexture *) (uintptr_t) handle;

  return sc_pool_live (&pool, texture) ? texture : NULL;
}

size_t
sc_texture_row (const ScTexture *texture)
{
  return texture->width * texture->channels * texture->bytes;
}

static unsigned
bytes_of (CUarray_format format)
{
  switch (format) {
    case CU_AD_FORMAT_UNSIGNED_INT8:
    case CU_AD_FORMAT_SIGNED_INT8:
      return 1;
    case CU_AD_FORMAT_UNSIGNED_INT16:
    case CU_AD_FORMAT_SIGNED_INT16:
      return 2;
    case CU_AD_FORMAT_FLOAT:
      return 4;
    default:
      return 0;
  }
}

/* Only what is read as numbers from 0 to 1, or floats, with clamped borders. */
static bool
is_supported (const CUDA_RESOURCE_DESC *resource, const CUDA_TEXTURE_DESC *desc)
{
  return resource->resType == CU_RESOURCE_TYPE_PITCH2D &&
      bytes_of (resource->res.pitch2D.format) &&
      !(desc->flags & CU_TRSF_READ_AS_INTEGER) &&
      desc->addressMode[0] == CU_TR_ADDRESS_MODE_CLAMP &&
      desc->addressMode[1] == CU_TR_ADDRESS_MODE_CLAMP;
}

static void
fill (ScTexture *texture, const CUDA_RESOURCE_DESC *resource,
    const CUDA_TEXTURE_DESC *desc)
{
  CUarray_format format = resource->res.pitch2D.format;

  *texture = (ScTexture) { .start = resource->res.pitch2D.devPtr,
    .view = sc_arena_view (resource->res.pitch2D.devPtr),
    .width = resource->res.pitch2D.width,
    .height = resource->res.pitch2D.height,
    .pitch = resource->res.pitch2D.pitchInBytes,
    .channels = resource->res.pitch2D.numChannels,
    .bytes = bytes_of (format),
    .is_signed = format == CU_AD_FORMAT_SIGNED_INT8 ||
        format == CU_AD_FORMAT_SIGNED_INT16,
    .linear = desc->filterMode == CU_TR_FILTER_MODE_LINEAR,
    .normalized = (desc->flags & CU_TRSF_NORMALIZED_COORDINATES) != 0 };
}

static CUresult
create (CUtexObject *made, const CUDA_RESOURCE_DESC *resource,
    const CUDA_TEXTURE_DESC *desc)
{
  ScTexture *texture;

  if (!made || !resource || !desc)
    return CUDA_ERROR_INVALID_VALUE;
  if (!is_supported (resource, desc))
    return CUDA_ERROR_NOT_SUPPORTED;
  if (!sc_memory_find (resource->res.pitch2D.devPtr)) {
    sc_report ("%#llx is no device address", resource->res.pitch2D.devPtr);
    return CUDA_ERROR_INVALID_VALUE;
  }
  texture = sc_pool_take (&pool);
  if (!texture)
    return CUDA_ERROR_OUT_OF_MEMORY;
  fill (texture, resource, desc);
  *made = (uintptr_t) texture;
  return CUDA_SUCCESS;
}

static CUresult
destroy (CUtexObject handle)
{
  ScTexture *texture = (ScTexture *) (uintptr_t) handle;

  if (!sc_pool_live (&pool, texture)) {
    sc_report ("texture %#llx is destroyed or none", handle);
    return CUDA_ERROR_INVALID_VALUE;
  }
  sc_pool_give (&pool, texture);
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuTexObjectCreate (CUtexObject *texture, const CUDA_RESOURCE_DESC *resource,
    const CUDA_TEXTURE_DESC *desc, const CUDA_RESOURCE_VIEW_DESC *view)
{
  SC_API (SC_NEED_CONTEXT, create (texture, resource, desc));
}

CUresult CUDAAPI
cuTexObjectDestroy (CUtexObject texture)
{
  SC_API (SC_NEED_CONTEXT, destroy (texture));
}
