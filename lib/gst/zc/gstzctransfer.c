/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzctransfer-private.h"

#include "gstzcbarrier.h"
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

/* How each of the picture's maps is copied: asked once a frame, since the
 * answer may change meanwhile. Returns the slowest. */
static ZcRoute
find_routes (ZcRoute *routes, ZcTransferState *state, const ZcHostPicture *host,
    gboolean up)
{
  ZcRoute slowest = ZC_ROUTE_PINNED;

  for (guint i = 0; i < host->n_maps; i++) {
    routes[i] = state != NULL
        ? zc_transfer_state_get_route (state, &host->map[i], up)
        : ZC_ROUTE_PAGEABLE;
    slowest = MAX (slowest, routes[i]);
  }
  return slowest;
}

/* Up through the ring, and what that has no room for by the driver. */
static gboolean
stage (ZcTransferState *state, ZcSpan *span, const ZcStreamKey *stream,
    ZcRoute *slowest, GError **error)
{
  if (!zc_staging_upload (state->staging, span, stream, error))
    return FALSE;
  if (span->rows == 0)
    return TRUE;
  *slowest = ZC_ROUTE_PAGEABLE;
  return zc_span_copy (span, TRUE, stream, error);
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

/* Queues all copies. @is_read: all that of @host which they need has been read
 * already. */
static gboolean
upload_planes (ZcTransferState *state, const GstZcFrame *frame,
    const ZcHostPicture *host, ZcRoute *slowest, gboolean *is_read,
    GError **error)
{
  const ZcStreamKey *stream = &frame->stream->key;
  ZcRoute routes[GST_ZC_MAX_PLANES];
  ZcSpan spans[GST_ZC_MAX_PLANES];
  guint n = zc_spans_find (spans, frame, host);
  gboolean ok = TRUE;

  *is_read = TRUE;
  *slowest = find_routes (routes, state, host, TRUE);
  for (guint i = 0; ok && i < n; i++) {
    if (routes[spans[i].map] == ZC_ROUTE_STAGED) {
      ok = stage (state, &spans[i], stream, slowest, error);
    } else {
      ok = zc_span_copy (&spans[i], TRUE, stream, error);
      *is_read = FALSE;
    }
  }
  *is_read = *is_read && *slowest == ZC_ROUTE_STAGED;
  return ok;
}

gboolean
zc_transfer_upload (ZcTransferState *state, GstZcFrame *dst, GstBuffer *src,
    const GstVideoInfo *info, ZcRoute *route, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  ZcHostPicture *host;
  gboolean ok, is_read;

  *route = ZC_ROUTE_PINNED;
  if (!check_frame (dst, info, GST_MAP_WRITE, error) ||
      !zc_context_push (dst->stream->key.context, &guard, error))
    return FALSE;
  host = g_new (ZcHostPicture, 1);
  if (!zc_host_picture_map (host, src, info, GST_MAP_READ, error)) {
    g_free (host);
    return FALSE;
  }
  ok = upload_planes (state, dst, host, route, &is_read, error);
  /* Also when a copy failed: those before it may be under way. */
  if (is_read)
    release_source (host);
  else
    hold_source (host, dst->stream);
  return ok;
}

gboolean
gst_zc_frame_upload (GstZcFrame *dst, GstBuffer *src, const GstVideoInfo *info,
    GError **error)
{
  ZcRoute route;

  return zc_transfer_upload (NULL, dst, src, info, &route, error);
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

static gboolean
download_planes (ZcTransferState *state, const GstZcFrame *frame,
    const ZcHostPicture *host, ZcRoute *slowest, GError **error)
{
  ZcRoute routes[GST_ZC_MAX_PLANES];
  ZcSpan spans[GST_ZC_MAX_PLANES];
  guint n = zc_spans_find (spans, frame, host);

  *slowest = find_routes (routes, state, host, FALSE);
  for (guint i = 0; i < n; i++) {
    if (!zc_span_copy (&spans[i], FALSE, &frame->stream->key, error))
      return FALSE;
  }
  return TRUE;
}

GstZcCopy *
zc_transfer_download_start (ZcTransferState *state, GstZcFrame *src,
    GstBuffer *dst, const GstVideoInfo *info, ZcRoute *route, GError **error)
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
  if (download_planes (state, src, &copy->host, route, error) &&
      zc_host_wait_begin (&copy->wait, &src->stream->key, error))
    return copy;
  abandon (copy);
  return NULL;
}

GstZcCopy *
gst_zc_frame_download_start (GstZcFrame *src, GstBuffer *dst,
    const GstVideoInfo *info, GError **error)
{
  ZcRoute route;

  return zc_transfer_download_start (NULL, src, dst, info, &route, error);
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
