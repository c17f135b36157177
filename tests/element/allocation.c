/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Which pools are offered, which are taken, and what is counted. cases.md 8, 70. */

#include <gst/cuda/gstcudabufferpool.h>

#include "paddedpool.h"
#include "pixels.h"
#include "softcuda-panel.h"

#define WIDTH 33
#define HEIGHT 17
#define CUDA_CAPS                                                              \
  "video/x-raw(memory:CUDAMemory),format=NV12,width=33,"                       \
  "height=17,framerate=30/1"

static RefFrame
random_frame (void)
{
  RefFrame frame;

  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  return frame;
}

static GstHarness *
new_chain (const gchar *chain)
{
  GstHarness *h = chain_new (chain);

  chain_set_size (h, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  return h;
}

/* What the first element offers upstream. (transfer full) */
static GstBufferPool *
ask_upstream (GstHarness *h)
{
  g_autoptr (GstCaps) caps = gst_pad_get_current_caps (h->srcpad);
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
  GstStructure *config;
  GstBufferPool *pool;
  guint size, min, max, pool_size;

  g_assert_true (gst_pad_peer_query (h->srcpad, query));
  g_assert_true (gst_query_find_allocation_meta (query, GST_VIDEO_META_API_TYPE,
      NULL));
  g_assert_cmpuint (gst_query_get_n_allocation_pools (query), ==, 1);
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, &min, &max);
  g_assert_nonnull (pool);
  g_assert_cmpuint (min, >=, 2);
  g_assert_cmpuint (max, ==, 0);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_get_params (config, NULL, &pool_size, NULL, NULL);
  gst_structure_free (config);
  g_assert_cmpuint (size, ==, pool_size);
  return pool;
}

static GstBuffer *
acquire (GstBufferPool *pool)
{
  GstBuffer *buffer = NULL;

  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  return buffer;
}

static guint64
get_stat (GstHarness *h, const gchar *factory, const gchar *name)
{
  GstStructure *stats;
  guint64 value;

  g_object_get (chain_find (h, factory), "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, name, &value));
  gst_structure_free (stats);
  return value;
}

static void
test_upload_offers (void)
{
  GstBufferPool *pool;
  GstBuffer *buffer;
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new ("zcupload ! zcdownload");
  /* Whole blocks of 16: of others zcupload offers the allocator alone. */
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, 32, HEIGHT);
  pool = ask_upstream (h);
  buffer = acquire (pool);
  g_assert_true (gst_memory_is_type (gst_buffer_peek_memory (buffer, 0),
      GST_ZC_PINNED_MEMORY_TYPE));
  gst_buffer_unref (chain_run (h, buffer));
  g_assert_cmpuint (get_stat (h, "zcupload", "pinned"), ==, 1);
  g_assert_cmpuint (get_stat (h, "zcupload", "pageable"), ==, 0);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_harness_teardown (h);
}

static void
test_cuda_offers (gconstpointer data)
{
  GstBufferPool *pool;
  GstBuffer *buffer;
  GstHarness *h;

  if (!have_device ())
    return;
  h = chain_new (data);
  gst_harness_set_src_caps (h, gst_caps_from_string (CUDA_CAPS));
  pool = ask_upstream (h);
  g_assert_true (GST_IS_CUDA_BUFFER_POOL (pool));
  buffer = acquire (pool);
  g_assert_true (pixel_has_cuda (buffer));
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_harness_teardown (h);
}

/* A downstream that offers @data. */
typedef struct
{
  GstBufferPool *pool;
  guint size;
  guint min;
  guint max;
} Offer;

static GstPadProbeReturn
answer (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  GstQuery *query = GST_PAD_PROBE_INFO_QUERY (info);
  Offer *offer = data;

  if (GST_QUERY_TYPE (query) != GST_QUERY_ALLOCATION)
    return GST_PAD_PROBE_OK;
  gst_query_add_allocation_pool (query, offer->pool, offer->size, offer->min,
      offer->max);
  gst_query_add_allocation_meta (query, GST_VIDEO_META_API_TYPE, NULL);
  return GST_PAD_PROBE_HANDLED;
}

