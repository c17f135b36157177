/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Frames of one device in elements that were told to work on another: copied
 * from device to device, or by way of the host. cases.md 21. */

#include <gst/cuda/gstcudamemory.h>

#include "cudapanel.h"
#include "pixels.h"

#define ERROR_INVALID_VALUE 1
#define ERROR_PEER_ACCESS_UNSUPPORTED 217
#define N_FRAMES 12

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

typedef struct
{
  GstVideoFormat format;
  gint width, height;
} Picture;

static const Picture usual = { GST_VIDEO_FORMAT_NV12, 322, 241 };

static GstHarness *
new_chain (const gchar *chain, const Picture *picture, gboolean in_cuda)
{
  GstHarness *h = chain_new (chain);
  GstCaps *caps = pixel_caps (picture->format, picture->width, picture->height);

  if (in_cuda)
    gst_caps_set_features_simple (caps,
        gst_caps_features_from_string ("memory:CUDAMemory"));
  gst_harness_set_src_caps (h, caps);
  return h;
}

/* A source on device 1, the element in question on device 0, and what looks at
 * the pixels that come out of it. */
typedef struct
{
  Picture picture;
  GstHarness *source, *element, *look;
} Bench;

static void
bench_init (Bench *self, const gchar *element, const Picture *picture,
    gboolean in_cuda)
{
  self->picture = *picture;
  self->source = new_chain ("zcupload cuda-device-id=1", picture, FALSE);
  self->element = new_chain (element, picture, in_cuda);
  self->look = new_chain ("zcdownload", picture, TRUE);
}

static void
bench_clear (Bench *self)
{
  gst_harness_teardown (self->source);
  gst_harness_teardown (self->element);
  gst_harness_teardown (self->look);
}

static GstBuffer *
bench_next (Bench *self, RefFrame *frame)
{
  ref_frame_init (frame, self->picture.format, self->picture.width,
      self->picture.height, REF_TIGHT);
  ref_frame_fill_random (frame, pixel_seed ());
  return chain_run (self->source, pixel_buffer (frame, TRUE));
}

static guint
device_of (GstBuffer *buffer)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  guint device;

  g_assert_true (gst_is_cuda_memory (memory));
  g_object_get (GST_CUDA_MEMORY_CAST (memory)->context, "cuda-device-id",
      &device, NULL);
  return device;
}

static guint64
get_stat (GstHarness *h, const gchar *factory, const gchar *name)
{
  GstStructure *stats;
  guint64 value;

  g_object_get (chain_find (h, factory), "stats", &stats, NULL);
  g_assert_true (gst_structure_get_uint64 (stats, name, &value));
  gst_structure_free (stats);
  return value;
}

/* All frames are under way before the first one is looked at, and their
 * source's memory is used again meanwhile. */
static void
run_frames (Bench *self, const gchar *what)
{
  RefFrame frames[N_FRAMES] = { 0 };
  GstBuffer *out[N_FRAMES];

  for (guint i = 0; i < N_FRAMES; i++) {
    out[i] = chain_run (self->element, bench_next (self, &frames[i]));
    g_assert_cmpuint (device_of (out[i]), ==, 0);
  }
  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *seen = chain_run (self->look, out[i]);

    pixel_assert (&frames[i], seen, what);
    gst_buffer_unref (seen);
    ref_frame_clear (&frames[i]);
  }
}

static void
test_formats (void)
{
  static const Picture pictures[] = { { GST_VIDEO_FORMAT_NV12, 322, 241 },
    { GST_VIDEO_FORMAT_I420, 33, 17 }, { GST_VIDEO_FORMAT_RGBA, 640, 480 },
    { GST_VIDEO_FORMAT_P010_10LE, 64, 48 }, { GST_VIDEO_FORMAT_Y444, 1, 1 },
    { GST_VIDEO_FORMAT_YUY2, 321, 3 } };

  if (!have_two ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    Bench bench;

    bench_init (&bench, "zcupload cuda-device-id=0", &pictures[i], TRUE);
    run_frames (&bench, "peer");
    g_assert_cmpuint (get_stat (bench.element, "zcupload", "peer"), ==,
        N_FRAMES);
    bench_clear (&bench);
  }
}

/* cases.md 6: under the caps of host memory, too. */
static void
test_hidden (void)
{
  Bench bench;

  if (!have_two ())
    return;
  bench_init (&bench, "zcupload cuda-device-id=0", &usual, FALSE);
  run_frames (&bench, "hidden");
  bench_clear (&bench);
}

/* What is on the element's own device passes through, before and after. */
static void
test_now_and_then (void)
{
  GstHarness *near;
  Bench bench;

  if (!have_two ())
    return;
  bench_init (&bench, "zcupload cuda-device-id=0", &usual, TRUE);
  near = new_chain ("zcupload cuda-device-id=0", &usual, FALSE);
  for (guint i = 0; i < 4; i++) {
    g_auto (RefFrame) frame = { 0 };
    GstBuffer *in, *out;

    ref_frame_init (&frame, usual.format, usual.width, usual.height, REF_TIGHT);
    in = chain_run (near, pixel_buffer (&frame, TRUE));
    out = chain_run (bench.element, in);
    g_assert_true (out == in);
    gst_buffer_unref (out);
    run_frames (&bench, "now and then");
  }
  g_assert_cmpuint (get_stat (bench.element, "zcupload", "peer"), ==,
      4 * N_FRAMES);
  gst_harness_teardown (near);
  bench_clear (&bench);
}

