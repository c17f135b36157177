/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcpinned-private.h"

#include <gst/video/video.h>

typedef struct
{
  GstVideoBufferPool parent;
} ZcHostPool;

typedef struct
{
  GstVideoBufferPoolClass parent_class;
} ZcHostPoolClass;

GType zc_host_pool_get_type (void);
G_DEFINE_TYPE (ZcHostPool, zc_host_pool, GST_TYPE_VIDEO_BUFFER_POOL)

#define PARENT_POOL GST_BUFFER_POOL_CLASS (zc_host_pool_parent_class)

/* GstBufferPool never frees what it had allocated when a start fails. */
static gboolean
zc_host_pool_start (GstBufferPool *pool)
{
  if (PARENT_POOL->start (pool))
    return TRUE;
  PARENT_POOL->stop (pool);
  return FALSE;
}

static void
zc_host_pool_class_init (ZcHostPoolClass *klass)
{
  GST_BUFFER_POOL_CLASS (klass)->start = zc_host_pool_start;
}

static void
zc_host_pool_init (ZcHostPool *self)
{
}

GstBufferPool *
zc_host_pool_new (void)
{
  return gst_object_ref_sink (g_object_new (zc_host_pool_get_type (), NULL));
}

static gboolean
caps_error (const gchar *what, GstCaps *caps, GError **error)
{
  g_autofree gchar *text = gst_caps_to_string (caps);

  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "No pool of pinned video buffers: %s; give it fixed raw video caps, not "
      "%s",
      what, text);
  return FALSE;
}

static gboolean
configure (GstBufferPool *pool, GstAllocator *allocator, GstCaps *caps,
    guint min_buffers, GError **error)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstVideoInfo info;

  if (!gst_caps_is_fixed (caps) || !gst_video_info_from_caps (&info, caps) ||
      GST_VIDEO_INFO_SIZE (&info) == 0) {
    gst_structure_free (config);
    return caps_error ("the caps have no frame size", caps, error);
  }
  gst_buffer_pool_config_set_params (config, caps, GST_VIDEO_INFO_SIZE (&info),
      min_buffers, 0);
  gst_buffer_pool_config_set_allocator (config, allocator, NULL);
  gst_buffer_pool_config_add_option (config, GST_BUFFER_POOL_OPTION_VIDEO_META);
  return gst_buffer_pool_set_config (pool, config) ||
      caps_error ("GStreamer's video buffer pool refused", caps, error);
}

GstBufferPool *
gst_zc_pinned_pool_new (GstAllocator *allocator, GstCaps *caps,
    guint min_buffers, GError **error)
{
  GstBufferPool *pool = zc_host_pool_new ();

  if (!configure (pool, allocator, caps, min_buffers, error))
    gst_clear_object (&pool);
  return pool;
}
