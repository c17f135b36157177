/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Which context an element works in, and how it tells. cases.md 21, 57, 71. */

#include <gst/cuda/gstcudacontext.h>
#include <gst/cuda/gstcudautils.h>

#include "pipeline.h"
#include "pixels.h"

static const gchar *const factories[] = { "zcupload", "zcdownload", "zcflip" };

static GstElement *
new_element (const gchar *factory)
{
  return gst_object_ref_sink (gst_element_factory_make (factory, NULL));
}

/* (transfer none) (nullable) */
static GstCudaContext *
context_of (GstElement *element)
{
  g_autoptr (GstQuery) query = gst_query_new_context (GST_CUDA_CONTEXT_TYPE);
  GstContext *context = NULL;

  if (!gst_element_query (element, query))
    return NULL;
  gst_query_parse_context (query, &context);
  return g_value_get_object (gst_structure_get_value (
      gst_context_get_structure (context), GST_CUDA_CONTEXT_TYPE));
}

static void
stop (GstElement *element)
{
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (element);
}

/* Left alone: the primary context, from READY on and no sooner. */
static void
test_alone (gconstpointer data)
{
  GstCudaContext *primary;
  GstElement *element;

  if (!have_device ())
    return;
  primary = gst_zc_context_new (0, NULL);
  element = new_element (data);
  g_assert_null (context_of (element));
  gst_element_set_state (element, GST_STATE_READY);
  g_assert_true (context_of (element) == primary);
  gst_element_set_state (element, GST_STATE_NULL);
  g_assert_null (context_of (element));
  stop (element);
  gst_object_unref (primary);
}

/* The application's choice counts, also after a restart. */
static void
test_given (gconstpointer data)
{
  g_autoptr (GstContext) given = NULL;
  GstCudaContext *own;
  GstElement *element;

  if (!have_device ())
    return;
  own = gst_cuda_context_new (0);
  given = gst_context_new_cuda_context (own);
  element = new_element (data);
  gst_element_set_context (element, given);
  for (guint i = 0; i < 2; i++) {
    gst_element_set_state (element, GST_STATE_READY);
    g_assert_true (context_of (element) == own);
    gst_element_set_state (element, GST_STATE_NULL);
  }
  stop (element);
  gst_object_unref (own);
}

/* A context of another device than the one asked for is not taken. */
static void
test_given_other_device (void)
{
  g_autoptr (GstContext) given = NULL;
  GstCudaContext *own, *second;
  GstElement *element;

  if (!have_device ())
    return;
  second = gst_zc_context_new (1, NULL);
  if (second == NULL) {
    g_test_skip ("needs two devices");
    return;
  }
  own = gst_cuda_context_new (0);
  given = gst_context_new_cuda_context (own);
  element = new_element ("zcupload");
  g_object_set (element, "cuda-device-id", 1, NULL);
  gst_element_set_context (element, given);
  gst_element_set_state (element, GST_STATE_READY);
  g_assert_true (context_of (element) == second);
  stop (element);
  gst_object_unref (own);
  gst_object_unref (second);
}

/* cases.md 71: the message's context is its own, and the number has GStreamer's
 * type. */
static void
test_message (void)
{
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstMessage) message = NULL;
  GstContext *context;
  GstElement *element;
  guint device;

  if (!have_device ())
    return;
  element = new_element ("zcupload");
  bus = gst_bus_new ();
  gst_element_set_bus (element, bus);
  gst_element_set_state (element, GST_STATE_READY);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_HAVE_CONTEXT);
  g_assert_nonnull (message);
  gst_message_parse_have_context (message, &context);
  g_assert_true (gst_structure_get_uint (gst_context_get_structure (context),
      "cuda-device-id", &device));
  g_assert_cmpuint (device, ==, 0);
  gst_element_set_bus (element, NULL);
  stop (element);
  /* Messages hold the element, and it the context. */
  gst_bus_set_flushing (bus, TRUE);
  g_clear_pointer (&message, gst_message_unref);
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (context), ==, 1);
  gst_context_unref (context);
}

/* The last references go with threads that end a little later. */
static gboolean
comes_down_to (gpointer object, gint count)
{
  for (guint i = 0; i < 200; i++) {
    if (GST_OBJECT_REFCOUNT_VALUE (object) <= count)
      return TRUE;
    g_usleep (10000);
  }
  return FALSE;
}

