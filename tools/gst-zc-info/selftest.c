/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Small pictures through zcupload, zcflip and zcdownload, as a pipeline has
 * them, compared with what they should be. */

#include <gst/app/app.h>
#include <stdlib.h>

#include "info.h"
#include "picture.h"

#define PATIENCE (20 * GST_SECOND)

typedef struct
{
  ZcInfo *info;
  ZcDevice *device;
  GstVideoFormat format;
  gint width;
  gint height;
  const ZcTurn *turn;
  gboolean wrong; /* said so */
} Test;

G_GNUC_PRINTF (2, 3)
static void
fail (Test *test, const gchar *format, ...)
{
  g_autofree gchar *text = NULL;
  va_list args;

  va_start (args, format);
  text = g_strdup_vprintf (format, args);
  va_end (args);
  test->wrong = TRUE;
  zc_info_add_problem (test->info, "device %u, self-test, %s %dx%d %s: %s",
      test->device->number, gst_video_format_to_string (test->format),
      test->width, test->height, test->turn->name, text);
}

static GstElement *
make_pipeline (Test *test)
{
  g_autofree gchar *launch = g_strdup_printf (
      "appsrc name=in format=time ! zcupload cuda-device-id=%u ! "
      "zcflip name=turn cuda-device-id=%u video-direction=%s ! zcdownload ! "
      "appsink name=out sync=false",
      test->device->number, test->device->number, test->turn->name);
  g_autoptr (GError) error = NULL;
  GstElement *pipeline = gst_parse_launch (launch, &error);

  if (error != NULL) {
    fail (test, "%s", error->message);
    gst_clear_object (&pipeline);
  }
  return pipeline;
}

static void
feed (Test *test, GstElement *pipeline)
{
  g_autoptr (GstElement) in = gst_bin_get_by_name (GST_BIN (pipeline), "in");
  g_autoptr (GstCaps) caps = NULL;
  GstVideoInfo info;
  GstBuffer *buffer;

  gst_video_info_set_format (&info, test->format, test->width, test->height);
  caps = gst_video_info_to_caps (&info);
  buffer = zc_picture_new (&info);
  GST_BUFFER_PTS (buffer) = 0;
  gst_app_src_set_caps (GST_APP_SRC (in), caps);
  gst_app_src_push_buffer (GST_APP_SRC (in), buffer);
  gst_app_src_end_of_stream (GST_APP_SRC (in));
}

static void
say_why (Test *test, GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message =
      gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  g_autoptr (GError) error = NULL;

  if (message == NULL) {
    fail (test,
        "no picture came out in %d s: is the GPU in use by others, or hung? "
        "nvidia-smi tells",
        (gint) (PATIENCE / GST_SECOND));
    return;
  }
  gst_message_parse_error (message, &error, NULL);
  fail (test, "%s", error->message);
}

static void
compare (Test *test, GstSample *sample)
{
  g_autofree gchar *difference = zc_picture_compare (sample, test->format,
      test->width, test->height, test->turn);

  test->device->self_test.n_pictures++;
  if (difference != NULL)
    fail (test,
        "%s: the GPU gives wrong pixels; update the NVIDIA driver, and if that "
        "does not help report it with this output",
        difference);
}

/* Which context the elements agreed on. */
static void
note_context (Test *test, GstElement *pipeline)
{
  g_autoptr (GstElement) turn =
      gst_bin_get_by_name (GST_BIN (pipeline), "turn");
  g_autoptr (GstQuery) query = gst_query_new_context ("gst.cuda.context");
  g_autoptr (GstPad) pad = gst_element_get_static_pad (turn, "sink");
  GstCudaContext *primary, *used = NULL;
  GstContext *context = NULL;

  if (test->device->context != NULL)
    return;
  primary = gst_zc_context_new (test->device->number, NULL);
  if (gst_pad_query (pad, query)) {
    gst_query_parse_context (query, &context);
    used = g_value_dup_object (gst_structure_get_value (
        gst_context_get_structure (context), "gst.cuda.context"));
  }
  test->device->context = g_strdup (used == NULL ? "unknown"
          : gst_zc_context_same (used, primary)  ? "primary"
                                                 : "private");
  gst_clear_object (&used);
  gst_clear_object (&primary);
}

static void
run (Test *test)
{
  g_autoptr (GstElement) pipeline = make_pipeline (test);
  g_autoptr (GstElement) out = NULL;
  g_autoptr (GstSample) sample = NULL;

  if (pipeline == NULL)
    return;
  out = gst_bin_get_by_name (GST_BIN (pipeline), "out");
  feed (test, pipeline);
  if (gst_element_set_state (pipeline, GST_STATE_PLAYING) !=
      GST_STATE_CHANGE_FAILURE)
    sample = gst_app_sink_try_pull_sample (GST_APP_SINK (out), PATIENCE);
  if (sample != NULL) {
    note_context (test, pipeline);
    compare (test, sample);
  } else {
    say_why (test, pipeline);
  }
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static void
run_all (Test *test)
{
  guint n_turns;
  const ZcTurn *turns = zc_turns (&n_turns);

  /* one message is enough */
  for (guint i = 0; i < n_turns && !test->wrong; i++) {
    test->turn = &turns[i];
    run (test);
  }
}

void
zc_info_run_self_test (ZcInfo *self, ZcDevice *device)
{
  Test rgba = { self, device, GST_VIDEO_FORMAT_RGBA, 33, 21 };
  Test nv12 = { self, device, GST_VIDEO_FORMAT_NV12, 34, 22 };
  g_autoptr (GstElementFactory) factory = gst_element_factory_find ("zcflip");
  gint64 start = g_get_monotonic_time ();

  if (factory == NULL)
    return;
  run_all (&rgba);
  if (!rgba.wrong)
    run_all (&nv12);
  device->self_test.ran = TRUE;
  device->self_test.passed = !rgba.wrong && !nv12.wrong;
  device->self_test.seconds =
      (gdouble) (g_get_monotonic_time () - start) / G_USEC_PER_SEC;
}