/* No access: by way of page-locked memory, with no wait of the CPU. */
static void
test_refused (void)
{
  SoftcudaCounters before, after;
  const SoftcudaPanel *panel;
  SoftcudaOutstanding alive;
  guint64 calls;
  Bench bench;

  if (!have_two () || !(panel = cuda_test_panel ()))
    return;
  calls = panel->call_count ("cuMemcpy3DPeerAsync");
  panel->fail ("cuMemcpy3DPeerAsync", 0, ERROR_PEER_ACCESS_UNSUPPORTED, 0);
  bench_init (&bench, "zcupload cuda-device-id=0", &usual, TRUE);
  run_frames (&bench, "refused");
  panel->get_counters (&before);
  run_frames (&bench, "refused");
  panel->get_counters (&after);
  panel->fail_clear ();
  g_assert_cmpuint (after.host_waits - before.host_waits, ==, N_FRAMES);
  g_assert_cmpuint (after.streams_created, ==, before.streams_created);
  /* It does not ask again and again. */
  g_assert_cmpuint (panel->call_count ("cuMemcpy3DPeerAsync") - calls, ==, 1);
  bench_clear (&bench);
  panel->get_outstanding (&alive);
  g_assert_cmpuint (alive.pinned_bytes, ==, 0);
}

/* Each call fails once, on both ways: said once, and the next frame arrives. */
static void
test_fails (gconstpointer data)
{
  static const gchar *const calls[] = { "cuMemcpy3DPeerAsync",
    "cuMemcpy2DAsync_v2", "cuStreamWaitEvent", "cuEventRecord" };
  gboolean refused = GPOINTER_TO_INT (data);
  const SoftcudaPanel *panel;
  GstBus *bus;
  Bench bench;

  if (!have_two () || !(panel = cuda_test_panel ()))
    return;
  bench_init (&bench, "zcupload cuda-device-id=0", &usual, TRUE);
  bus = gst_bus_new ();
  gst_element_set_bus (bench.element->element, bus);
  if (refused)
    panel->fail ("cuMemcpy3DPeerAsync", 1, ERROR_PEER_ACCESS_UNSUPPORTED, 0);
  run_frames (&bench, "before");
  for (guint i = 0; i < 5 * G_N_ELEMENTS (calls); i++) {
    g_auto (RefFrame) frame = { 0 };
    GstBuffer *in = bench_next (&bench, &frame);

    panel->fail (calls[i / 5], 1 + i % 5, ERROR_INVALID_VALUE, 0);
    if (gst_harness_push (bench.element, in) == GST_FLOW_OK)
      gst_buffer_unref (gst_harness_pull (bench.element));
    panel->fail_clear ();
    run_frames (&bench, "after");
  }
  gst_element_set_bus (bench.element->element, NULL);
  gst_object_unref (bus);
  bench_clear (&bench);
}

/* A download waits for its copy anyway: it is made where the frame is. */
static void
test_download (gconstpointer data)
{
  gboolean in_cuda = GPOINTER_TO_INT (data);
  Bench bench;

  if (!have_two ())
    return;
  bench_init (&bench, "zcdownload cuda-device-id=0", &usual, in_cuda);
  for (guint i = 0; i < N_FRAMES; i++) {
    g_auto (RefFrame) frame = { 0 };
    GstBuffer *out = chain_run (bench.element, bench_next (&bench, &frame));

    g_assert_false (pixel_has_cuda (out));
    pixel_assert (&frame, out, "download");
    gst_buffer_unref (out);
  }
  bench_clear (&bench);
}

/* Down the line each works where its frames are. */
static void
test_chain (void)
{
  GstHarness *h;

  if (!have_two ())
    return;
  h = new_chain ("zcupload cuda-device-id=1 ! zcflip video-direction=90r ! "
                 "zcupload cuda-device-id=0 ! zcflip video-direction=90l ! "
                 "zcdownload",
      &usual, FALSE);
  for (guint i = 0; i < N_FRAMES; i++) {
    g_auto (RefFrame) frame = { 0 };
    GstBuffer *out;

    ref_frame_init (&frame, usual.format, usual.width, usual.height, REF_TIGHT);
    ref_frame_fill_random (&frame, pixel_seed ());
    out = chain_run (h, pixel_buffer (&frame, TRUE));
    pixel_assert (&frame, out, "chain");
    gst_buffer_unref (out);
  }
  gst_harness_teardown (h);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/peer/formats", test_formats);
  g_test_add_func ("/peer/hidden", test_hidden);
  g_test_add_func ("/peer/now-and-then", test_now_and_then);
  g_test_add_func ("/peer/refused", test_refused);
  g_test_add_data_func ("/peer/fails/directly", GINT_TO_POINTER (FALSE),
      test_fails);
  g_test_add_data_func ("/peer/fails/through-host", GINT_TO_POINTER (TRUE),
      test_fails);
  g_test_add_data_func ("/peer/download/cuda", GINT_TO_POINTER (TRUE),
      test_download);
  g_test_add_data_func ("/peer/download/hidden", GINT_TO_POINTER (FALSE),
      test_download);
  g_test_add_func ("/peer/chain", test_chain);
  return g_test_run ();
}
