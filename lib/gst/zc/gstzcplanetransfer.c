/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcplanetransfer.h"

#include "gstzcstream-private.h"
#include "gstzcwrapcheck.h"

static gboolean
check (const GstZcPlane *plane, gsize row_stride, GError **error)
{
  gsize row_bytes = gst_zc_plane_row_bytes (plane);

  if (plane->pixel_stride != plane->n_channels * plane->channel_bytes ||
      plane->row_stride < (gint64) row_bytes) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "A plane can't be copied whose rows are %" G_GINT64_FORMAT
        " bytes apart and have %" G_GSIZE_FORMAT ", or whose elements have "
        "gaps",
        plane->row_stride, row_bytes);
    return FALSE;
  }
  if (row_stride >= row_bytes)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "Rows of %" G_GSIZE_FORMAT " bytes can't be copied from or to host rows "
      "that are %" G_GSIZE_FORMAT " bytes apart",
      row_bytes, row_stride);
  return FALSE;
}

/* The plane and @data on both sides of a copy. */
static CUDA_MEMCPY2D
describe (const GstZcPlane *plane, gpointer data)
{
  return (CUDA_MEMCPY2D) {
    .WidthInBytes = gst_zc_plane_row_bytes (plane),
    .Height = plane->height,
    .srcHost = data,
    .srcDevice = plane->data,
    .dstHost = data,
    .dstDevice = plane->data,
  };
}

static gboolean
check_memory (const GstZcPlane *plane, GstZcStream *stream, GError **error)
{
  const GstZcImage image = { .n_planes = 1, .plane = { *plane } };
  ZcAllocation allocation;

  return zc_wrap_check_memory (&image, stream->key.context, &allocation, error);
}

static gboolean
copy (const GstZcPlane *plane, const CUDA_MEMCPY2D *what, GstZcStream *stream,
    GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;

  return check_memory (plane, stream, error) &&
      zc_context_push (stream->key.context, &guard, error) &&
      ZC_CU (error, cuMemcpy2DAsync, what, stream->key.handle) &&
      zc_stream_key_finish (&stream->key, error);
}

gboolean
gst_zc_plane_upload (const GstZcPlane *plane, gconstpointer data,
    gsize row_stride, GstZcStream *stream, GError **error)
{
  CUDA_MEMCPY2D what = describe (plane, (gpointer) data);

  what.srcMemoryType = CU_MEMORYTYPE_HOST;
  what.srcPitch = row_stride;
  what.dstMemoryType = CU_MEMORYTYPE_DEVICE;
  what.dstPitch = plane->row_stride;
  return check (plane, row_stride, error) && copy (plane, &what, stream, error);
}

gboolean
gst_zc_plane_download (const GstZcPlane *plane, gpointer data, gsize row_stride,
    GstZcStream *stream, GError **error)
{
  CUDA_MEMCPY2D what = describe (plane, data);

  what.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  what.srcPitch = plane->row_stride;
  what.dstMemoryType = CU_MEMORYTYPE_HOST;
  what.dstPitch = row_stride;
  return check (plane, row_stride, error) && copy (plane, &what, stream, error);
}
