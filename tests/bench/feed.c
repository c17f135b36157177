/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "feed.h"

#define RING 8
#define PATIENCE (10 * G_USEC_PER_SEC)
/* New memory lies in more bytes than a CPU's caches hold. */
#define NEW_BYTES ((gsize) 512 << 20)

struct _Feed
{
  GstAppSrc *source; /* not owned */
  FeedKind kind;
  GstVideoInfo info;
  GstCudaContext *context; /* not owned */
  GstCaps *caps;
  GstBufferPool *pool; /* active; NULL until the first frame */
  GAsyncQueue *blocks; /* of Block: those that nobody uses */
};

/* Bytes that get a GstMemory of their own for each frame. */
typedef struct
{
  Feed *feed;
  guint8 data[];
} Block;

static void
set_pool (Feed *self, GstBufferPool *pool)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  guint size = GST_VIDEO_INFO_SIZE (&self->info), offered = 0;

  gst_buffer_pool_config_get_params (config, NULL, &offered, NULL, NULL);
  gst_buffer_pool_config_set_params (config, self->caps, MAX (size, offered),
      RING, RING);
  if (!gst_buffer_pool_set_config (pool, config) ||
      !gst_buffer_pool_set_active (pool, TRUE))
    g_error ("a pool of %d buffers does not start", RING);
  self->pool = pool;
}

static GstBufferPool *
offered_pool (Feed *self)
{
  g_autoptr (GstPad) pad =
      gst_element_get_static_pad (GST_ELEMENT (self->source), "src");
  g_autoptr (GstQuery) query = gst_query_new_allocation (self->caps, TRUE);
  GstBufferPool *pool = NULL;

  if (gst_pad_peer_query (pad, query) &&
      gst_query_get_n_allocation_pools (query) > 0)
    gst_query_parse_nth_allocation_pool (query, 0, &pool, NULL, NULL, NULL);
  return pool ? pool : gst_video_buffer_pool_new ();
}

static GstBuffer *
acquire (Feed *self)
{
  GstBuffer *buffer = NULL;

  gst_buffer_pool_acquire_buffer (self->pool, &buffer, NULL);
  return buffer;
}

/* So that no page is touched for the first time later. */
static void
fill_ring (Feed *self)
{
  GstBuffer *ring[RING];

  for (guint i = 0; i < RING; i++) {
    ring[i] = acquire (self);
    if (self->kind != FEED_DEVICE)
      gst_buffer_memset (ring[i], 0, 128, G_MAXSIZE);
  }
  for (guint i = 0; i < RING; i++)
    gst_buffer_unref (ring[i]);
}

static GstBufferPool *
make_pool (Feed *self)
{
  switch (self->kind) {
    case FEED_OFFERED:
      return offered_pool (self);
    case FEED_DEVICE:
      return gst_zc_device_pool_new (self->context);
    default:
      return gst_video_buffer_pool_new ();
  }
}

static void
give_back (gpointer block)
{
  g_async_queue_push (((Block *) block)->feed->blocks, block);
}

static void
make_blocks (Feed *self)
{
  gsize size = GST_VIDEO_INFO_SIZE (&self->info);
  gsize n = CLAMP (NEW_BYTES / size, RING, 64);

  for (gsize i = 0; i < n; i++) {
    Block *block = g_malloc (sizeof (Block) + size);

    block->feed = self;
    memset (block->data, 128, size);
    g_async_queue_push (self->blocks, block);
  }
}

static GstBuffer *
wrap_block (Feed *self)
{
  gsize size = GST_VIDEO_INFO_SIZE (&self->info);
  Block *block = g_async_queue_timeout_pop (self->blocks, PATIENCE);

  if (!block)
    return NULL;
  return gst_buffer_new_wrapped_full (0, block->data, size, 0, size, block,
      give_back);
}

static GstBuffer *
next (Feed *self)
{
  if (self->kind == FEED_NEW)
    return wrap_block (self);
  if (!self->pool) {
    set_pool (self, make_pool (self));
    fill_ring (self);
  }
  return acquire (self);
}

static void
need_data (GstAppSrc *source, guint length, gpointer self)
{
  GstBuffer *buffer = next (self);

  if (buffer)
    gst_app_src_push_buffer (source, buffer);
}

static GstCaps *
caps_for (FeedKind kind, const GstVideoInfo *info)
{
  GstCaps *caps = gst_video_info_to_caps (info);

  if (kind == FEED_DEVICE)
    gst_caps_set_features_simple (caps,
        gst_caps_features_new_single ("memory:CUDAMemory"));
  return caps;
}

Feed *
feed_new (GstAppSrc *source, FeedKind kind, const GstVideoInfo *info,
    GstCudaContext *context)
{
  GstAppSrcCallbacks callbacks = { .need_data = need_data };
  Feed *self = g_new0 (Feed, 1);

  self->source = source;
  self->kind = kind;
  self->info = *info;
  self->context = context;
  self->caps = caps_for (kind, info);
  self->blocks = g_async_queue_new ();
  if (kind == FEED_NEW)
    make_blocks (self);
  g_object_set (source, "format", GST_FORMAT_TIME, NULL);
  gst_app_src_set_caps (source, self->caps);
  gst_app_src_set_callbacks (source, &callbacks, self, NULL);
  return self;
}

void
feed_free (Feed *self)
{
  Block *block;

  if (self->pool)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
  while ((block = g_async_queue_try_pop (self->blocks)))
    g_free (block);
  g_async_queue_unref (self->blocks);
  gst_caps_unref (self->caps);
  g_free (self);
}
