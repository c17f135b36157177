/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A source with two buffers, as a decoder with few surfaces: each comes back
 * when the GPU is done with it, not when the next frame comes, however many
 * frames downstream keeps. cases.md 7. */

#include <gst/cuda/gstcudabufferpool.h>

#include "pixels.h"

#define WIDTH 64
#define HEIGHT 48
#define N_BUFFERS 2
#define N_FRAMES 40
#define PATIENCE (10 * G_USEC_PER_SEC)

typedef enum
{
  DECODER, /* a pool of gst-cuda */
  OWN,     /* device memory of this library */
  PINNED,
  PLAIN
} Kind;

typedef struct
{
  const gchar *name, *chain;
  Kind kind;
} Case;

static const Case cases[] = {
  { "decoder/flip", "zcflip video-direction=180 ! zcdownload", DECODER },
  { "decoder/download", "zcdownload", DECODER },
  { "decoder/queue", "zcflip video-direction=180 ! queue ! zcdownload",
      DECODER },
  { "own/flip", "zcflip video-direction=180 ! zcdownload", OWN },
  { "own/keep", "zcflip video-direction=180", OWN },
  { "pinned/keep", "zcupload", PINNED },
  { "plain/keep", "zcupload", PLAIN },
  { "plain/download", "zcupload ! zcdownload", PLAIN },
};

static GstBufferPool *
make_pool (Kind kind, GstCudaContext *context, GstAllocator *pinned)
{
  switch (kind) {
    case DECODER:
      return gst_cuda_buffer_pool_new (context);
    case OWN:
      return gst_zc_device_pool_new (context);
    default:
      return gst_video_buffer_pool_new ();
  }
}

static GstBufferPool *
pool_new (Kind kind, GstCaps *caps)
{
  GstCudaContext *context = gst_zc_context_new (0, NULL);
  g_autoptr (GstAllocator) pinned = gst_zc_pinned_allocator_new (context);
  GstCudaStream *stream = gst_cuda_stream_new (context);
  GstBufferPool *pool = make_pool (kind, context, pinned);
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, WIDTH * HEIGHT * 3 / 2,
      N_BUFFERS, N_BUFFERS);
  if (kind == PINNED)
    gst_buffer_pool_config_set_allocator (config, pinned, NULL);
  if (kind == DECODER)
    gst_buffer_pool_config_set_cuda_stream (config, stream);
  if (!gst_buffer_pool_set_config (pool, config)) {
    config = gst_buffer_pool_get_config (pool);
    g_assert_true (gst_buffer_pool_set_config (pool, config));
  }
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  gst_clear_cuda_stream (&stream);
  gst_object_unref (context);
  return pool;
}

static GstBuffer *
try_acquire (GstBufferPool *pool)
{
  GstBufferPoolAcquireParams params = {
    .flags = GST_BUFFER_POOL_ACQUIRE_FLAG_DONTWAIT
  };
  GstBuffer *buffer = NULL;

  gst_buffer_pool_acquire_buffer (pool, &buffer, &params);
  return buffer;
}

/* With the source doing nothing. */
static void
wait_until_all_are_back (GstBufferPool *pool)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;
  GstBuffer *buffers[N_BUFFERS] = { NULL };

  for (guint i = 0; i < N_BUFFERS; i++) {
    while ((buffers[i] = try_acquire (pool)) == NULL) {
      g_assert_cmpint (g_get_monotonic_time (), <, end);
      g_usleep (100);
    }
  }
  for (guint i = 0; i < N_BUFFERS; i++)
    gst_buffer_unref (buffers[i]);
}

static void
test_case (gconstpointer data)
{
  const Case *what = data;
  GstCaps *caps = pixel_caps (GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  GstBuffer *kept[N_FRAMES];
  GstBufferPool *pool;
  GstHarness *h;

  if (!have_device ()) {
    gst_caps_unref (caps);
    return;
  }
  if (what->kind == DECODER || what->kind == OWN)
    gst_caps_set_features_simple (caps,
        gst_caps_features_from_string ("memory:CUDAMemory"));
  pool = pool_new (what->kind, caps);
  h = chain_new (what->chain);
  gst_harness_set_src_caps (h, caps);
  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *buffer = try_acquire (pool);

    g_assert_nonnull (buffer);
    g_assert_cmpint (gst_harness_push (h, buffer), ==, GST_FLOW_OK);
    kept[i] = gst_harness_pull (h);
    wait_until_all_are_back (pool);
  }
  for (guint i = 0; i < N_FRAMES; i++)
    gst_buffer_unref (kept[i]);
  gst_harness_teardown (h);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *path = g_strconcat ("/surfaces/", cases[i].name, NULL);

    g_test_add_data_func (path, &cases[i], test_case);
  }
  return g_test_run ();
}
