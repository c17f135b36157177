/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcspan.h"

/* TRUE if plane @next goes on where @plane ends, on both sides and in one
 * memory, with rows alike. */
static gboolean
continues (const GstZcFrame *frame, const ZcHostPicture *host, guint plane,
    guint next)
{
  const GstZcPlane *a = &frame->image.plane[plane];
  const GstZcPlane *b = &frame->image.plane[next];
  gsize host_bytes = (gsize) host->stride[plane] * a->height;

  return frame->n_memory == 1 && host->map_of[plane] == host->map_of[next] &&
      gst_zc_plane_row_bytes (a) == gst_zc_plane_row_bytes (b) &&
      a->row_stride == b->row_stride &&
      host->stride[plane] == host->stride[next] &&
      b->data == a->data + a->row_stride * a->height &&
      host->data[next] == host->data[plane] + host_bytes;
}

static ZcSpan
describe (const GstZcFrame *frame, const ZcHostPicture *host, guint plane)
{
  const GstZcPlane *device = &frame->image.plane[plane];

  return (ZcSpan) {
    .device = device->data,
    .device_stride = device->row_stride,
    .host = host->data[plane],
    .host_stride = host->stride[plane],
    .row_bytes = gst_zc_plane_row_bytes (device),
    .rows = device->height,
    .map = host->map_of[plane],
  };
}

guint
zc_spans_find (ZcSpan spans[GST_ZC_MAX_PLANES], const GstZcFrame *frame,
    const ZcHostPicture *host)
{
  guint n = 0;

  for (guint i = 0; i < host->n_planes; i++) {
    if (i > 0 && continues (frame, host, i - 1, i))
      spans[n - 1].rows += frame->image.plane[i].height;
    else
      spans[n++] = describe (frame, host, i);
  }
  return n;
}

static CUDA_MEMCPY2D
upload_of (const ZcSpan *span)
{
  return (CUDA_MEMCPY2D) {
    .WidthInBytes = span->row_bytes,
    .Height = span->rows,
    .srcMemoryType = CU_MEMORYTYPE_HOST,
    .srcHost = span->host,
    .srcPitch = span->host_stride,
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstDevice = span->device,
    .dstPitch = span->device_stride,
  };
}

static CUDA_MEMCPY2D
download_of (const ZcSpan *span)
{
  return (CUDA_MEMCPY2D) {
    .WidthInBytes = span->row_bytes,
    .Height = span->rows,
    .srcMemoryType = CU_MEMORYTYPE_DEVICE,
    .srcDevice = span->device,
    .srcPitch = span->device_stride,
    .dstMemoryType = CU_MEMORYTYPE_HOST,
    .dstHost = span->host,
    .dstPitch = span->host_stride,
  };
}

gboolean
zc_span_copy (const ZcSpan *span, gboolean upload, const ZcStreamKey *stream,
    GError **error)
{
  CUDA_MEMCPY2D copy = upload ? upload_of (span) : download_of (span);

  return ZC_CU (error, cuMemcpy2DAsync, &copy, stream->handle);
}

void
zc_span_skip (ZcSpan *span, gsize rows)
{
  span->device += rows * span->device_stride;
  span->host += rows * span->host_stride;
  span->rows -= rows;
}
