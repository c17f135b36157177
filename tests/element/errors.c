/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Bad frames and a driver that fails: one message, no crash, and the pipeline
 * can be started again. cases.md 2, 44. */

#include <string.h>

#include "pipeline.h"
#include "pixels.h"
#include "softcuda-panel.h"

#define ERROR_OUT_OF_MEMORY 2
#define ERROR_ILLEGAL_ADDRESS 700

/* A harness with a bus, to see what the elements say. */
typedef struct
{
  GstHarness *h;
  GstBus *bus;
} Watched;

static Watched
watch (const gchar *chain, GstVideoFormat format, gint width, gint height)
{
  Watched self = { chain_new (chain), gst_bus_new () };

  gst_element_set_bus (self.h->element, self.bus);
  chain_set_size (self.h, format, width, height);
  return self;
}

static void
watch_free (Watched *self)
{
  gst_element_set_bus (self->h->element, NULL);
  gst_object_unref (self->bus);
  gst_harness_teardown (self->h);
}

/* The one error that was posted. */
static GError *
take_error (Watched *self)
{
  g_autoptr (GstMessage) message =
      gst_bus_pop_filtered (self->bus, GST_MESSAGE_ERROR);
  GError *error = NULL;

  g_assert_nonnull (message);
  gst_message_parse_error (message, &error, NULL);
  g_assert_null (gst_bus_pop_filtered (self->bus, GST_MESSAGE_ERROR));
  return error;
}

static void
assert_refused (Watched *self, GstBuffer *buffer, const gchar *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (gst_harness_push (self->h, buffer), ==, GST_FLOW_ERROR);
  error = take_error (self);
  g_test_message ("%s", error->message);
  if (strstr (error->message, text) == NULL)
    g_error ("\"%s\" has no \"%s\"", error->message, text);
}

static void
assert_works (Watched *self, GstVideoFormat format, gint width, gint height)
{
  g_auto (RefFrame) frame = { 0 };
  GstBuffer *out;

  ref_frame_init (&frame, format, width, height, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  out = chain_run (self->h, pixel_buffer (&frame, TRUE));
  pixel_assert (&frame, out, "afterwards");
  gst_buffer_unref (out);
}

static void
test_no_memory (void)
{
  Watched self;

  if (!have_device ())
    return;
  self = watch ("zcupload ! zcdownload", GST_VIDEO_FORMAT_NV12, 16, 16);
  assert_refused (&self, gst_buffer_new (), "");
  assert_works (&self, GST_VIDEO_FORMAT_NV12, 16, 16);
  watch_free (&self);
}

static void
test_too_small (void)
{
  Watched self;

  if (!have_device ())
    return;
  self = watch ("zcupload ! zcdownload", GST_VIDEO_FORMAT_RGBA, 16, 16);
  assert_refused (&self, gst_buffer_new_allocate (NULL, 16 * 16 * 4 - 1, NULL),
      "byte");
  assert_works (&self, GST_VIDEO_FORMAT_RGBA, 16, 16);
  watch_free (&self);
}

static void
test_bad_stride (void)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 16 * 4 - 1 };
  GstBuffer *buffer;
  Watched self;

  if (!have_device ())
    return;
  self = watch ("zcupload ! zcdownload", GST_VIDEO_FORMAT_RGBA, 16, 16);
  buffer = gst_buffer_new_allocate (NULL, 16 * 16 * 4, NULL);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_FORMAT_RGBA, 16, 16, 1, offset, stride);
  assert_refused (&self, buffer, "stride");
  assert_works (&self, GST_VIDEO_FORMAT_RGBA, 16, 16);
  watch_free (&self);
}

/* System memory under CUDA caps. */
static void
test_not_cuda (gconstpointer data)
{
  Watched self;

  if (!have_device ())
    return;
  self = watch (data, GST_VIDEO_FORMAT_RGBA, 16, 16);
  gst_harness_set_src_caps (self.h,
      gst_caps_from_string (
          "video/x-raw(memory:CUDAMemory),format=RGBA,width=16,height=16,"
          "framerate=30/1"));
  assert_refused (&self, gst_buffer_new_allocate (NULL, 16 * 16 * 4, NULL),
      "memory");
  watch_free (&self);
}

/* Memory of another card: said, not read. */
static GstBuffer *
frame_of_device (gint device)
{
  g_autofree gchar *chain =
      g_strdup_printf ("zcupload cuda-device-id=%d", device);
  g_auto (RefFrame) frame = { 0 };
  GstHarness *h = chain_new (chain);
  GstBuffer *out;

  chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 16, 16);
  ref_frame_init (&frame, GST_VIDEO_FORMAT_RGBA, 16, 16, REF_TIGHT);
  out = chain_run (h, pixel_buffer (&frame, TRUE));
  gst_harness_teardown (h);
  return out;
}

