/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The end: of a process with pipelines that play, of buffers on threads that know
 * no CUDA, of one user while another goes on, and what is left of a context that
 * others use. */

#include <cuda.h>
#include <dlfcn.h>
#include <gst/zc/zc.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "cudapanel.h"
#include "cudatest.h"
#include "pipeline.h"
#include "pixels.h"

#define CHAIN "zcupload ! zcflip video-direction=90r ! zcdownload"
#define ENDLESS                                                                \
  "videotestsrc ! video/x-raw,format=NV12,width=64,height=48 ! " CHAIN         \
  " ! fakesink name=sink signal-handoffs=true"
#define FEW                                                                    \
  "videotestsrc num-buffers=5 ! video/x-raw,format=NV12,width=64,height=48 "   \
  "! " CHAIN " ! fakesink"
#define N_ROUNDS 20

static void
run_in_child (const gchar *path)
{
  g_test_trap_subprocess (path, 60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

/* Exit with pipelines that play */

static void
count_frame (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer count)
{
  g_atomic_int_inc ((gint *) count);
}

static void
play_frames (gint n)
{
  GstElement *pipeline = pipeline_new (ENDLESS);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gint *count = g_new0 (gint, 1);

  g_signal_connect (sink, "handoff", G_CALLBACK (count_frame), count);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (g_atomic_int_get (count) < n)
    g_usleep (1000);
}

static void
exit_playing (void)
{
  play_frames (5);
  play_frames (5);
  exit (0);
}

static void
exit_now (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data)
{
  exit (0);
}

/* By the thread that streams. */
static void
exit_streaming (void)
{
  GstElement *pipeline = pipeline_new (ENDLESS);
  GstElement *sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");

  g_signal_connect (sink, "handoff", G_CALLBACK (exit_now), NULL);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  g_usleep (30 * G_USEC_PER_SEC);
  g_error ("it goes on");
}

/* With a buffer that somebody keeps. */
static void
exit_deinit (void)
{
  g_auto (RefFrame) frame = { 0 };
  GstHarness *h = chain_new ("zcupload");

  ref_frame_init (&frame, GST_VIDEO_FORMAT_RGBA, 16, 16, REF_TIGHT);
  chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 16, 16);
  chain_run (h, pixel_buffer_default (&frame));
  gst_harness_teardown (h);
  gst_deinit ();
  exit (0);
}

/* A driver that is on its way out says so at each call. */
static void
exit_deinitialized (void)
{
  const SoftcudaPanel *panel = softcuda_panel ();

  play_frames (5);
  if (panel)
    panel->fail_randomly (1, CUDA_ERROR_DEINITIALIZED);
  g_usleep (20000);
  gst_element_set_state (pipeline_new (FEW), GST_STATE_PLAYING);
  g_usleep (50000);
  exit (0);
}

static const struct
{
  const gchar *name;
  void (*run) (void);
} exits[] = {
  { "playing", exit_playing },
  { "streaming", exit_streaming },
  { "deinit", exit_deinit },
  { "deinitialized", exit_deinitialized },
};

static void
test_exit (gconstpointer name)
{
  g_autofree gchar *path =
      g_strdup_printf ("/teardown/exit/%s/subprocess/run", (gchar *) name);

  if (!have_device ())
    return;
  for (guint i = 0; i < 5; i++)
    run_in_child (path);
}

static void
add_exits (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (exits); i++) {
    g_autofree gchar *path =
        g_strconcat ("/teardown/exit/", exits[i].name, NULL);
    g_autofree gchar *child = g_strconcat (path, "/subprocess/run", NULL);

    g_test_add_data_func (path, exits[i].name, test_exit);
    g_test_add_func (child, exits[i].run);
  }
}

/* The last reference is dropped by a thread that knows no CUDA. */

static gpointer
drop_buffer (gpointer buffer)
{
  gst_buffer_unref (buffer);
  return NULL;
}

static gpointer
drop_pipeline (gpointer pipeline)
{
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (pipeline);
  return NULL;
}

static void
test_any_thread (gconstpointer chain)
{
  if (!have_device ())
    return;
  for (guint i = 0; i < N_ROUNDS; i++) {
    g_auto (RefFrame) frame = { 0 };
    GstHarness *h = chain_new (chain);
    GstBuffer *out;

    ref_frame_init (&frame, GST_VIDEO_FORMAT_RGBA, 16, 16, REF_TIGHT);
    chain_set_size (h, GST_VIDEO_FORMAT_RGBA, 16, 16);
    out = chain_run (h, pixel_buffer_default (&frame));
    gst_harness_teardown (h);
    g_thread_join (g_thread_new ("drop", drop_buffer, out));
    g_assert_null (cuda_test_current ());
  }
}

static void
test_pipeline_thread (void)
{
  if (!have_device ())
    return;
  for (guint i = 0; i < N_ROUNDS; i++) {
    GstElement *pipeline = pipeline_new (ENDLESS);

    gst_element_set_state (pipeline, GST_STATE_PLAYING);
    g_usleep (i * 500);
    g_thread_join (g_thread_new ("drop", drop_pipeline, pipeline));
  }
}

/* Elements that were made, and not used, before a fork. */

static void
fork_before_use (void)
{
  GstElement *element = gst_element_factory_make ("zcupload", NULL);
  gint status = -1;
  pid_t child;

  gst_object_unref (gst_object_ref_sink (element));
  child = fork ();
  if (child == 0) {
    pipeline_run (FEW);
    _exit (0);
  }
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  pipeline_run (FEW);
}