static GstHarness *
new_chain_to (const gchar *chain, Offer *offer)
{
  GstHarness *h = chain_new (chain);

  gst_pad_add_probe (h->sinkpad, GST_PAD_PROBE_TYPE_QUERY_DOWNSTREAM, answer,
      offer, NULL);
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  return h;
}

static void
run_into (const gchar *chain, GstBufferPool *pool, gboolean taken)
{
  g_auto (RefFrame) frame = random_frame ();
  Offer offer = { pool, WIDTH * HEIGHT * 2, 2, 0 };
  GstHarness *h = new_chain_to (chain, &offer);
  GstBuffer *out = chain_run (h, pixel_buffer (&frame, TRUE));

  g_assert_cmpint (out->pool == pool, ==, taken);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  gst_object_unref (pool);
}

/* A CUDA pool of our context is taken, ours or GStreamer's. */
static void
test_same_context (gconstpointer data)
{
  GstCudaContext *context;

  if (!have_device ())
    return;
  context = gst_zc_context_new (0, NULL);
  run_into (data, gst_zc_device_pool_new (context), TRUE);
  run_into (data, gst_cuda_buffer_pool_new (context), TRUE);
  gst_object_unref (context);
}

static void
test_other_context (gconstpointer data)
{
  GstCudaContext *context;

  if (!have_device ())
    return;
  context = gst_cuda_context_new (0);
  run_into (data, gst_cuda_buffer_pool_new (context), FALSE);
  gst_object_unref (context);
}

/* A plain pool has nothing that ours has not; ours is page-locked. */
static void
test_plain_pool (void)
{
  if (!have_device ())
    return;
  run_into ("zcupload ! zcdownload", gst_video_buffer_pool_new (), FALSE);
  run_into ("zcupload ! zcdownload", gst_buffer_pool_new (), FALSE);
}

/* A display's pool with strides of its own: taken, and written exactly. */
static void
test_special_pool (gconstpointer data)
{
  g_auto (RefFrame) frame = { 0 };
  Offer offer = { NULL, WIDTH * HEIGHT * 2, 2, 0 };
  GstHarness *h;
  GstBuffer *out;

  if (!have_device ())
    return;
  frame = random_frame ();
  offer.pool = padded_pool_new ();
  h = new_chain_to (data, &offer);
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  g_assert_true (out->pool == offer.pool);
  pixel_assert (&frame, out, "padded pool");
  padded_pool_check (out);
  g_assert_cmpuint (get_stat (h, "zcdownload", "pageable"), ==, 1);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  gst_object_unref (offer.pool);
}

static void
test_download_pinned (void)
{
  g_auto (RefFrame) frame = { 0 };
  GstHarness *h;
  GstBuffer *out;

  if (!have_device ())
    return;
  frame = random_frame ();
  h = new_chain ("zcupload ! zcdownload");
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  g_assert_true (gst_memory_is_type (gst_buffer_peek_memory (out, 0),
      GST_ZC_PINNED_MEMORY_TYPE));
  g_assert_cmpuint (get_stat (h, "zcdownload", "pinned"), ==, 1);
  g_assert_cmpuint (get_stat (h, "zcdownload", "host-waits"), ==, 1);
  g_assert_cmpuint (get_stat (h, "zcupload", "host-waits"), ==, 0);
  g_assert_cmpuint (get_stat (h, "zcupload", "staged"), ==, 1);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

/* Downstream keeps more than it said: the pool grows, and that is counted. */
static void
test_misses (void)
{
  g_auto (RefFrame) frame = { 0 };
  GstBuffer *kept[10];
  GstHarness *h;

  if (!have_device ())
    return;
  frame = random_frame ();
  h = new_chain ("zcupload ! zcdownload");
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++)
    kept[i] = chain_run (h, pixel_buffer (&frame, TRUE));
  g_assert_cmpuint (get_stat (h, "zcdownload", "frames"), ==, 10);
  g_assert_cmpuint (get_stat (h, "zcdownload", "pool-misses"), ==, 8);
  g_assert_cmpuint (get_stat (h, "zcupload", "pool-misses"), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (kept); i++) {
    pixel_assert (&frame, kept[i], "kept");
    gst_buffer_unref (kept[i]);
  }
  gst_harness_teardown (h);
}

