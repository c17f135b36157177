/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What a user reads when the driver fails: the cause, once, from each element
 * that it stopped. */

#include <string.h>

#include <gst/cuda/gstcudautils.h>

#include "cudapanel.h"
#include "pipeline.h"
#include "pixels.h"

#define ERROR_OUT_OF_MEMORY 2
#define ERROR_ILLEGAL_ADDRESS 700

#define SOURCE                                                                 \
  "videotestsrc num-buffers=5 ! video/x-raw,format=NV12,width=64,height=48 ! "

static void
assert_says (const GError *error, const gchar *text)
{
  g_test_message ("%s", error->message);
  if (strstr (error->message, text) == NULL)
    g_error ("\"%s\" does not say \"%s\"", error->message, text);
}

/* The error that stops a change of state. (transfer full) */
static GError *
refuse (GstElement *pipeline, GstState state)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = NULL;
  GError *error;

  g_assert_cmpint (gst_element_set_state (pipeline, state), ==,
      GST_STATE_CHANGE_FAILURE);
  message = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  gst_message_parse_error (message, &error, NULL);
  return error;
}

/* In a child: the context stays lost. */
static void
run_lost (void)
{
  GstElement *pipeline = pipeline_new (SOURCE "zcupload ! fakesink");
  g_autoptr (GError) error = NULL, again = NULL;

  /* What allocates comes second: the pool hides the driver's answer. */
  cuda_test_panel ()->fail ("cuMemAllocPitch_v2", 2, ERROR_ILLEGAL_ADDRESS,
      TRUE);
  error = pipeline_play_error (pipeline);
  assert_says (error, "context is lost");
  gst_element_set_state (pipeline, GST_STATE_NULL);

  again = refuse (pipeline, GST_STATE_READY);
  assert_says (again, "process must be restarted");
  pipeline_free (pipeline);
}

static void
test_lost (void)
{
  if (!have_device () || cuda_test_panel () == NULL)
    return;
  g_test_trap_subprocess ("/failures/lost/subprocess/run", 60 * G_USEC_PER_SEC,
      G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

/* A source may come back many times before it is stopped, also when the state
 * changes meanwhile. */
static void
test_said_once (void)
{
  GstHarness *h;
  GstBus *bus;
  guint n = 0;

  if (!have_device () || cuda_test_panel () == NULL)
    return;
  h = chain_new ("zcupload");
  bus = gst_bus_new ();
  gst_element_set_bus (h->element, bus);
  chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 16, 16);

  cuda_test_panel ()->fail ("cuMemAllocPitch_v2", 0, ERROR_OUT_OF_MEMORY, 0);
  for (guint i = 0; i < 5; i++) {
    g_assert_cmpint (gst_harness_push (h,
                         gst_buffer_new_allocate (NULL, 1024, NULL)),
        !=, GST_FLOW_OK);
    gst_element_set_state (h->element,
        i % 2 ? GST_STATE_PLAYING : GST_STATE_PAUSED);
  }
  cuda_test_panel ()->fail_clear ();
  for (GstMessage *m; (m = gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR)); n++)
    gst_message_unref (m);
  g_assert_cmpuint (n, ==, 1);

  gst_element_set_bus (h->element, NULL);
  gst_object_unref (bus);
  gst_harness_teardown (h);
}

/* Upstream could only say that its pool failed. */
static void
test_no_pinned_memory (void)
{
  if (!have_device () || cuda_test_panel () == NULL)
    return;
  for (guint nth = 0; nth < 6; nth++) {
    cuda_test_panel ()->fail ("cuMemHostAlloc", nth, ERROR_OUT_OF_MEMORY, 0);
    pipeline_run (SOURCE "zcupload ! queue ! fakesink");
    cuda_test_panel ()->fail_clear ();
  }
}

static GstPadProbeReturn
check_next (GstPad *pad, GstPadProbeInfo *info, gpointer next)
{
  GstClockTime time = GST_BUFFER_PTS (GST_PAD_PROBE_INFO_BUFFER (info));
  guint number = gst_util_uint64_scale_round (time, 30, GST_SECOND);

  g_assert_cmpuint (number, ==, (*(guint *) next)++);
  return GST_PAD_PROBE_OK;
}

/* After a frame that could not be brought down no later one comes, though it was
 * on its way. */
static void
test_no_hole (void)
{
  if (!have_device () || cuda_test_panel () == NULL)
    return;
  for (guint nth = 1; nth <= 40; nth++) {
    GstElement *pipeline =
        pipeline_new (SOURCE "zcupload ! queue ! zcdownload ! fakesink name=s");
    g_autoptr (GstElement) sink = gst_bin_get_by_name (GST_BIN (pipeline), "s");
    g_autoptr (GstPad) pad = gst_element_get_static_pad (sink, "sink");
    g_autoptr (GError) error = NULL;
    guint next = 0;

    gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, check_next, &next, NULL);
    cuda_test_panel ()->fail ("cuEventSynchronize", nth % 4 + 1, 400, 0);
    error = pipeline_play_error (pipeline);
    cuda_test_panel ()->fail_clear ();
    pipeline_free (pipeline);
  }
}

/* What an application gave or a neighbour left before the device was asked for
 * must not decide. */
static void
test_device_asked_later (void)
{
  g_autoptr (GstElement) element = NULL;
  g_autoptr (GstContext) context = NULL;
  GstCudaContext *first, *second;
  gint used;

  if (!have_device ())
    return;
  second = gst_zc_context_new (1, NULL);
  if (second == NULL) {
    g_test_skip ("needs two devices");
    return;
  }
  first = gst_zc_context_new (0, NULL);
  element = gst_object_ref_sink (gst_element_factory_make ("zcupload", NULL));
  context = gst_context_new_cuda_context (first);
  gst_element_set_context (element, context);
  g_object_set (element, "cuda-device-id", 1, NULL);
  g_assert_cmpint (gst_element_set_state (element, GST_STATE_READY), ==,
      GST_STATE_CHANGE_SUCCESS);
  g_object_get (element, "cuda-device-id", &used, NULL);
  g_assert_cmpint (used, ==, 1);
  gst_element_set_state (element, GST_STATE_NULL);
  gst_object_unref (first);
  gst_object_unref (second);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/failures/lost", test_lost);
  g_test_add_func ("/failures/lost/subprocess/run", run_lost);
  g_test_add_func ("/failures/said-once", test_said_once);
  g_test_add_func ("/failures/no-pinned-memory", test_no_pinned_memory);
  g_test_add_func ("/failures/no-hole", test_no_hole);
  g_test_add_func ("/failures/device-asked-later", test_device_asked_later);
  return g_test_run ();
}