/* cases.md 21 */
static void
test_other_device (gconstpointer data)
{
  GstCudaContext *second;
  Watched self;

  if (!have_device ())
    return;
  second = gst_zc_context_new (1, NULL);
  if (second == NULL) {
    g_test_skip ("needs two devices");
    return;
  }
  gst_object_unref (second);
  self = watch (data, GST_VIDEO_FORMAT_RGBA, 16, 16);
  gst_harness_set_src_caps (self.h,
      gst_caps_from_string (
          "video/x-raw(memory:CUDAMemory),format=RGBA,width=16,height=16,"
          "framerate=30/1"));
  assert_refused (&self, frame_of_device (1), "device 1");
  watch_free (&self);
}

/* A driver that fails */

static const SoftcudaPanel *
get_panel (void)
{
  const SoftcudaPanel *panel;

  if (!have_device ())
    return NULL;
  panel = softcuda_panel ();
  if (panel == NULL)
    g_test_skip ("needs the control panel of softcuda");
  return panel;
}

#define PIPELINE                                                               \
  "videotestsrc num-buffers=3 ! zcupload ! "                                   \
  "zcflip video-direction=90r ! zcdownload ! fakesink"

/* The calls that a running pipeline makes. Each fails once; then all is well
 * again. */
static const gchar *const calls[] = { "cuStreamCreate", "cuEventCreate",
  "cuEventRecord", "cuMemAllocPitch_v2", "cuMemcpy2DAsync_v2", "cuLaunchKernel",
  "cuStreamWaitEvent", "cuEventSynchronize" };

static void
run_call (gconstpointer data)
{
  const SoftcudaPanel *panel = get_panel ();
  g_autoptr (GError) error = NULL;
  GstElement *pipeline;

  pipeline = pipeline_new (PIPELINE);
  panel->fail (data, 0, ERROR_OUT_OF_MEMORY, FALSE);
  error = pipeline_play_error (pipeline);
  panel->fail_clear ();
  g_test_message ("%s", error->message);
  g_assert_true (error->domain == GST_RESOURCE_ERROR);
  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_NULL), ==,
      GST_STATE_CHANGE_SUCCESS);

  pipeline_play (pipeline);
  pipeline_free (pipeline);
}

/* In a child: what an earlier pipeline made and left, as events, is not made
 * again. */
static void
test_call (gconstpointer data)
{
  if (get_panel () == NULL)
    return;
  if (g_test_subprocess ()) {
    run_call (data);
    return;
  }
  g_test_trap_subprocess (NULL, 60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

/* A fault that takes the context with it: nothing helps but a new process, and
 * the next start says so. In a child, since it is so. */
static void
run_lost (void)
{
  const SoftcudaPanel *panel = get_panel ();
  g_autoptr (GError) error = NULL, again = NULL;
  GstElement *pipeline;

  pipeline = pipeline_new (PIPELINE);
  panel->fail ("cuLaunchKernel", 1, ERROR_ILLEGAL_ADDRESS, TRUE);
  error = pipeline_play_error (pipeline);
  g_assert_true (error->domain == GST_RESOURCE_ERROR);
  gst_element_set_state (pipeline, GST_STATE_NULL);

  again = pipeline_play_error (pipeline);
  g_test_message ("%s", again->message);
  if (strstr (again->message, "process") == NULL)
    g_error ("\"%s\" does not say what helps", again->message);
  pipeline_free (pipeline);
}

static void
test_lost (void)
{
  if (get_panel () == NULL)
    return;
  g_test_trap_subprocess ("/errors/lost/subprocess/run", 60 * G_USEC_PER_SEC,
      G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

static void
add_rows (void)
{
  static const gchar *const factories[] = { "zcupload cuda-device-id=0",
    "zcdownload cuda-device-id=0",
    "zcflip video-direction=180 cuda-device-id=0" };
  static const gchar *const names[] = { "zcupload", "zcdownload", "zcflip" };

  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    g_autofree gchar *not_cuda =
        g_strconcat ("/errors/not-cuda/", names[i], NULL);
    g_autofree gchar *device =
        g_strconcat ("/errors/other-device/", names[i], NULL);

    g_test_add_data_func (not_cuda, factories[i], test_not_cuda);
    /* The others copy it. */
    if (g_str_equal (names[i], "zcflip"))
      g_test_add_data_func (device, factories[i], test_other_device);
  }
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++) {
    g_autofree gchar *path = g_strconcat ("/errors/call/", calls[i], NULL);

    g_test_add_data_func (path, calls[i], test_call);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/errors/no-memory", test_no_memory);
  g_test_add_func ("/errors/too-small", test_too_small);
  g_test_add_func ("/errors/bad-stride", test_bad_stride);
  add_rows ();
  g_test_add_func ("/errors/lost", test_lost);
  g_test_add_func ("/errors/lost/subprocess/run", run_lost);
  return g_test_run ();
}