/* cases.md 70: nothing is allocated or freed while frames flow. */
static void
test_steady (void)
{
  g_auto (RefFrame) frame = { 0 };
  SoftcudaCounters before, after;
  const SoftcudaPanel *panel;
  GstHarness *h;

  if (!have_device ())
    return;
  panel = softcuda_panel ();
  if (panel == NULL) {
    g_test_skip ("needs the control panel of softcuda");
    return;
  }
  frame = random_frame ();
  h = new_chain ("zcupload ! zcflip video-direction=90r ! zcdownload");
  for (guint i = 0; i < 120; i++) {
    /* What was allocated before in vain is freed once it is cleared. */
    if (i == 20) {
      panel->drain ();
      g_usleep (G_USEC_PER_SEC / 5);
      panel->get_counters (&before);
    }
    /* Frames this small are faster than those who let go of them. */
    g_usleep (1000);
    gst_buffer_unref (chain_run (h, pixel_buffer (&frame, TRUE)));
  }
  panel->get_counters (&after);
  gst_harness_teardown (h);

  g_assert_cmpuint (after.allocations, ==, before.allocations);
  g_assert_cmpuint (after.frees, ==, before.frees);
  g_assert_cmpuint (after.host_allocations, ==, before.host_allocations);
  g_assert_cmpuint (after.host_frees, ==, before.host_frees);
  /* Not one a frame; a late thread needs one more now and then. */
  g_assert_cmpuint (after.events_created - before.events_created, <, 50);
  g_assert_cmpuint (after.streams_created, ==, before.streams_created);
  g_assert_cmpuint (after.launches - before.launches, ==, 100);
  g_assert_cmpuint (after.host_waits - before.host_waits, ==, 100);
}

/* Elements before may still ask one that is down already. */
static void
test_stopped (gconstpointer factory)
{
  g_auto (RefFrame) frame = random_frame ();
  g_autoptr (GstPad) pad = NULL;
  g_autoptr (GstCaps) caps = NULL;
  GstElement *element;
  GstHarness *h;

  if (!have_device ())
    return;
  h = new_chain ("zcupload ! zcflip video-direction=180 ! zcdownload");
  gst_buffer_unref (chain_run (h, pixel_buffer (&frame, TRUE)));
  element = chain_find (h, factory);
  pad = gst_element_get_static_pad (element, "sink");
  caps = gst_pad_get_current_caps (pad);
  for (GstState state = GST_STATE_READY; state >= GST_STATE_NULL; state--) {
    g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);

    gst_element_set_state (element, state);
    gst_pad_query (pad, query);
  }
  gst_harness_teardown (h);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/allocation/offers/zcupload", test_upload_offers);
  g_test_add_data_func ("/allocation/offers/zcdownload", "zcdownload",
      test_cuda_offers);
  g_test_add_data_func ("/allocation/offers/zcflip",
      "zcflip video-direction=vert", test_cuda_offers);
  g_test_add_data_func ("/allocation/same-context/zcupload", "zcupload",
      test_same_context);
  g_test_add_data_func ("/allocation/same-context/zcflip",
      "zcupload ! zcflip video-direction=vert", test_same_context);
  g_test_add_data_func ("/allocation/other-context/zcupload", "zcupload",
      test_other_context);
  g_test_add_data_func ("/allocation/other-context/zcflip",
      "zcupload ! zcflip video-direction=vert", test_other_context);
  g_test_add_data_func ("/allocation/stopped/zcupload", "zcupload",
      test_stopped);
  g_test_add_data_func ("/allocation/stopped/zcflip", "zcflip", test_stopped);
  g_test_add_data_func ("/allocation/stopped/zcdownload", "zcdownload",
      test_stopped);
  g_test_add_func ("/allocation/plain-pool", test_plain_pool);
  g_test_add_data_func ("/allocation/special-pool", "zcupload ! zcdownload",
      test_special_pool);
  g_test_add_func ("/allocation/download-pinned", test_download_pinned);
  g_test_add_func ("/allocation/misses", test_misses);
  g_test_add_func ("/allocation/steady", test_steady);
  return g_test_run ();
}
