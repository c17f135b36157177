/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What a frame costs zcflip in driver calls: a launch, an event for those who
 * come next on each side, a wait for each who came before. */

#include <gst/gst.h>
#include <gst/zc/zc.h>

#include "calls.h"

#define WARM_UP 20
#define N_FRAMES 100
#define SLACK 40 /* calls of other threads, that belong to no frame */
#define SOURCE                                                                 \
  "videotestsrc num-buffers=1 ! video/x-raw,format=NV12,width=64,height=48 ! " \
  "zcupload ! imagefreeze ! "
#define SINK "fakesink name=sink sync=false signal-handoffs=true"

typedef struct
{
  const gchar *function;
  guint one, three; /* calls a frame, of one zcflip and of three in a chain */
} Cost;

static const Cost costs[] = {
  { "cuLaunchKernel", 1, 3 },
  { "cuEventRecord", 2, 6 },
  /* for the picture, and the bridge for what was written; in a chain, before
   * writing, for the next element's reading of the frame before */
  { "cuStreamWaitEvent", 2, 8 },
  { "cuCtxPushCurrent_v2", 1, 3 },
  { "cuCtxPopCurrent_v2", 1, 3 },
  { "cuThreadExchangeStreamCaptureMode", 2, 6 },
  { "cuEventQuery", 0, 0 },
};

typedef struct
{
  guint n;
  gulong warm[G_N_ELEMENTS (costs)], end[G_N_ELEMENTS (costs)];
} Count;

static void
on_handoff (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data)
{
  Count *count = data;
  gulong *calls = ++count->n == WARM_UP ? count->warm
      : count->n == WARM_UP + N_FRAMES  ? count->end
                                        : NULL;

  for (guint i = 0; calls != NULL && i < G_N_ELEMENTS (costs); i++)
    calls[i] = calls_of (costs[i].function);
}

static void
play (const gchar *launch, Count *count)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (launch, &error);
  g_autoptr (GstElement) sink = NULL;
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstMessage) message = NULL;

  g_assert_no_error (error);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  g_object_set (sink, "num-buffers", WARM_UP + N_FRAMES + 1, NULL);
  g_signal_connect (sink, "handoff", G_CALLBACK (on_handoff), count);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, 60 * GST_SECOND,
      GST_MESSAGE_EOS | GST_MESSAGE_ERROR);
  g_assert_nonnull (message);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static void
test_cost (gconstpointer data)
{
  gboolean chain = GPOINTER_TO_INT (data);
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
  play (chain ? SOURCE "zcflip video-direction=90r ! zcflip "
                       "video-direction=180 ! zcflip video-direction=90l "
                       "! " SINK
              : SOURCE "zcflip video-direction=90r ! " SINK,
      &count);
  for (guint i = 0; i < G_N_ELEMENTS (costs); i++) {
    gulong n = count.end[i] - count.warm[i];

    g_test_message ("%s: %lu in %d frames", costs[i].function, n, N_FRAMES);
    g_assert_cmpuint (n, <=,
        N_FRAMES * (chain ? costs[i].three : costs[i].one) + SLACK);
  }
  gst_object_unref (context);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  g_test_add_data_func ("/counter/flip/one", GINT_TO_POINTER (FALSE),
      test_cost);
  g_test_add_data_func ("/counter/flip/three", GINT_TO_POINTER (TRUE),
      test_cost);
  return g_test_run ();
}
