/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Devices that do not fit are refused, by one error that says who has what, and
 * what to do. cases.md 21. */

#include <gst/cuda/gstcudamemory.h>

#include "devicetest.h"
#include "pipeline.h"
#include "pixels.h"

#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 322
#define HEIGHT 242

static void
assert_refused (const gchar *launch, const gchar *factory, const gchar *text)
{
  GstElement *pipeline = pipeline_new (launch);
  g_autoptr (GError) error = pipeline_play_error (pipeline);

  g_assert_cmpstr (error->message, ==, text);
  g_assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND);
  g_usleep (50000);
  g_assert_cmpuint (pipeline_count_errors (pipeline, factory), ==, 0);
  pipeline_free (pipeline);
}

static void
test_refused_flip (void)
{
  if (!device_test_have (2))
    return;
  assert_refused ("videotestsrc ! zcupload cuda-device-id=0 ! zcflip name=turn "
                  "cuda-device-id=1 video-direction=90r ! zcdownload ! "
                  "fakesink",
      "zcflip",
      "A buffer came in memory of CUDA device 0, but turn works on device 1: "
      "set cuda-device-id to one number in both elements, or put zcupload with "
      "cuda-device-id=1 in between, which copies it");
  pipeline_run (
      "videotestsrc num-buffers=3 ! zcupload cuda-device-id=0 ! zcupload "
      "cuda-device-id=1 ! zcflip cuda-device-id=1 video-direction=90r ! "
      "zcdownload ! fakesink");
}

static void
test_refused_number (void)
{
  guint count = device_test_count ();
  g_autofree gchar *launch = NULL, *text = NULL;

  if (!device_test_have (2))
    return;
  launch = g_strdup_printf ("videotestsrc ! zcupload ! zcflip "
                            "cuda-device-id=%u ! zcdownload ! fakesink",
      count);
  text = g_strdup_printf ("There is no CUDA device %u: this process sees %u, "
                          "numbered from 0",
      count, count);
  assert_refused (launch, "zcflip", text);
}

/* Brightness on one device, colours on another. */
static GstBuffer *
torn_frame (void)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };
  GstBuffer *buffer = gst_buffer_new ();

  for (guint i = 0; i < 2; i++) {
    GstCudaContext *context = gst_zc_context_new (i, NULL);
    GstVideoInfo info;
    GstMemory *memory;

    gst_video_info_set_format (&info, FORMAT, WIDTH, HEIGHT);
    memory = gst_cuda_allocator_alloc (NULL, context, NULL, &info);
    offset[i] = gst_buffer_get_size (buffer);
    stride[i] = GST_CUDA_MEMORY_CAST (memory)->info.stride[0];
    gst_buffer_append_memory (buffer, memory);
    gst_object_unref (context);
  }
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, FORMAT,
      WIDTH, HEIGHT, 2, offset, stride);
  return buffer;
}

static void
test_refused_torn (gconstpointer chain)
{
  g_autoptr (GstMessage) message = NULL;
  g_autoptr (GError) error = NULL;
  GstHarness *h;
  GstBus *bus;

  if (!device_test_have (2))
    return;
  h = chain_new (chain);
  bus = gst_bus_new ();
  gst_element_set_bus (h->element, bus);
  gst_harness_set_src_caps (h,
      gst_caps_from_string ("video/x-raw(memory:CUDAMemory),format=NV12,"
                            "width=322,height=242,framerate=30/1"));
  g_assert_cmpint (gst_harness_push (h, torn_frame ()), ==, GST_FLOW_ERROR);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  gst_message_parse_error (message, &error, NULL);
  g_assert_cmpstr (error->message, ==,
      "The buffer has memory of CUDA devices 0 and 1: a picture must be on "
      "one");
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));
  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/device-refused/flip", test_refused_flip);
  g_test_add_func ("/device-refused/number", test_refused_number);
  g_test_add_data_func ("/device-refused/torn/upload",
      "zcupload cuda-device-id=0", test_refused_torn);
  g_test_add_data_func ("/device-refused/torn/upload-other",
      "zcupload cuda-device-id=1", test_refused_torn);
  g_test_add_data_func ("/device-refused/torn/flip",
      "zcflip video-direction=180", test_refused_torn);
  g_test_add_data_func ("/device-refused/torn/download", "zcdownload",
      test_refused_torn);
  return g_test_run ();
}
