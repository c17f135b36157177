/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Elements work on the device that they were told, by a number or by a context,
 * whatever others in the process do. cases.md 21. */

#include <gst/cuda/gstcudacontext.h>
#include <gst/cuda/gstcudautils.h>

#include "devicetest.h"
#include "line.h"
#include "pipeline.h"
#include "pixels.h"

#define MAX_LINES 16
#define TURN "zcflip video-direction=90r"

static gchar *
chain_on (gint device)
{
  return g_strdup_printf ("zcupload cuda-device-id=%d ! " TURN
                          " cuda-device-id=%d ! zcdownload cuda-device-id=%d",
      device, device, device);
}

/* One after the other. */
static void
test_id (void)
{
  guint count = device_test_count ();

  if (!device_test_have (2))
    return;
  for (guint i = 0; i < count; i++) {
    g_autofree gchar *chain = chain_on (i);
    Line line;

    line_start (&line, chain, NULL, i, 5);
    line_finish (&line);
  }
}

/* One element is told, where "#" stands; the others follow. */
static void
test_one_told (gconstpointer data)
{
  guint count = device_test_count ();

  if (!device_test_have (2))
    return;
  for (guint i = 0; i < count; i++) {
    g_autofree gchar *number = g_strdup_printf ("cuda-device-id=%u", i);
    g_auto (GStrv) parts = g_strsplit (data, "#", -1);
    g_autofree gchar *chain = g_strjoinv (number, parts);
    Line line;

    line_start (&line, chain, NULL, i, 5);
    line_finish (&line);
  }
}

/* Of the pool that is proposed. */
static GstBuffer *
offered_buffer (GstHarness *h, GstCaps *caps)
{
  g_autoptr (GstQuery) query = gst_query_new_allocation (caps, TRUE);
  g_autoptr (GstBufferPool) pool = NULL;
  GstBuffer *buffer = NULL;
  GstStructure *config;
  guint size;

  g_assert_true (gst_pad_peer_query (h->srcpad, query));
  gst_query_parse_nth_allocation_pool (query, 0, &pool, &size, NULL, NULL);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps, size, 0, 0);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  gst_buffer_pool_set_active (pool, FALSE);
  return buffer;
}

/* What an element offers upstream is of its device, too. */
static void
test_offer (gconstpointer factory)
{
  guint count = device_test_count ();
  GstCaps *caps;

  if (!device_test_have (2))
    return;
  caps = gst_caps_from_string ("video/x-raw(memory:CUDAMemory),format=NV12,"
                               "width=48,height=32,framerate=30/1");
  for (guint i = 0; i < count; i++) {
    g_autofree gchar *chain =
        g_strdup_printf ("%s cuda-device-id=%u", (const gchar *) factory, i);
    GstHarness *h = chain_new (chain);
    GstBuffer *buffer;

    gst_harness_set_src_caps (h, gst_caps_ref (caps));
    buffer = offered_buffer (h, caps);
    g_assert_cmpint (device_test_of (buffer), ==, i);
    gst_buffer_unref (buffer);
    gst_harness_teardown (h);
  }
  gst_caps_unref (caps);
}

/* One pipeline on each device, twice, all at once. */
static void
test_at_once (void)
{
  guint count = device_test_count ();
  guint n = MIN (2 * count, MAX_LINES);
  Line lines[MAX_LINES];

  if (!device_test_have (2))
    return;
  for (guint i = 0; i < n; i++) {
    g_autofree gchar *chain =
        g_strdup_printf ("zcupload cuda-device-id=%u ! queue ! " TURN
                         " ! queue ! zcdownload",
            i % count);

    line_start (&lines[i], chain, NULL, i % count, 30);
  }
  for (guint i = 0; i < n; i++)
    line_finish (&lines[i]);
}

/* The application's contexts: the primary one and a private one of each device,
 * all at once. */
