/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Pictures that zcupload takes from memory of all kinds, many of them under way
 * at once: nobody looks at the first before the last one is in. */

#include <gst/app/app.h>

#include "cases.h"
#include "sources.h"

#define ERROR_PEER_ACCESS_UNSUPPORTED 217
#define WIDTH 64
#define HEIGHT 16
#define N_BUFFERS 3
#define N_PICTURES 24
#define PATIENCE (5 * G_TIME_SPAN_SECOND)

typedef enum
{
  NEW, /* memory that was never seen before */
  RECYCLED, /* a few buffers of ordinary memory */
  PEER /* another device, to which there is no access */
} Kind;

typedef struct
{
  OrderRun *run;
  Kind kind;
  GstVideoInfo info;
  GstElement *pipeline; /* owned */
  GstElement *upload; /* owned */
  GstAppSrc *src; /* owned */
  GstAppSink *sink; /* owned */
  GstBufferPool *pool; /* owned, or NULL */
  GstZcStream *stream; /* owned: that looks */
  GstZcStream *writer; /* owned, or NULL: on the other device */
} Line;

static GstBufferPool *
host_pool (const GstVideoInfo *info)
{
  GstBufferPool *pool = gst_video_buffer_pool_new ();
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, info->size, N_BUFFERS,
      N_BUFFERS);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}

static void
line_init_peer (Line *self)
{
  GstCudaContext *other = gst_zc_context_new (1, NULL);

  self->pool =
      cuda_test_pool (other, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT, &self->info);
  self->writer = gst_zc_stream_new (other, NULL);
  gst_object_unref (other);
}

static void
line_init (Line *self, OrderRun *run, Kind kind)
{
  g_autoptr (GstCaps) caps = NULL;

  *self = (Line) { .run = run, .kind = kind };
  gst_video_info_set_format (&self->info, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  caps = gst_video_info_to_caps (&self->info);
  if (kind == PEER)
    line_init_peer (self);
  if (kind == RECYCLED)
    self->pool = host_pool (&self->info);
  self->stream = gst_zc_stream_new (run->context, NULL);
  self->pipeline =
      gst_parse_launch ("appsrc name=src format=time ! zcupload name=upload "
                        "cuda-device-id=0 ! video/x-raw(memory:CUDAMemory) ! "
                        "appsink name=sink sync=false",
          NULL);
  self->upload = gst_bin_get_by_name (GST_BIN (self->pipeline), "upload");
  self->src =
      GST_APP_SRC (gst_bin_get_by_name (GST_BIN (self->pipeline), "src"));
  self->sink =
      GST_APP_SINK (gst_bin_get_by_name (GST_BIN (self->pipeline), "sink"));
  if (kind == PEER)
    gst_caps_set_features_simple (caps,
        gst_caps_features_from_string ("memory:CUDAMemory"));
  gst_app_src_set_caps (self->src, caps);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

static void
line_clear (Line *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->upload);
  gst_object_unref (self->src);
  gst_object_unref (self->sink);
  gst_object_unref (self->pipeline);
  if (self->pool != NULL)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
  g_clear_pointer (&self->writer, gst_zc_stream_unref);
  gst_zc_stream_unref (self->stream);
}

static GstBuffer *
paint (Line *self, guint8 value)
{
  GstBuffer *buffer = self->kind == NEW
      ? gst_buffer_new_allocate (NULL, self->info.size, NULL)
      : cuda_test_acquire (self->pool);

  if (self->kind != PEER) {
    gst_buffer_memset (buffer, 0, value, self->info.size);
  } else {
    GstZcFrame frame;

    g_assert_true (gst_zc_frame_map (&frame, buffer, &self->info, GST_MAP_WRITE,
        self->writer, NULL));
    order_delay (self->run, self->writer);
    cuda_test_fill (self->writer, &frame.image, value);
    gst_zc_frame_unmap (&frame, NULL);
  }
  return buffer;
}

/* (transfer full) */
static GstSample *
pass (Line *self, guint8 value)
{
  GstSample *sample;

  gst_app_src_push_buffer (self->src, paint (self, value));
  sample = gst_app_sink_try_pull_sample (self->sink, PATIENCE * 1000);
  if (sample == NULL)
    order_fault (self->run, ORDER_ERROR, "no frame came");
  return sample;
}

static void
look_at (Line *self, GstSample *sample, guint8 value)
{
  GstZcFrame frame;

  if (!order_check (self->run,
          gst_zc_frame_map (&frame, gst_sample_get_buffer (sample), &self->info,
              GST_MAP_READ, self->stream, NULL),
          "map", NULL))
    return;
  order_look (self->run, self->stream, &frame.image, value, "an upload");
  gst_zc_frame_unmap (&frame, NULL);
}

static void
pass_many (Line *self)
{
  GstSample *samples[N_PICTURES] = { NULL };
  guint8 values[N_PICTURES];

  for (guint i = 0; i < N_PICTURES; i++) {
    values[i] = order_new_value (self->run);
    samples[i] = pass (self, values[i]);
  }
  for (guint i = 0; i < N_PICTURES; i++) {
    if (samples[i] == NULL)
      continue;
    look_at (self, samples[i], values[i]);
    gst_sample_unref (samples[i]);
  }
  order_settle (self->run, self->run->context);
}

static guint64
get_stat (Line *self, const gchar *name)
{
  GstStructure *stats;
  guint64 value = 0;

  g_object_get (self->upload, "stats", &stats, NULL);
  gst_structure_get_uint64 (stats, name, &value);
  gst_structure_free (stats);
  return value;
}

/* The worker is at it. */
static void
pass_until_registered (Line *self)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;

  while (get_stat (self, "registered-bytes") < N_BUFFERS * self->info.size &&
      g_get_monotonic_time () < end) {
    GstSample *sample = pass (self, 1);

    g_clear_pointer (&sample, gst_sample_unref);
    g_usleep (100);
  }
}

static void
uploads (OrderRun *run, gconstpointer data)
{
  SoftcudaOutstanding alive;
  Line line;

  line_init (&line, run, GPOINTER_TO_UINT (data));
  if (line.kind == RECYCLED)
    pass_until_registered (&line);
  pass_many (&line);
  line_clear (&line);
  if (!run->panel)
    return;
  run->panel->get_outstanding (&alive);
  if (alive.registrations > 0)
    order_fault (run, ORDER_LIFETIME, "memory that is gone is registered");
}

static void
peer (OrderRun *run, gconstpointer data)
{
  Line line;

  if (!run->panel)
    return;
  run->panel->fail ("cuMemcpy3DPeerAsync", 1, ERROR_PEER_ACCESS_UNSUPPORTED, 0);
  line_init (&line, run, PEER);
  pass_many (&line);
  line_clear (&line);
  run->panel->fail_clear ();
}

const OrderCase transfer_cases[] = {
  { "transfer/new", uploads, GUINT_TO_POINTER (NEW) },
  { "transfer/recycled", uploads, GUINT_TO_POINTER (RECYCLED) },
  { "transfer/peer", peer },
  { NULL },
};
