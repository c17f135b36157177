/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "sources.h"

#include <gst/cuda/gstcudabufferpool.h>

#include "wraps.h"

#define WIDTH 16
#define HEIGHT 8

static GstBufferPool *
foreign_pool (GstCudaContext *context, GstCaps *caps, gboolean with_stream)
{
  GstBufferPool *pool = gst_cuda_buffer_pool_new (context);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstCudaStream *stream = with_stream ? gst_cuda_stream_new (context) : NULL;

  gst_buffer_pool_config_set_params (config, caps, 0, 0, 0);
  if (stream)
    gst_buffer_pool_config_set_cuda_stream (config, stream);
  gst_clear_cuda_stream (&stream);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}

void
source_init (Source *self, OrderRun *run, SourceKind kind,
    GstCudaContext *context, GstVideoFormat format)
{
  g_autoptr (GstCaps) caps = NULL;

  *self = (Source) { .run = run, .kind = kind };
  self->context = gst_object_ref (context);
  gst_video_info_set_format (&self->info, format, WIDTH, HEIGHT);
  caps = gst_video_info_to_caps (&self->info);
  switch (kind) {
    case SOURCE_POOL:
      self->pool = cuda_test_pool (context, format, WIDTH, HEIGHT, &self->info);
      break;
    case SOURCE_WRAPPED:
      self->wraps = wraps_new (run, context, &self->info);
      break;
    default:
      self->pool = foreign_pool (context, caps, kind == SOURCE_FOREIGN);
      break;
  }
}

void
source_clear (Source *self)
{
  if (self->pool)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
  g_clear_pointer (&self->wraps, wraps_free);
  gst_clear_object (&self->context);
}

gboolean
source_take (Source *self, GstBuffer **buffer, guint8 value)
{
  if (self->wraps) {
    *buffer = wraps_take (self->wraps, value);
    return TRUE;
  }
  *buffer = cuda_test_acquire (self->pool);
  return FALSE;
}

GstVideoFormat
source_format (OrderRun *run)
{
  static const GstVideoFormat formats[] = { GST_VIDEO_FORMAT_P010_10LE,
    GST_VIDEO_FORMAT_NV12, GST_VIDEO_FORMAT_RGBA };

  return formats[order_random (run, G_N_ELEMENTS (formats))];
}