static void
test_contexts (void)
{
  guint count = device_test_count ();
  guint n = MIN (2 * count, MAX_LINES);
  Line lines[MAX_LINES];

  if (!device_test_have (2))
    return;
  for (guint i = 0; i < n; i++) {
    GstCudaContext *context = i < count ? gst_zc_context_new (i, NULL)
                                        : gst_cuda_context_new (i - count);

    line_start (&lines[i], "zcupload ! queue ! " TURN " ! queue ! zcdownload",
        context, i % count, 30);
    gst_object_unref (context);
  }
  for (guint i = 0; i < n; i++)
    line_finish (&lines[i]);
}

static GstBusSyncReply
answer (GstBus *bus, GstMessage *message, gpointer given)
{
  const gchar *type;

  if (GST_MESSAGE_TYPE (message) == GST_MESSAGE_NEED_CONTEXT &&
      gst_message_parse_context_type (message, &type) &&
      g_str_equal (type, GST_CUDA_CONTEXT_TYPE))
    gst_element_set_context (GST_ELEMENT (GST_MESSAGE_SRC (message)), given);
  return GST_BUS_PASS;
}

/* An application that gives its context when it is asked. */
static void
test_asked (void)
{
  g_autoptr (GstContext) given = NULL;
  g_autoptr (GstElement) flip = NULL;
  g_autoptr (GstBus) bus = NULL;
  GstCudaContext *context;
  GstElement *pipeline;
  gint device;

  if (!device_test_have (2))
    return;
  context = gst_cuda_context_new (1);
  given = gst_context_new_cuda_context (context);
  gst_object_unref (context);
  pipeline = pipeline_new ("videotestsrc num-buffers=3 ! zcupload ! " TURN
                           " name=flip ! zcdownload ! fakesink");
  bus = gst_element_get_bus (pipeline);
  gst_bus_set_sync_handler (bus, answer, given, NULL);
  pipeline_play (pipeline);
  flip = gst_bin_get_by_name (GST_BIN (pipeline), "flip");
  g_object_get (flip, "cuda-device-id", &device, NULL);
  g_assert_cmpint (device, ==, 1);
  gst_bus_set_sync_handler (bus, NULL, NULL, NULL);
  pipeline_free (pipeline);
}

/* A context of one device for an element that was told another one: the number
 * counts. */
static void
test_number_and_context (void)
{
  g_autofree gchar *chain = chain_on (1);
  GstCudaContext *context;
  Line line;

  if (!device_test_have (2))
    return;
  context = gst_cuda_context_new (0);
  line_start (&line, chain, context, 1, 5);
  line_finish (&line);
  gst_object_unref (context);
}

/* GStreamer's own elements before and after ours. */
static void
test_nvcodec (void)
{
  guint count = device_test_count ();

  if (!device_test_have (2) || !have_nvcodec ())
    return;
  for (guint i = 0; i < count; i++) {
    g_autofree gchar *chain =
        g_strdup_printf ("cudaupload cuda-device-id=%u ! " TURN
                         " ! cudadownload "
                         "cuda-device-id=%u",
            i, i);
    Line line;

    line_start (&line, chain, NULL, i, 5);
    line_finish (&line);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/device-ids/all-told", test_id);
  g_test_add_data_func ("/device-ids/upload-told",
      "zcupload # ! " TURN " ! zcdownload", test_one_told);
  g_test_add_data_func ("/device-ids/flip-told",
      "zcupload ! " TURN " # ! zcdownload", test_one_told);
  g_test_add_data_func ("/device-ids/download-told",
      "zcupload ! " TURN " ! zcdownload #", test_one_told);
  g_test_add_data_func ("/device-ids/offer/zcflip",
      "zcflip video-direction=180", test_offer);
  g_test_add_data_func ("/device-ids/offer/zcdownload", "zcdownload",
      test_offer);
  g_test_add_func ("/device-ids/at-once", test_at_once);
  g_test_add_func ("/device-ids/contexts", test_contexts);
  g_test_add_func ("/device-ids/asked", test_asked);
  g_test_add_func ("/device-ids/number-and-context", test_number_and_context);
  g_test_add_func ("/device-ids/nvcodec", test_nvcodec);
  return g_test_run ();
}
