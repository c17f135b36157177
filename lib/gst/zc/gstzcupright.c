/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcupright.h"

#include "gstzcdevicepool.h"
#include "gstzcflip.h"
#include "gstzcframe.h"
#include "gstzcstream-private.h"

/* Pools of the last sizes, since allocations wait for the device. */
#define N_POOLS 4

typedef struct
{
  CUcontext context;
  GstVideoFormat format;
  gint width, height;
  GstBufferPool *pool;          /* owned; holds the context */
} Pool;

static GMutex lock;
static Pool pools[N_POOLS];
static guint next_pool;

gboolean
zc_upright_mirror (GstZcImage *mirrored, const GstZcImage *image)
{
  gboolean differs = FALSE;

  *mirrored = *image;
  for (guint i = 0; i < image->n_planes; i++) {
    GstZcPlane *plane = &mirrored->plane[i];

    if (plane->row_stride >= 0)
      continue;
    plane->data += plane->row_stride * (plane->height - 1);
    plane->row_stride = -plane->row_stride;
    differs = TRUE;
  }
  return differs;
}

static GstBufferPool *
pool_new (ZcContext *context, const GstVideoInfo *info, GError **error)
{
  GstBufferPool *pool = gst_zc_device_pool_new (context->wrapper);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);

  gst_buffer_pool_config_set_params (config, caps, info->size, 0, 0);
  if (gst_buffer_pool_set_config (pool, config) &&
      gst_buffer_pool_set_active (pool, TRUE))
    return pool;
  gst_object_unref (pool);
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NO_MEMORY,
      "No device memory to copy a bottom-up picture of %dx%d to", info->width,
      info->height);
  return NULL;
}

static void
drop_pool (GstBufferPool *pool)
{
  if (!pool)
    return;
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

static Pool *
find_pool (ZcContext *context, const GstZcImage *image)
{
  for (guint i = 0; i < N_POOLS; i++) {
    if (pools[i].pool && pools[i].context == context->handle &&
        pools[i].format == image->format && pools[i].width == image->width &&
        pools[i].height == image->height)
      return &pools[i];
  }
  return NULL;
}

/* Call with the lock. (transfer full) */
static GstBufferPool *
take_pool (ZcContext *context, const GstZcImage *image,
    const GstVideoInfo *info, GstBufferPool **old, GError **error)
{
  Pool *found = find_pool (context, image);
  GstBufferPool *pool;

  if (found)
    return gst_object_ref (found->pool);
  pool = pool_new (context, info, error);
  if (!pool)
    return NULL;
  found = &pools[next_pool++ % N_POOLS];
  *old = found->pool;
  *found = (Pool) { context->handle, image->format, image->width, image->height,
    pool };
  return gst_object_ref (pool);
}

static GstBuffer *
new_buffer (ZcContext *context, const GstZcImage *image, GstVideoInfo *info,
    GError **error)
{
  GstBufferPool *pool, *old = NULL;
  GstBuffer *buffer = NULL;

  gst_video_info_set_format (info, image->format, image->width, image->height);
  g_mutex_lock (&lock);
  pool = take_pool (context, image, info, &old, error);
  g_mutex_unlock (&lock);
  drop_pool (old);
  if (!pool)
    return NULL;
  if (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL) != GST_FLOW_OK)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NO_MEMORY,
        "No device memory to copy a bottom-up picture of %dx%d to",
        image->width, image->height);
  gst_object_unref (pool);
  return buffer;
}

/* @image has the very pixels of @src, the other way round. */
static gboolean
copy (GstBuffer *dst, GstBuffer *src, const GstZcImage *image,
    const GstVideoInfo *info, GstZcStream *stream, GError **error)
{
  GstZcFrame from, to;
  gboolean ok;

  if (!gst_zc_frame_map (&from, src, info, GST_MAP_READ, stream, error))
    return FALSE;
  ok = gst_zc_frame_map (&to, dst, info, GST_MAP_WRITE, stream, error);
  if (ok) {
    ok = gst_zc_image_flip (&to.image, image, GST_VIDEO_ORIENTATION_IDENTITY,
        stream, error);
    ok &= gst_zc_frame_unmap (&to, ok ? error : NULL);
  }
  ok &= gst_zc_frame_unmap (&from, ok ? error : NULL);
  return ok;
}

static gboolean
copy_on_bridge (ZcContext *context, GstBuffer *dst, GstBuffer *src,
    const GstZcImage *image, const GstVideoInfo *info, GError **error)
{
  GstCudaStream *bridge = zc_context_get_bridge (context, error);
  g_autoptr (GstZcStream) stream =
      bridge ? zc_stream_new_lent (context, bridge, error) : NULL;

  return stream && copy (dst, src, image, info, stream, error);
}

GstBuffer *
zc_upright_copy (ZcContext *context, GstBuffer *mirrored,
    const GstZcImage *image, GError **error)
{
  GstVideoInfo info;
  GstBuffer *buffer = new_buffer (context, image, &info, error);

  if (buffer &&
      !copy_on_bridge (context, buffer, mirrored, image, &info, error))
    gst_clear_buffer (&buffer);
  gst_buffer_unref (mirrored);
  return buffer;
}
