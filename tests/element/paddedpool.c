/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "paddedpool.h"

#include <string.h>

#define CANARY 0x5c
#define PAD 13 /* bytes after each row and before each plane */

typedef struct
{
  GstBufferPool parent;
  GstVideoInfo info;
} PaddedPool;

typedef GstBufferPoolClass PaddedPoolClass;

GType padded_pool_get_type (void);
G_DEFINE_TYPE (PaddedPool, padded_pool, GST_TYPE_BUFFER_POOL)

static gsize
row_bytes (const GstVideoInfo *info, guint plane)
{
  gint comp[GST_VIDEO_MAX_COMPONENTS];

  gst_video_format_info_component (info->finfo, plane, comp);
  return (gsize) GST_VIDEO_INFO_COMP_WIDTH (info, comp[0]) *
      GST_VIDEO_INFO_COMP_PSTRIDE (info, comp[0]);
}

static guint
n_rows (const GstVideoInfo *info, guint plane)
{
  gint comp[GST_VIDEO_MAX_COMPONENTS];

  gst_video_format_info_component (info->finfo, plane, comp);
  return GST_VIDEO_INFO_COMP_HEIGHT (info, comp[0]);
}

/* Returns the size of a buffer. */
static gsize
lay_out (const GstVideoInfo *info, gsize *offset, gint *stride)
{
  gsize size = 0;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    stride[i] = row_bytes (info, i) + PAD;
    offset[i] = size + PAD;
    size = offset[i] + (gsize) stride[i] * n_rows (info, i);
  }
  return size;
}

static GstFlowReturn
alloc_buffer (GstBufferPool *pool, GstBuffer **buffer,
    GstBufferPoolAcquireParams *params)
{
  const GstVideoInfo *info = &((PaddedPool *) pool)->info;
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 }, size;
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };

  size = lay_out (info, offset, stride);
  *buffer = gst_buffer_new_allocate (NULL, size, NULL);
  gst_buffer_memset (*buffer, 0, CANARY, size);
  gst_buffer_add_video_meta_full (*buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info), offset,
      stride);
  return GST_FLOW_OK;
}

/* The base class does not take buffers back that are of another size. */
static gboolean
set_config (GstBufferPool *pool, GstStructure *config)
{
  GstVideoInfo *info = &((PaddedPool *) pool)->info;
  gsize offset[GST_VIDEO_MAX_PLANES];
  gint stride[GST_VIDEO_MAX_PLANES];
  GstCaps *caps;
  guint min, max;

  gst_buffer_pool_config_get_params (config, &caps, NULL, &min, &max);
  if (!gst_video_info_from_caps (info, caps))
    return FALSE;
  gst_buffer_pool_config_set_params (config, caps,
      lay_out (info, offset, stride), min, max);
  return GST_BUFFER_POOL_CLASS (padded_pool_parent_class)
      ->set_config (pool, config);
}

static const gchar **
get_options (GstBufferPool *pool)
{
  static const gchar *options[] = { GST_BUFFER_POOL_OPTION_VIDEO_META, NULL };

  return options;
}

static void
padded_pool_class_init (PaddedPoolClass *klass)
{
  klass->alloc_buffer = alloc_buffer;
  klass->set_config = set_config;
  klass->get_options = get_options;
}

static void
padded_pool_init (PaddedPool *self)
{
}

GstBufferPool *
padded_pool_new (void)
{
  return gst_object_ref_sink (g_object_new (padded_pool_get_type (), NULL));
}

/* Puts canary where the pixels of a plane are, so that all must be canary. */
static void
blank (const GstVideoInfo *info, guint plane, guint8 *data, gint stride)
{
  for (guint row = 0; row < n_rows (info, plane); row++)
    memset (data + row * stride, CANARY, row_bytes (info, plane));
}

void
padded_pool_check (GstBuffer *buffer)
{
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstVideoInfo info;
  GstMapInfo map;

  gst_video_info_set_format (&info, meta->format, meta->width, meta->height);
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READWRITE));
  for (guint i = 0; i < meta->n_planes; i++)
    blank (&info, i, map.data + meta->offset[i], meta->stride[i]);
  for (gsize i = 0; i < map.size; i++)
    g_assert_cmpint (map.data[i], ==, CANARY);
  gst_buffer_unmap (buffer, &map);
}
