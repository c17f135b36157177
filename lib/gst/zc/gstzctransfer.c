/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzctransfer.h"

#include "gstzcbarrier.h"
#include "gstzccopy.h"
#include "gstzchost-private.h"
#include "gstzchostwait.h"
#include "gstzcreaper.h"

static gboolean
check_frame (const GstZcFrame *frame, const GstVideoInfo *info,
    GstMapFlags flag, GError **error)
{
  const GstZcImage *image = &frame->image;

  if (frame->stream == NULL || !(frame->flags & flag)) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE,
        "The frame is not mapped for %s; call gst_zc_frame_map() so first",
        flag == GST_MAP_WRITE ? "WRITE" : "READ");
    return FALSE;
  }
  if (image->format == GST_VIDEO_INFO_FORMAT (info) &&
      image->width == GST_VIDEO_INFO_WIDTH (info) &&
      image->height == GST_VIDEO_INFO_HEIGHT (info))
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "A frame of %s %dx%d and a host picture of %s %dx%d can't be copied; "
      "format and size must be the same",
      gst_video_format_to_string (image->format), image->width, image->height,
      GST_VIDEO_INFO_NAME (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info));
  return FALSE;
}

/* TRUE if plane @next goes on where @plane ends, on both sides and in one
 * memory, with rows alike: then one copy does for both. */
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

/* Describes planes @first to before @end as one copy, without a direction. */
static CUDA_MEMCPY2D
describe (const GstZcFrame *frame, const ZcHostPicture *host, guint first,
    guint end)
{
  const GstZcPlane *plane = &frame->image.plane[first];
  CUDA_MEMCPY2D copy = {
    .WidthInBytes = gst_zc_plane_row_bytes (plane),
    .srcDevice = plane->data,
    .dstDevice = plane->data,
    .srcHost = host->data[first],
    .dstHost = host->data[first],
  };

  for (guint i = first; i < end; i++)
    copy.Height += frame->image.plane[i].height;
  return copy;
}

static void
set_direction (CUDA_MEMCPY2D *copy, gsize device_pitch, gsize host_pitch,
    gboolean upload)
{
  copy->srcMemoryType = upload ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE;
  copy->dstMemoryType = upload ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST;
  copy->srcPitch = upload ? host_pitch : device_pitch;
  copy->dstPitch = upload ? device_pitch : host_pitch;
}

/* Queues the copies of all planes, in as few calls as their layout allows. */
static gboolean
copy_planes (const GstZcFrame *frame, const ZcHostPicture *host,
    gboolean upload, GError **error)
{
  guint end;

  for (guint first = 0; first < host->n_planes; first = end) {
    CUDA_MEMCPY2D copy;

    for (end = first + 1; end < host->n_planes; end++)
      if (!continues (frame, host, end - 1, end))
        break;
    copy = describe (frame, host, first, end);
    set_direction (&copy, frame->image.plane[first].row_stride,
        host->stride[first], upload);
    if (!ZC_CU (error, cuMemcpy2DAsync, &copy, frame->stream->key.handle))
      return FALSE;
  }
  return TRUE;
}

static void
release_source (gpointer data)
{
  zc_host_picture_unmap (data);
  g_free (data);
}

static void
hold_source (ZcHostPicture *host, GstZcStream *stream)
{
  if (zc_barrier_holds (ZC_BARRIER_SOURCE_HOLD))
    zc_reaper_add (&stream->key, release_source, host, stream);
  else
    release_source (host);
}

gboolean
gst_zc_frame_upload (GstZcFrame *dst, GstBuffer *src, const GstVideoInfo *info,
    GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  ZcHostPicture *host;
  gboolean ok;

  if (!check_frame (dst, info, GST_MAP_WRITE, error) ||
      !zc_context_push (dst->stream->key.context, &guard, error))
    return FALSE;
  host = g_new (ZcHostPicture, 1);
  if (!zc_host_picture_map (host, src, info, GST_MAP_READ, error)) {
    g_free (host);
    return FALSE;
  }
  ok = copy_planes (dst, host, TRUE, error);
  /* Also when a copy failed: those before it may be under way. */
  hold_source (host, dst->stream);
  return ok;
}

struct _GstZcCopy
{
  ZcHostPicture host;
  GstZcStream *stream;          /* owned */
  ZcHostWait wait;
};

static void
copy_free (GstZcCopy *copy)
{
  zc_host_wait_clear (&copy->wait);
  zc_host_picture_unmap (&copy->host);
  gst_zc_stream_unref (copy->stream);
  g_free (copy);
}

/* After a failure copies may still be under way: nobody may have the memory
 * before they are through. */
static void
abandon (GstZcCopy *copy)
{
  if (zc_barrier_holds (ZC_BARRIER_FAILED_DOWNLOAD))
    ZC_CU (NULL, cuStreamSynchronize, copy->stream->key.handle);
  copy_free (copy);
}

GstZcCopy *
gst_zc_frame_download_start (GstZcFrame *src, GstBuffer *dst,
    const GstVideoInfo *info, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  GstZcCopy *copy;

  if (!check_frame (src, info, GST_MAP_READ, error) ||
      !zc_context_push (src->stream->key.context, &guard, error))
    return NULL;
  copy = g_new0 (GstZcCopy, 1);
  if (!zc_host_picture_map (&copy->host, dst, info, GST_MAP_WRITE, error)) {
    g_free (copy);
    return NULL;
  }
  copy->stream = gst_zc_stream_ref (src->stream);
  if (copy_planes (src, &copy->host, FALSE, error) &&
      zc_host_wait_begin (&copy->wait, &src->stream->key, error))
    return copy;
  abandon (copy);
  return NULL;
}

/* The one host wait that the library has in its streaming path: whoever gets
 * the host memory next reads it with the CPU. For the copy's own event, not for
 * the stream, on which others may have queued more meanwhile. */
gboolean
gst_zc_copy_finish (GstZcCopy *copy, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  gboolean ok = !zc_barrier_holds (ZC_BARRIER_DOWNLOAD_WAIT) ||
      zc_host_wait_end (&copy->wait, &copy->stream->usual_wait_us, error);

  if (ok)
    copy_free (copy);
  else if (zc_context_push (copy->stream->key.context, &guard, NULL))
    abandon (copy);
  else
    copy_free (copy);
  return ok;
}

gboolean
gst_zc_frame_download (GstZcFrame *src, GstBuffer *dst,
    const GstVideoInfo *info, GError **error)
{
  GstZcCopy *copy = gst_zc_frame_download_start (src, dst, info, error);

  return copy != NULL && gst_zc_copy_finish (copy, error);
}
