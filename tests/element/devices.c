/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Elements that were not told a device work where their frames are.
 * cases.md 21. */

#include "cudapanel.h"
#include "pixels.h"

#define WIDTH 48
#define HEIGHT 32

static gboolean
have_two (void)
{
  GstCudaContext *second;

  if (!have_device ())
    return FALSE;
  second = gst_zc_context_new (1, NULL);
  if (second == NULL) {
    g_test_skip ("needs two devices");
    return FALSE;
  }
  gst_object_unref (second);
  return TRUE;
}

static gint
device_of (GstHarness *h, const gchar *factory)
{
  gint device;

  g_object_get (chain_find (h, factory), "cuda-device-id", &device, NULL);
  return device;
}

static void
random_frame (RefFrame *frame, guint n)
{
  ref_frame_init (frame, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT, REF_TIGHT);
  ref_frame_fill_random (frame, pixel_seed () + n);
}

/* Only the source of the frames is told. */
static void
test_follow (void)
{
  g_auto (RefFrame) frame = { 0 };
  GstHarness *h;
  GstBuffer *out;

  if (!have_two ())
    return;
  random_frame (&frame, 0);
  h = chain_new ("zcupload cuda-device-id=1 ! zcflip video-direction=180 ! "
                 "zcflip video-direction=180 ! zcdownload");
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  pixel_assert (&frame, out, "device 1");
  g_assert_cmpint (device_of (h, "zcflip"), ==, 1);
  g_assert_cmpint (device_of (h, "zcdownload"), ==, 1);
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

static GstBuffer *
frame_on (GstHarness *uploader, const RefFrame *frame)
{
  return chain_run (uploader, pixel_buffer (frame, TRUE));
}

static GstHarness *
uploader_new (guint device)
{
  g_autofree gchar *chain =
      g_strdup_printf ("zcupload cuda-device-id=%u", device);
  GstHarness *h = chain_new (chain);

  chain_set_size (h, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  return h;
}

/* One stream of frames, now of one device, now of the other. */
static void
test_switch (void)
{
  GstHarness *uploader[2], *h;

  if (!have_two ())
    return;
  uploader[0] = uploader_new (0);
  uploader[1] = uploader_new (1);
  h = chain_new ("zcflip video-direction=90r ! zcflip video-direction=90l ! "
                 "zcdownload");
  gst_harness_set_src_caps (h,
      gst_caps_from_string ("video/x-raw(memory:CUDAMemory),format=NV12,"
                            "width=48,height=32,framerate=30/1"));
  for (guint i = 0; i < 9; i++) {
    g_auto (RefFrame) frame = { 0 };
    GstBuffer *out;

    random_frame (&frame, i);
    out = chain_run (h, frame_on (uploader[i / 2 % 2], &frame));
    pixel_assert (&frame, out, "changing device");
    g_assert_cmpint (device_of (h, "zcdownload"), ==, i / 2 % 2);
    gst_buffer_unref (out);
  }
  gst_harness_teardown (h);
  gst_harness_teardown (uploader[0]);
  gst_harness_teardown (uploader[1]);
}

/* The other device has no room for what the element needs: said once. */
static void
test_no_stream (void)
{
  const SoftcudaPanel *panel;
  g_auto (RefFrame) frame = { 0 };
  GstHarness *uploader, *h;
  GstMessage *message;
  GstBuffer *foreign;
  GstBus *bus;

  if (!have_two () || !(panel = cuda_test_panel ()))
    return;
  random_frame (&frame, 0);
  uploader = uploader_new (1);
  foreign = frame_on (uploader, &frame);
  h = chain_new ("zcdownload");
  bus = gst_bus_new ();
  gst_element_set_bus (h->element, bus);
  gst_harness_set_src_caps (h,
      gst_caps_from_string ("video/x-raw(memory:CUDAMemory),format=NV12,"
                            "width=48,height=32,framerate=30/1"));

  panel->fail ("cuStreamCreate", 1, 2, 0);
  g_assert_cmpint (gst_harness_push (h, foreign), ==, GST_FLOW_ERROR);
  panel->fail_clear ();
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  gst_message_unref (message);
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));

  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
  gst_harness_teardown (uploader);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/devices/follow", test_follow);
  g_test_add_func ("/devices/switch", test_switch);
  g_test_add_func ("/devices/no-stream", test_no_stream);
  return g_test_run ();
}
