/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcframe-private.h"

#include <gst/cuda/gstcudamemory.h>

#include "gstzcaccess.h"
#include "gstzcbarrier.h"
#include "gstzcbufferhold.h"
#include "gstzcimage-private.h"
#include "gstzclayout.h"
#include "gstzcloan-private.h"
#include "gstzcstream-private.h"

static void
unmap_memories (GstZcFrame *frame)
{
  while (frame->n_memory > 0) {
    GstMapInfo *map = &frame->map[--frame->n_memory];

    gst_memory_unmap (map->memory, map);
  }
}

static gboolean
map_memories (GstZcFrame *frame, GstBuffer *buffer, GError **error)
{
  guint i, n = gst_buffer_n_memory (buffer);

  for (i = 0; i < n; i++) {
    if (!zc_access_begin (gst_buffer_peek_memory (buffer, i), &frame->map[i],
            frame->flags, frame->stream, error))
      return FALSE;
    frame->n_memory++;
  }
  return TRUE;
}

static void
place (const GstZcFrame *frame, guint memory, gsize skip, ZcPlaneMemory *where)
{
  const GstMapInfo *map = &frame->map[memory];

  where->base = (guint64) (guintptr) map->data + skip;
  where->available = skip < map->size ? map->size - skip : 0;
}

/* Offsets of a GstVideoMeta, or of an info, count through all memories. */
static void
place_by_offset (const GstZcFrame *frame, gsize offset, ZcPlaneMemory *where)
{
  guint i = 0;

  while (i + 1 < frame->n_memory && offset >= frame->map[i].size)
    offset -= frame->map[i++].size;
  place (frame, i, offset, where);
}

static gboolean
memory_info_fits (const GstVideoInfo *memory, const GstVideoInfo *info)
{
  return GST_VIDEO_INFO_FORMAT (memory) == GST_VIDEO_INFO_FORMAT (info) &&
      GST_VIDEO_INFO_WIDTH (memory) == GST_VIDEO_INFO_WIDTH (info) &&
      GST_VIDEO_INFO_HEIGHT (memory) == GST_VIDEO_INFO_HEIGHT (info);
}

static gboolean
describe (GstZcFrame *frame, GstBuffer *buffer, const GstVideoInfo *info,
    gint device, GError **error)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  guint i, n_planes = GST_VIDEO_INFO_N_PLANES (info);
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };
  ZcPlaneMemory where[GST_VIDEO_MAX_PLANES] = { { 0 } };
  guint x, y;

  if (!zc_layout_origin (buffer, info, "device buffer", &x, &y, error))
    return FALSE;

  for (i = 0; i < n_planes; i++) {
    const GstCudaMemory *memory = (GstCudaMemory *) frame->map[0].memory;

    if (meta && i < meta->n_planes) {
      stride[i] = meta->stride[i];
      place_by_offset (frame,
          zc_layout_start (info, i, x, y, meta->offset[i], stride[i]),
          &where[i]);
    } else if (frame->n_memory > 1 && frame->n_memory == n_planes) {
      memory = (GstCudaMemory *) frame->map[i].memory;
      stride[i] = GST_VIDEO_INFO_PLANE_STRIDE (&memory->info, 0);
      place (frame, i, 0, &where[i]);
    } else {
      const GstVideoInfo *layout =
          memory_info_fits (&memory->info, info) ? &memory->info : info;

      stride[i] = GST_VIDEO_INFO_PLANE_STRIDE (layout, i);
      place_by_offset (frame, GST_VIDEO_INFO_PLANE_OFFSET (layout, i),
          &where[i]);
    }
  }
  return zc_image_init_from_planes (&frame->image, info, device, stride, where,
      error);
}

/* Of memory of @device, which was checked. */
static gboolean
map_frame (GstZcFrame *frame, GstBuffer *buffer, const GstVideoInfo *info,
    GstMapFlags flags, gint device, GstZcStream *stream, GError **error)
{
  frame->stream = stream;
  frame->flags = flags & GST_MAP_READWRITE;
  if (!map_memories (frame, buffer, error) ||
      !describe (frame, buffer, info, device, error)) {
    unmap_memories (frame);
    memset (frame, 0, sizeof (*frame));
    return FALSE;
  }
  gst_zc_stream_ref (stream);
  frame->buffer = buffer;
  if (zc_barrier_holds (ZC_BARRIER_FRAME_HOLD))
    gst_buffer_ref (buffer);
  return TRUE;
}

gboolean
gst_zc_frame_map (GstZcFrame *frame, GstBuffer *buffer,
    const GstVideoInfo *info, GstMapFlags flags, GstZcStream *stream,
    GError **error)
{
  g_return_val_if_fail (frame != NULL, FALSE);
  g_return_val_if_fail (GST_IS_BUFFER (buffer), FALSE);
  g_return_val_if_fail (info != NULL, FALSE);
  g_return_val_if_fail (stream != NULL, FALSE);
  g_return_val_if_fail (flags & GST_MAP_READWRITE, FALSE);

  memset (frame, 0, sizeof (*frame));
  return zc_access_check (buffer, flags, stream, error) &&
      map_frame (frame, buffer, info, flags, stream->key.context->device,
          stream, error);
}

gboolean
zc_frame_map_peer (GstZcFrame *frame, GstBuffer *buffer,
    const GstVideoInfo *info, GstZcStream *stream, GError **error)
{
  gint device;

  memset (frame, 0, sizeof (*frame));
  return zc_access_check_one_device (buffer, &device, error) &&
      map_frame (frame, buffer, info, GST_MAP_READ, device, stream, error);
}

gboolean
gst_zc_frame_unmap (GstZcFrame *frame, GError **error)
{
  gboolean ok = TRUE;
  guint i;

  g_return_val_if_fail (frame != NULL, FALSE);

  if (!frame->buffer) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE,
        "A frame is unmapped that is not mapped");
    return FALSE;
  }

  if (frame->loan)
    zc_loan_close (frame->loan);
  for (i = 0; i < frame->n_memory; i++) {
    if (!zc_access_end (frame->map[i].memory, frame->flags, frame->stream,
            ok ? error : NULL))
      ok = FALSE;
  }
  if (frame->loan &&
      !zc_loan_end (frame->loan, frame->flags, ok ? error : NULL))
    ok = FALSE;
  unmap_memories (frame);
  zc_buffer_hold (frame->buffer);
  if (zc_barrier_holds (ZC_BARRIER_FRAME_HOLD))
    gst_buffer_unref (frame->buffer);
  gst_zc_stream_unref (frame->stream);
  memset (frame, 0, sizeof (*frame));
  return ok;
}