/* Two who know nothing of each other */

static gpointer
run_pipelines (gpointer data)
{
  for (guint i = 0; i < N_ROUNDS; i++)
    pipeline_run (FEW);
  return NULL;
}

/* A program of its own on the library, with its own stream, while pipelines come
 * and go. */
static void
test_two_users (void)
{
  GstCudaContext *context = cuda_test_context (0);
  GThread *thread;

  if (context == NULL)
    return;
  thread = g_thread_new ("pipelines", run_pipelines, NULL);
  for (guint i = 0; i < N_ROUNDS * 5; i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GstZcStream) stream = gst_zc_stream_new (context, &error);
    GstVideoInfo info;
    GstBufferPool *pool =
        cuda_test_pool (context, GST_VIDEO_FORMAT_RGBA, 16, 16, &info);
    GstBuffer *buffer = cuda_test_acquire (pool);
    GstZcFrame frame;
    guint8 *bytes;

    gst_zc_frame_map (&frame, buffer, &info, GST_MAP_WRITE, stream, &error);
    g_assert_no_error (error);
    cuda_test_fill (stream, &frame.image, i);
    bytes = cuda_test_read (stream, &frame.image, 64);
    gst_zc_frame_unmap (&frame, &error);
    gst_zc_stream_synchronize (stream, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (bytes[63], ==, (guint8) i);
    cuda_test_free_pinned (bytes);
    gst_buffer_unref (buffer);
    gst_buffer_pool_set_active (pool, FALSE);
    gst_object_unref (pool);
  }
  g_thread_join (thread);
  gst_object_unref (context);
}

/* The primary context, before, during and after */

#define FIND(name, symbol, params)                                             \
  CUresult (*name) params =                                                    \
      (CUresult (*) params) dlsym (dlopen ("libcuda.so.1", RTLD_NOW), symbol)

static void
use_primary (CUcontext context, CUdeviceptr *memory, gboolean first)
{
  FIND (push, "cuCtxPushCurrent_v2", (CUcontext));
  FIND (pop, "cuCtxPopCurrent_v2", (CUcontext *) );
  FIND (alloc, "cuMemAlloc_v2", (CUdeviceptr *, size_t) );
  FIND (copy_in, "cuMemcpyHtoD_v2", (CUdeviceptr, const void *, size_t) );
  FIND (copy_out, "cuMemcpyDtoH_v2", (void *, CUdeviceptr, size_t) );
  guint64 there = 0, value = G_GUINT64_CONSTANT (0x123456789abcdef0);

  g_assert_cmpint (push (context), ==, CUDA_SUCCESS);
  if (first) {
    g_assert_cmpint (alloc (memory, sizeof value), ==, CUDA_SUCCESS);
    g_assert_cmpint (copy_in (*memory, &value, sizeof value), ==, CUDA_SUCCESS);
  }
  g_assert_cmpint (copy_out (&there, *memory, sizeof there), ==, CUDA_SUCCESS);
  g_assert_cmpint (pop (&context), ==, CUDA_SUCCESS);
  g_assert_cmphex (there, ==, value);
}

/* In a child, where nobody has retained it yet. */
static void
run_primary (void)
{
  FIND (init, "cuInit", (unsigned) );
  FIND (retain, "cuDevicePrimaryCtxRetain", (CUcontext *, CUdevice));
  FIND (release, "cuDevicePrimaryCtxRelease_v2", (CUdevice));
  CUdeviceptr memory = 0;
  CUcontext context;

  g_assert_cmpint (init (0), ==, CUDA_SUCCESS);
  g_assert_cmpint (retain (&context, 0), ==, CUDA_SUCCESS);
  use_primary (context, &memory, TRUE);
  play_frames (5);
  use_primary (context, &memory, FALSE);
  pipeline_run (FEW);
  use_primary (context, &memory, FALSE);
  /* It is ours to let go of, not the elements' to lose. */
  g_assert_cmpint (release (0), ==, CUDA_SUCCESS);
  pipeline_run (FEW);
  g_assert_cmpint (retain (&context, 0), ==, CUDA_SUCCESS);
  use_primary (context, &memory, FALSE);
}

static void
test_primary (void)
{
  if (have_device ())
    run_in_child ("/teardown/primary/subprocess/run");
}

static void
test_fork (void)
{
  /* Not have_device(): it is about who has not asked yet. */
  if (softcuda_panel () == NULL)
    g_test_skip ("needs softcuda: a driver may take long to start twice");
  else
    run_in_child ("/teardown/fork/subprocess/run");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  add_exits ();
  g_test_add_data_func ("/teardown/any-thread/device", "zcupload",
      test_any_thread);
  g_test_add_data_func ("/teardown/any-thread/host", CHAIN, test_any_thread);
  g_test_add_func ("/teardown/any-thread/pipeline", test_pipeline_thread);
  g_test_add_func ("/teardown/fork", test_fork);
  g_test_add_func ("/teardown/fork/subprocess/run", fork_before_use);
  g_test_add_func ("/teardown/two-users", test_two_users);
  g_test_add_func ("/teardown/primary", test_primary);
  g_test_add_func ("/teardown/primary/subprocess/run", run_primary);
  return g_test_run ();
}
