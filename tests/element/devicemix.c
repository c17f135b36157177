/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Frames of several devices and contexts in one pipeline: brought over where that
 * was asked for, followed where nothing was. cases.md 21. */

#include <gst/app/gstappsrc.h>
#include <gst/cuda/gstcudacontext.h>
#include <gst/cuda/gstcudautils.h>

#include "devicetest.h"
#include "pipeline.h"
#include "pixels.h"

#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 322
#define HEIGHT 242
#define MAX_DEVICES 4
#define N_FRAMES 60

/* Frames of one context; those of a host have none. */
typedef struct
{
  GstHarness *uploader;
  GstElement *element;
  gint device;
} Source;

static GstCaps *
caps_of (gboolean in_cuda)
{
  GstCaps *caps = pixel_caps (FORMAT, WIDTH, HEIGHT);

  if (in_cuda)
    gst_caps_set_features_simple (caps,
        gst_caps_features_from_string ("memory:CUDAMemory"));
  return caps;
}

static void
source_init (Source *self, gint device, gboolean is_private)
{
  GstCudaContext *context = is_private ? gst_cuda_context_new (device)
                                       : gst_zc_context_new (device, NULL);
  g_autoptr (GstContext) given = gst_context_new_cuda_context (context);

  self->device = device;
  self->element =
      gst_object_ref_sink (gst_element_factory_make ("zcupload", NULL));
  gst_element_set_context (self->element, given);
  self->uploader = gst_harness_new_with_element (self->element, "sink", "src");
  gst_harness_play (self->uploader);
  gst_harness_set_src_caps (self->uploader, caps_of (FALSE));
  gst_object_unref (context);
}

static void
source_clear (Source *self)
{
  gst_harness_teardown (self->uploader);
  gst_object_unref (self->element);
}

static void
frame_init (RefFrame *frame)
{
  ref_frame_init (frame, FORMAT, WIDTH, HEIGHT, REF_TIGHT);
  ref_frame_fill_random (frame, pixel_seed ());
}

static GstBuffer *
source_next (Source *self, RefFrame *frame)
{
  GstBuffer *buffer;

  frame_init (frame);
  buffer = chain_run (self->uploader, pixel_buffer (frame, TRUE));
  g_assert_cmpint (device_test_of (buffer), ==, self->device);
  return buffer;
}

/* The primary context of each device, and a private one. Returns how many. */
static guint
sources_init (Source sources[2 * MAX_DEVICES])
{
  guint count = MIN (device_test_count (), MAX_DEVICES);

  for (guint i = 0; i < 2 * count; i++)
    source_init (&sources[i], i / 2, i % 2);
  return 2 * count;
}

static void
sources_clear (Source *sources, guint n)
{
  for (guint i = 0; i < n; i++)
    source_clear (&sources[i]);
}

/* From each device to each other one, by zcupload. All frames are under way
 * before the first one is looked at. */
static void
check_pair (Source *source, gint to)
{
  g_autofree gchar *chain = g_strdup_printf ("zcupload cuda-device-id=%d", to);
  GstHarness *h = chain_new (chain), *look = chain_new ("zcdownload");
  RefFrame frames[8] = { 0 };
  GstBuffer *out[8];

  gst_harness_set_src_caps (h, caps_of (TRUE));
  gst_harness_set_src_caps (look, caps_of (TRUE));
  for (guint i = 0; i < G_N_ELEMENTS (out); i++) {
    out[i] = chain_run (h, source_next (source, &frames[i]));
    g_assert_cmpint (device_test_of (out[i]), ==, to);
  }
  for (guint i = 0; i < G_N_ELEMENTS (out); i++) {
    g_autoptr (GstBuffer) seen = chain_run (look, out[i]);

    pixel_assert (&frames[i], seen, chain);
    ref_frame_clear (&frames[i]);
  }
  gst_harness_teardown (h);
  gst_harness_teardown (look);
}

static void
test_pairs (void)
{
  Source sources[2 * MAX_DEVICES];
  guint n;

  if (!device_test_have (2))
    return;
  n = sources_init (sources);
  for (guint from = 0; from < n; from++)
    for (guint to = 0; to < n / 2; to++)
      check_pair (&sources[from], to);
  sources_clear (sources, n);
}

