/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "feed.h"

#define N_BUFFERS 3
#define PATIENCE (5 * G_TIME_SPAN_SECOND)

static gboolean
is_host (const Feed *self)
{
  return self->kind == PIPE_HOST || self->kind == PIPE_PAGEABLE;
}

static GstBufferPool *
host_pool (Feed *self)
{
  GstBufferPool *pool = gst_video_buffer_pool_new ();
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (&self->info);
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, self->info.size, N_BUFFERS,
      N_BUFFERS);
  if (self->kind == PIPE_HOST)
    gst_buffer_pool_config_set_allocator (config, self->pinned, NULL);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}

void
feed_init (Feed *self, OrderRun *run, PipeSource kind, guint width,
    guint height)
{
  static const SourceKind kinds[] = {
    [PIPE_DEVICE] = SOURCE_POOL,
    [PIPE_FOREIGN] = SOURCE_FOREIGN,
    [PIPE_WRAPPED] = SOURCE_WRAPPED,
  };

  *self = (Feed) { .run = run, .kind = kind };
  gst_video_info_set_format (&self->info, source_format (run), width, height);
  self->pinned = gst_zc_pinned_allocator_new (run->context);
  order_stream_init (&self->stream, run->context, order_stream_kind (run));
  if (is_host (self)) {
    self->host = host_pool (self);
    return;
  }
  source_init (&self->source, run, kinds[kind], run->context,
      GST_VIDEO_INFO_FORMAT (&self->info));
  self->info = self->source.info;
}

static GstBuffer *
try_acquire (Feed *self)
{
  GstBufferPoolAcquireParams params = {
    .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
  };
  GstBuffer *buffer = NULL;

  gst_buffer_pool_acquire_buffer (self->host, &buffer, &params);
  return buffer;
}

gboolean
feed_is_whole (Feed *self)
{
  GstBuffer *buffers[N_BUFFERS] = { NULL };
  gboolean whole = TRUE;

  for (guint i = 0; self->host && i < N_BUFFERS; i++)
    whole &= (buffers[i] = try_acquire (self)) != NULL;
  for (guint i = 0; i < N_BUFFERS; i++)
    gst_clear_buffer (&buffers[i]);
  return whole;
}

void
feed_clear (Feed *self, gboolean drained)
{
  if (drained && !feed_is_whole (self))
    order_fault (self->run, ORDER_LIFETIME,
        "a pipeline is down and still has buffers of its source");
  if (self->host)
    gst_buffer_pool_set_active (self->host, FALSE);
  else
    source_clear (&self->source);
  gst_clear_object (&self->host);
  gst_clear_object (&self->pinned);
  order_stream_clear (&self->stream);
}

/* Waits as a camera would, which has no other buffers. */
static GstBuffer *
acquire (Feed *self)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;
  GstBuffer *buffer;

  while (!(buffer = try_acquire (self)) && g_get_monotonic_time () < end)
    g_usleep (50);
  if (!buffer)
    order_fault (self->run, ORDER_LIFETIME,
        "a source with %d buffers gets none back", N_BUFFERS);
  return buffer;
}

static GstBuffer *
next_host (Feed *self, guint8 value)
{
  GstBuffer *buffer = acquire (self);

  if (buffer)
    gst_buffer_memset (buffer, 0, value, gst_buffer_get_size (buffer));
  return buffer;
}

static GstBuffer *
next_device (Feed *self, guint8 value)
{
  Access access = { .run = self->run,
    .user = order_random (self->run, 2) ? USER_BRIDGE : USER_OTHER,
    .stream = self->stream.zc };
  GstBuffer *buffer;

  if (!source_take (&self->source, &buffer, value))
    user_write (&access, buffer, &self->info, value);
  return buffer;
}

GstBuffer *
feed_next (Feed *self, guint index)
{
  GstClockTime time = index * ORDER_FRAME_TIME;
  guint8 value = order_value_at (time);
  GstBuffer *buffer =
      is_host (self) ? next_host (self, value) : next_device (self, value);

  if (!buffer)
    return NULL;
  GST_BUFFER_PTS (buffer) = time;
  GST_BUFFER_DURATION (buffer) = ORDER_FRAME_TIME;
  return buffer;
}
