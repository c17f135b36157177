/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcpinned.h"

#include <gst/video/gstvideopool.h>
#include <gst/video/video.h>

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
  GstBufferPool *pool = gst_video_buffer_pool_new ();

  if (!configure (pool, allocator, caps, min_buffers, error))
    gst_clear_object (&pool);
  return pool;
}