static void
test_references (void)
{
  GstCudaContext *primary;
  gint before;

  if (!have_device ())
    return;
  primary = gst_zc_context_new (0, NULL);
  pipeline_run ("videotestsrc num-buffers=2 ! zcupload ! "
                "zcflip video-direction=180 ! zcdownload ! fakesink");
  before = GST_OBJECT_REFCOUNT_VALUE (primary);
  for (guint i = 0; i < 5; i++)
    pipeline_run ("videotestsrc num-buffers=2 ! zcupload ! "
                  "zcflip video-direction=180 ! zcdownload ! fakesink");
  g_assert_true (comes_down_to (primary, before));
  gst_object_unref (primary);
}

/* cases.md 57: memory of one context, an element in another, one device. */
static GstBuffer *
frame_of_context (GstCudaContext *context, const RefFrame *frame)
{
  g_autoptr (GstContext) given = gst_context_new_cuda_context (context);
  GstElement *upload = new_element ("zcupload");
  GstHarness *h;
  GstBuffer *out;

  gst_element_set_context (upload, given);
  h = gst_harness_new_with_element (upload, "sink", "src");
  gst_harness_play (h);
  chain_set_size (h, frame->format, frame->width, frame->height);
  out = chain_run (h, pixel_buffer (frame, TRUE));
  gst_harness_teardown (h);
  gst_object_unref (upload);
  return out;
}

static void
test_two_contexts (gconstpointer data)
{
  g_auto (RefFrame) frame = { 0 };
  GstCudaContext *own;
  GstHarness *h;
  GstBuffer *out;

  if (!have_device ())
    return;
  own = gst_cuda_context_new (0);
  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, 64, 48, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  h = chain_new (data);
  gst_harness_set_src_caps (h,
      gst_caps_from_string (
          "video/x-raw(memory:CUDAMemory),format=NV12,width=64,height=48,"
          "framerate=30/1"));
  out = chain_run (h, frame_of_context (own, &frame));
  pixel_assert (&frame, out, data);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
  gst_object_unref (own);
}

/* cases.md 21 */
static void
test_second_device (void)
{
  g_autoptr (GstElement) upload = NULL, download = NULL;
  GstCudaContext *second;
  GstElement *pipeline;
  gint device;

  if (!have_device ())
    return;
  second = gst_zc_context_new (1, NULL);
  if (second == NULL) {
    g_test_skip ("needs two devices");
    return;
  }
  pipeline = pipeline_new ("videotestsrc num-buffers=3 ! "
                           "zcupload name=u cuda-device-id=1 ! "
                           "zcflip video-direction=90r cuda-device-id=1 ! "
                           "zcdownload name=d cuda-device-id=1 ! fakesink");
  pipeline_play (pipeline);
  upload = gst_bin_get_by_name (GST_BIN (pipeline), "u");
  download = gst_bin_get_by_name (GST_BIN (pipeline), "d");
  g_assert_true (context_of (upload) == second);
  g_assert_true (context_of (download) == second);
  g_object_get (upload, "cuda-device-id", &device, NULL);
  g_assert_cmpint (device, ==, 1);
  pipeline_free (pipeline);
  gst_object_unref (second);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    g_autofree gchar *alone =
        g_strconcat ("/context/alone/", factories[i], NULL);
    g_autofree gchar *given =
        g_strconcat ("/context/given/", factories[i], NULL);

    g_test_add_data_func (alone, factories[i], test_alone);
    g_test_add_data_func (given, factories[i], test_given);
  }
  g_test_add_func ("/context/given-other-device", test_given_other_device);
  g_test_add_func ("/context/message", test_message);
  g_test_add_func ("/context/references", test_references);
  g_test_add_data_func ("/context/two/download", "zcdownload",
      test_two_contexts);
  g_test_add_data_func ("/context/two/flip",
      "zcflip video-direction=180 ! zcflip video-direction=180 ! zcdownload",
      test_two_contexts);
  g_test_add_data_func ("/context/two/upload", "zcupload ! zcdownload",
      test_two_contexts);
  g_test_add_func ("/context/second-device", test_second_device);
  return g_test_run ();
}
