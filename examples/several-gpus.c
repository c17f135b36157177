/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The same pipeline on each GPU of the machine, all at once. */

#include <gst/cuda/gstcudautils.h>
#include <gst/gst.h>
#include <gst/zc/zc.h>

#define MAX_DEVICES 16
#define PIPELINE                                                               \
  "videotestsrc num-buffers=60 ! zcupload ! zcflip name=flip "                 \
  "video-direction=90r ! zcdownload ! fakesink"

/* All elements of the pipeline work on that device. */
static gboolean
use_device (GstElement *pipeline, guint device, GError **error)
{
  GstCudaContext *cuda = gst_zc_context_new (device, error);
  GstContext *context;

  if (!cuda)
    return FALSE;
  context = gst_context_new_cuda_context (cuda);
  gst_element_set_context (pipeline, context);
  gst_context_unref (context);
  gst_object_unref (cuda);
  return TRUE;
}

static gboolean
wait_for_end (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message = gst_bus_timed_pop_filtered (bus,
      GST_CLOCK_TIME_NONE, GST_MESSAGE_EOS | GST_MESSAGE_ERROR);

  return GST_MESSAGE_TYPE (message) == GST_MESSAGE_EOS;
}

/* FALSE, with where the frames were, if that is another device. */
static gboolean
was_on (GstElement *pipeline, gint device)
{
  g_autoptr (GstElement) flip =
      gst_bin_get_by_name (GST_BIN (pipeline), "flip");
  gint used;

  g_object_get (flip, "cuda-device-id", &used, NULL);
  g_print ("60 frames on device %d\n", used);
  return used == device;
}

int
main (int argc, char **argv)
{
  GstElement *pipelines[MAX_DEVICES];
  GstStructure *driver;
  gboolean ok = TRUE;
  guint n = 0;

  gst_init (&argc, &argv);
  driver = gst_zc_driver_info ();
  gst_structure_get_uint (driver, "devices", &n);
  gst_structure_free (driver);
  if (n == 0)
    return 77;
  n = MIN (n, MAX_DEVICES);
  for (guint i = 0; i < n; i++) {
    pipelines[i] = gst_parse_launch (PIPELINE, NULL);
    ok &= use_device (pipelines[i], i, NULL);
    gst_element_set_state (pipelines[i], GST_STATE_PLAYING);
  }
  for (guint i = 0; i < n; i++) {
    ok &= wait_for_end (pipelines[i]) && was_on (pipelines[i], (gint) i);
    gst_element_set_state (pipelines[i], GST_STATE_NULL);
    gst_object_unref (pipelines[i]);
  }
  return ok ? 0 : 1;
}
