/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* How much of the elements' work overlaps, in virtual time: where a queue
 * decouples the threads a pipeline takes no longer than its longest stage. */

#include "softcuda-panel.h"

#include <gst/gst.h>

#define FRAMES 100
/* A picture of 64x48 counts as one of 3840x2160. */
#define SCALE 2700
#define SOURCE                                                                 \
  "videotestsrc num-buffers=" G_STRINGIFY (                                    \
      FRAMES) " ! video/x-raw,format=NV12,width=64,height=48 ! "

#define FLIP "zcflip video-direction=180"

typedef struct
{
  const char *name, *description;
  double least, most; /* makespan, as a multiple of the longest stage */
} Case;

static const Case cases[] = {
  { "no-queues", SOURCE "zcupload ! " FLIP " ! zcdownload ! fakesink", 1.8,
      2.5 },
  { "queues",
      SOURCE "zcupload ! queue ! " FLIP " ! queue ! zcdownload ! fakesink", 1,
      1.1 },
  { "one-queue", SOURCE "zcupload ! " FLIP " ! queue ! zcdownload ! fakesink",
      1, 1.1 },
  { "two-chains",
      SOURCE "zcupload ! tee name=t ! queue ! " FLIP
             " ! queue ! zcdownload ! fakesink t. ! queue ! " FLIP
             " ! queue ! zcdownload ! fakesink",
      1, 1.1 },
};

static void
run (const char *description)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstElement) pipeline = gst_parse_launch (description, &error);
  g_autoptr (GstBus) bus = NULL;
  g_autoptr (GstMessage) message = NULL;

  g_assert_no_error (error);
  bus = gst_element_get_bus (pipeline);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  message = gst_bus_timed_pop_filtered (bus, GST_CLOCK_TIME_NONE,
      GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  g_assert_cmpint (GST_MESSAGE_TYPE (message), ==, GST_MESSAGE_EOS);
  gst_element_set_state (pipeline, GST_STATE_NULL);
}

static guint64
longest_stage (const SoftcudaVirtualTime *time)
{
  return MAX (MAX (time->uploading, time->downloading), time->computing);
}

static double
overlap (const Case *c, const SoftcudaPanel *panel)
{
  SoftcudaVirtualTime time;
  double ratio;

  panel->drain ();
  panel->virtual_time_reset (SCALE);
  run (c->description);
  panel->virtual_time_get (&time);
  ratio = (double) time.makespan / (double) longest_stage (&time);
  g_test_message ("%" G_GUINT64_FORMAT " us: uploads %" G_GUINT64_FORMAT
                  ", kernels %" G_GUINT64_FORMAT
                  ", downloads %" G_GUINT64_FORMAT
                  " us; %.3f times the longest",
      time.makespan / 1000, time.uploading / 1000, time.computing / 1000,
      time.downloading / 1000, ratio);
  return ratio;
}

static void
test_case (gconstpointer data)
{
  const SoftcudaPanel *panel = softcuda_panel ();
  const Case *c = data;
  double ratio;

  if (!panel) {
    g_test_skip ("needs the control panel of softcuda");
    return;
  }
  ratio = overlap (c, panel);
  g_assert_cmpfloat (ratio, >=, c->least);
  g_assert_cmpfloat (ratio, <=, c->most);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  /* the scanner's process can't load a driver built with sanitizers */
  gst_registry_fork_set_enabled (FALSE);
  gst_init (&argc, &argv);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *path =
        g_strdup_printf ("/softcuda/overlap/%s", cases[i].name);
    g_test_add_data_func (path, &cases[i], test_case);
  }
  return g_test_run ();
}
