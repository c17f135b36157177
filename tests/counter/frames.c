/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What a thousand frames cost in driver calls once a pipeline is warm: nothing
 * that waits for the device, or makes others wait. cases.md 53, 70 */

#include <gst/app/gstappsrc.h>
#include <gst/video/video.h>
#include <gst/zc/zc.h>

#include "calls.h"

#define WARM_UP 60
#define N_FRAMES 1000
#define AFTER 10
#define WIDTH 64
#define HEIGHT 48
#define QUEUE_SIZE 3
#define QUEUE "queue max-size-buffers=" G_STRINGIFY (QUEUE_SIZE) " ! "
/* Threads may be further apart than they were while warming up. */
#define THREADS 32
#define N_BUFFERS 4
#define PATIENCE (100 * GST_SECOND)

/* Where the source has its pictures. */
typedef enum
{
  PINNED,
  OTHER, /* a few buffers of ordinary memory, which are registered */
  NEW,   /* memory that was never seen before */
} Memory;

typedef struct
{
  const gchar *name;
  const gchar *launch; /* with a fakesink called sink */
  guint host_waits;    /* a frame, at most */
  guint others;        /* in all, at most */
  Memory memory;
} Chain;

static const Chain chains[] = {
  { "device",
      "appsrc name=src ! zcupload ! zcflip video-direction=180 ! zcflip "
      "video-direction=90r ! fakesink name=sink" },
  { "download",
      "appsrc name=src ! zcupload ! zcflip video-direction=180 ! zcdownload ! "
      "fakesink name=sink",
      1 },
  { "queues",
      "appsrc name=src ! zcupload ! " QUEUE
      "zcflip video-direction=180 ! " QUEUE
      "zcflip video-direction=90r ! fakesink name=sink",
      0, THREADS },
  { "tee",
      "appsrc name=src ! zcupload ! tee name=t  t. ! " QUEUE
      "zcflip video-direction=180 ! fakesink  t. ! " QUEUE
      "zcflip video-direction=90l ! fakesink name=sink",
      0, THREADS },
  { "download-queues",
      "appsrc name=src ! zcupload ! " QUEUE
      "zcflip video-direction=180 ! " QUEUE "zcdownload ! " QUEUE
      "fakesink name=sink",
      1, THREADS },
  { "other-pool", "appsrc name=src ! zcupload ! fakesink name=sink",
      .memory = OTHER },
  { "new-memory",
      "appsrc name=src ! zcupload ! zcdownload ! fakesink name=sink", 1,
      .memory = NEW },
  { "other-pool-download",
      "appsrc name=src ! zcupload ! zcflip video-direction=180 ! zcdownload ! "
      "fakesink name=sink",
      1, .memory = OTHER },
  { "new-memory-queues",
      "appsrc name=src ! zcupload ! " QUEUE
      "zcflip video-direction=180 ! " QUEUE "zcdownload ! " QUEUE
      "fakesink name=sink",
      1, THREADS, NEW },
};

typedef struct
{
  guint n; /* frames that came to the sink */
  Calls warm, end;
} Count;

static void
on_handoff (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data)
{
  Count *count = data;

  if (++count->n == WARM_UP)
    calls_get (&count->warm);
  else if (count->n == WARM_UP + N_FRAMES)
    calls_get (&count->end);
}

/* A source that has all of its buffers from the start, as a camera does. */
static GstBufferPool *
new_pool (Memory memory, GstCaps *caps, GstAllocator *allocator)
{
  GstBufferPool *pool = memory == PINNED
      ? gst_zc_pinned_pool_new (allocator, caps, 0, NULL)
      : gst_video_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstVideoInfo info;

  g_assert_true (gst_video_info_from_caps (&info, caps));
  gst_buffer_pool_config_set_params (config, caps, info.size, N_BUFFERS,
      N_BUFFERS);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}

static GstBuffer *
next (Memory memory, GstBufferPool *pool)
{
  GstBuffer *buffer;

  if (memory == NEW)
    return gst_buffer_new_allocate (NULL, WIDTH * HEIGHT * 2, NULL);
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  return buffer;
}

static void
push_all (GstAppSrc *src, Memory memory, GstBufferPool *pool)
{
  for (guint i = 0; i < WARM_UP + N_FRAMES + AFTER; i++) {
    GstBuffer *buffer = next (memory, pool);

    /* What registers memory is a thread of its own. */
    if (i < WARM_UP)
      g_usleep (1000);
    GST_BUFFER_PTS (buffer) = i * GST_MSECOND;
    g_assert_cmpint (gst_app_src_push_buffer (src, buffer), ==, GST_FLOW_OK);
  }
  gst_app_src_end_of_stream (src);
}

static void
wait_for_end (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (bus, PATIENCE,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);

  g_assert_nonnull (message);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
}

static void
listen (GstElement *pipeline, Count *count)
{
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (pipeline), "sink");

  g_object_set (sink, "sync", FALSE, "signal-handoffs", TRUE, NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (on_handoff), count);
}

static void
run (const Chain *chain, GstCudaContext *context, Count *count)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (chain->launch, &error);
  g_autoptr (GstElement) src = NULL;
  g_autoptr (GstAllocator) allocator = gst_zc_pinned_allocator_new (context);
  g_autoptr (GstCaps) caps = gst_caps_new_simple ("video/x-raw", "format",
      G_TYPE_STRING, "NV12", "width", G_TYPE_INT, WIDTH, "height", G_TYPE_INT,
      HEIGHT, "framerate", GST_TYPE_FRACTION, 30, 1, NULL);
  g_autoptr (GstBufferPool) pool = new_pool (chain->memory, caps, allocator);

  g_assert_no_error (error);
  src = gst_bin_get_by_name (GST_BIN (pipeline), "src");
  g_object_set (src, "format", GST_FORMAT_TIME, "caps", caps, NULL);
  listen (pipeline, count);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  push_all (GST_APP_SRC (src), chain->memory, pool);
  wait_for_end (pipeline);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_buffer_pool_set_active (pool, FALSE);
}

/* A thread in front of a queue may have done a queue's frames more by the end
 * than it had by the start. */
static gulong
limit_of (const Chain *chain, guint kind)
{
  guint ahead = chain->others > 0 ? QUEUE_SIZE + 1 : 0;

  return kind == CALLS_HOST_WAITS ? chain->host_waits * (N_FRAMES + ahead)
                                  : chain->others;
}

static void
test_chain (gconstpointer data)
{
  const Chain *chain = data;
  g_autoptr (GError) error = NULL;
  GstCudaContext *context;
  Count count = { 0 };

  if (!calls_are_counted ())
    return;
  context = gst_zc_context_new (0, &error);
  if (!context) {
    g_test_skip (error->message);
    return;
  }
  run (chain, context, &count);
  gst_object_unref (context);
  for (guint kind = 0; kind < CALLS_N_KINDS; kind++) {
    gulong n = count.end.n[kind] - count.warm.n[kind];
    gulong limit = limit_of (chain, kind);

    g_test_message ("%s in %d frames: %lu, at most %lu", calls_kind_name (kind),
        N_FRAMES, n, limit);
    g_assert_cmpuint (n, <=, limit);
  }
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (chains); i++) {
    g_autofree gchar *path =
        g_strdup_printf ("/counter/frames/%s", chains[i].name);

    g_test_add_data_func (path, &chains[i], test_chain);
  }
  return g_test_run ();
}
