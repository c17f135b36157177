/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcpeer.h"

#include <gst/cuda/gstcudamemory.h>

#include "gstzcbarrier.h"
#include "gstzcframe-private.h"
#include "gstzcspan.h"
#include "gstzctransfer.h"

void
zc_peer_clear (ZcPeer *self)
{
  g_clear_pointer (&self->stream, gst_zc_stream_unref);
  self->is_refused = FALSE;
}

GstZcStream *
zc_peer_get_stream (ZcPeer *self, GstBuffer *buffer, GError **error)
{
  GstCudaMemory *memory = (GstCudaMemory *) gst_buffer_peek_memory (buffer, 0);

  if (self->stream != NULL &&
      gst_zc_context_same (gst_zc_stream_get_context (self->stream),
          memory->context))
    return self->stream;
  zc_peer_clear (self);
  self->stream = gst_zc_stream_new (memory->context, error);
  return self->stream;
}

static CUresult
copy_plane (const GstZcFrame *dst, const GstZcFrame *src, CUcontext src_context,
    guint plane)
{
  const GstZcPlane *to = &dst->image.plane[plane];
  const GstZcPlane *from = &src->image.plane[plane];
  const ZcStreamKey *stream = &dst->stream->key;
  const CUDA_MEMCPY3D_PEER copy = {
    .WidthInBytes = gst_zc_plane_row_bytes (to),
    .Height = to->height,
    .Depth = 1,
    .srcMemoryType = CU_MEMORYTYPE_DEVICE,
    .srcContext = src_context,
    .srcDevice = from->data,
    .srcPitch = from->row_stride,
    .srcHeight = from->height,
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstContext = stream->context->handle,
    .dstDevice = to->data,
    .dstPitch = to->row_stride,
    .dstHeight = to->height,
  };

  return zc_cu.cuMemcpy3DPeerAsync (&copy, stream->handle);
}

/* Answers after which another way is tried. */
static gboolean
is_refusal (CUresult result)
{
  return result == CUDA_ERROR_PEER_ACCESS_UNSUPPORTED ||
      result == CUDA_ERROR_PEER_ACCESS_NOT_ENABLED ||
      result == CUDA_ERROR_TOO_MANY_PEERS || result == CUDA_ERROR_NOT_SUPPORTED;
}

/* On the stream of @dst, with @src mapped on it. */
static gboolean
copy_planes (ZcPeer *self, const GstZcFrame *dst, const GstZcFrame *src,
    GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  CUcontext src_context = self->stream->key.context->handle;

  if (!zc_context_push (dst->stream->key.context, &guard, error))
    return FALSE;
  for (guint i = 0; i < dst->image.n_planes; i++) {
    CUresult result = copy_plane (dst, src, src_context, i);

    self->is_refused = is_refusal (result);
    if (!zc_cuda_check (result, "cuMemcpy3DPeerAsync", error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
copy_directly (ZcPeer *self, GstZcFrame *dst, GstBuffer *src,
    const GstVideoInfo *info, GError **error)
{
  GstZcFrame frame;
  gboolean ok;

  if (!zc_frame_map_peer (&frame, src, info, dst->stream, error))
    return FALSE;
  ok = copy_planes (self, dst, &frame, error);
  ok &= gst_zc_frame_unmap (&frame, ok ? error : NULL);
  return ok;
}

/* The host memory is written on the GPU's time alone: it is mapped for its
 * address. */
static gboolean
queue_download (GstZcFrame *src, GstBuffer *host, const GstVideoInfo *info,
    GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  const ZcStreamKey *stream = &src->stream->key;
  ZcSpan spans[GST_ZC_MAX_PLANES];
  ZcHostPicture picture;
  gboolean ok = TRUE;
  guint n;

  if (!zc_context_push (stream->context, &guard, error) ||
      !zc_host_picture_map (&picture, host, info, GST_MAP_WRITE, error))
    return FALSE;
  n = zc_spans_find (spans, src, &picture);
  for (guint i = 0; ok && i < n; i++)
    ok = zc_span_copy (&spans[i], FALSE, stream, error);
  if (!ok)
    zc_stream_key_wait_on_host (stream);
  zc_host_picture_unmap (&picture);
  return ok;
}

static gboolean
bring_to_host (ZcPeer *self, GstBuffer *src, GstBuffer *host,
    const GstVideoInfo *info, GError **error)
{
  GstZcFrame frame;
  gboolean ok;

  if (!gst_zc_frame_map (&frame, src, info, GST_MAP_READ, self->stream, error))
    return FALSE;
  ok = queue_download (&frame, host, info, error);
  ok &= gst_zc_frame_unmap (&frame, ok ? error : NULL);
  return ok;
}

static GstBuffer *
alloc_host (GstAllocator *pinned, const GstVideoInfo *info, GError **error)
{
  GstBuffer *host =
      gst_buffer_new_allocate (pinned, GST_VIDEO_INFO_SIZE (info), NULL);

  if (host == NULL)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NO_MEMORY,
        "No page-locked memory to bring a picture from one CUDA device to "
        "another: use one cuda-device-id, or close other programs");
  return host;
}

static gboolean
wait_for_download (ZcPeer *self, GstZcStream *stream, GError **error)
{
  return !zc_barrier_holds (ZC_BARRIER_PEER) ||
      zc_stream_key_wait_tail (&stream->key, &self->stream->key, error);
}

static gboolean
copy_through_host (ZcPeer *self, GstZcFrame *dst, GstBuffer *src,
    const GstVideoInfo *info, GstAllocator *pinned, GError **error)
{
  g_autoptr (GstBuffer) host = alloc_host (pinned, info, error);

  if (host == NULL || !bring_to_host (self, src, host, info, error))
    return FALSE;
  /* The upload holds the memory until it has run. */
  if (wait_for_download (self, dst->stream, error) &&
      gst_zc_frame_upload (dst, host, info, error))
    return TRUE;
  zc_stream_key_wait_on_host (&self->stream->key);
  return FALSE;
}

gboolean
zc_peer_copy (ZcPeer *self, GstZcFrame *dst, GstBuffer *src,
    const GstVideoInfo *info, GstAllocator *pinned, gboolean *staged,
    GError **error)
{
  g_autoptr (GError) refusal = NULL;

  if (zc_peer_get_stream (self, src, error) == NULL)
    return FALSE;
  if (!self->is_refused && copy_directly (self, dst, src, info, &refusal))
    return TRUE;
  if (!self->is_refused) {
    g_propagate_error (error, g_steal_pointer (&refusal));
    return FALSE;
  }
  *staged = TRUE;
  return copy_through_host (self, dst, src, info, pinned, error);
}