/* A pipeline whose appsrc brings frames of any device, in no order. */

typedef struct
{
  GstElement *pipeline, *in;
  gint expected; /* device; -1: that of the frame that was sent last */
  gint sent; /* atomic */
} Mixed;

static GstPadProbeReturn
check_device (GstPad *pad, GstPadProbeInfo *info, gpointer data)
{
  Mixed *self = data;
  gint expected =
      self->expected >= 0 ? self->expected : g_atomic_int_get (&self->sent);

  g_assert_cmpint (device_test_of (GST_PAD_PROBE_INFO_BUFFER (info)), ==,
      expected);
  return GST_PAD_PROBE_OK;
}

static void
mixed_start (Mixed *self, const gchar *chain, gint expected)
{
  g_autofree gchar *launch = g_strdup_printf ("appsrc name=in format=time ! %s "
                                              "! appsink name=out sync=false",
      chain);
  g_autoptr (GstElement) last = NULL;
  g_autoptr (GstPad) pad = NULL;
  g_autoptr (GstCaps) caps = caps_of (TRUE);

  *self = (Mixed) { pipeline_new (launch), NULL, expected, 0 };
  self->in = gst_bin_get_by_name (GST_BIN (self->pipeline), "in");
  gst_app_src_set_caps (GST_APP_SRC (self->in), caps);
  last = gst_bin_get_by_name (GST_BIN (self->pipeline), "last");
  pad = gst_element_get_static_pad (last, "src");
  gst_pad_add_probe (pad, GST_PAD_PROBE_TYPE_BUFFER, check_device, self, NULL);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

static void
mixed_push (Mixed *self, GstBuffer *buffer, gint device)
{
  g_atomic_int_set (&self->sent, device);
  g_assert_cmpint (gst_app_src_push_buffer (GST_APP_SRC (self->in), buffer), ==,
      GST_FLOW_OK);
}

static GstBuffer *
mixed_pull (Mixed *self)
{
  g_autoptr (GstElement) sink =
      gst_bin_get_by_name (GST_BIN (self->pipeline), "out");
  g_autoptr (GstSample) sample = NULL;

  g_signal_emit_by_name (sink, "try-pull-sample", 30 * GST_SECOND, &sample);
  g_assert_nonnull (sample);
  return gst_buffer_ref (gst_sample_get_buffer (sample));
}

static void
mixed_finish (Mixed *self)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (self->pipeline);

  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));
  gst_object_unref (self->in);
  pipeline_free (self->pipeline);
}

static void
test_switch (gconstpointer chain)
{
  Source sources[2 * MAX_DEVICES];
  gint expected =
      g_str_has_prefix (chain, "zcupload cuda-device-id=1") ? 1 : -1;
  GRand *random;
  Mixed mixed;
  guint n;

  if (!device_test_have (2))
    return;
  random = g_rand_new_with_seed (pixel_seed ());
  n = sources_init (sources);
  mixed_start (&mixed, chain, expected);
  for (guint i = 0; i < N_FRAMES; i++) {
    Source *source = &sources[g_rand_int_range (random, 0, n)];
    g_autoptr (GstBuffer) out = NULL;
    g_auto (RefFrame) frame = { 0 };

    mixed_push (&mixed, source_next (source, &frame), source->device);
    out = mixed_pull (&mixed);
    pixel_assert (&frame, out, chain);
  }
  mixed_finish (&mixed);
  sources_clear (sources, n);
  g_rand_free (random);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/device-mix/pairs", test_pairs);
  g_test_add_data_func ("/device-mix/switch/upload",
      "zcupload cuda-device-id=1 name=last ! queue ! zcdownload", test_switch);
  g_test_add_data_func ("/device-mix/switch/upload-untold",
      "zcupload name=last ! queue ! zcdownload", test_switch);
  g_test_add_data_func ("/device-mix/switch/flip",
      "zcflip video-direction=90r ! queue ! zcflip video-direction=90l "
      "name=last ! queue ! zcdownload",
      test_switch);
  return g_test_run ();
}
