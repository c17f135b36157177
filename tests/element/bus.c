/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* How much of the bus pipelines use, in the virtual time of softcuda: with
 * queues between them uploads, kernels and downloads run at once, whatever
 * memory the frames come in, and also while others launch on the null
 * stream. */

#include <gst/app/app.h>

#include "cudapanel.h"
#include "cudatest.h"
#include "pipeline.h"
#include "pixels.h"

#define N_TRIES 6
#define N_FRAMES 100
#define N_WARM 40
/* A picture of 64x48 counts as one of 1920x1080. */
#define SCALE 675
#define N_BUFFERS 8
#define PATIENCE (30 * GST_SECOND)

#define FLIP "zcflip video-direction=180"
#define QUEUES "zcupload ! queue ! " FLIP " ! queue ! zcdownload"
#define IN_LINE "zcupload ! " FLIP " ! zcdownload"

typedef enum
{
  POOL,     /* what zcupload offers */
  RECYCLED, /* ordinary memory that comes again */
  NEW,      /* memory that was never seen before */
  DEVICE    /* device memory */
} Memory;

typedef struct
{
  const gchar *name, *launch;
  Memory memory;
  gboolean busy; /* the null stream */
  /* Of all frames, as a multiple of the longest stage, or of all of them. */
  gboolean in_line;
  gdouble most;
} Case;

static const Case cases[] = {
  { "queues/pool", QUEUES, POOL, .most = 1.1 },
  { "queues/recycled", QUEUES, RECYCLED, .most = 1.1 },
  { "queues/new", QUEUES, NEW, .most = 1.4 },
  { "null-stream/pool", QUEUES, POOL, .busy = TRUE, .most = 1.1 },
  { "null-stream/new", QUEUES, NEW, .busy = TRUE, .most = 1.4 },
  { "in-line/pool", IN_LINE, POOL, .in_line = TRUE, .most = 1.15 },
  { "in-line/recycled", IN_LINE, RECYCLED, .in_line = TRUE, .most = 1.15 },
  { "download/queue", "queue ! zcdownload", DEVICE, .most = 1.05 },
  { "download/alone", "zcdownload", DEVICE, .most = 1.25 },
  { "upload/pool", "zcupload", POOL, .most = 1.02 },
  { "upload/recycled", "zcupload", RECYCLED, .most = 1.02 },
};

typedef struct
{
  const Case *what;
  GstVideoInfo info;
  GstElement *pipeline;
  GstAppSrc *src;
  GstBufferPool *pool;
  guint n_seen; /* atomic */

  /* What CuPy or PyTorch would be at in the same process. */
  GstZcStream *null_stream;
  GstBufferPool *arrays;
  GstBuffer *array;
  GstVideoInfo array_info;
} Run;

static GstCaps *
caps_of (const Run *self)
{
  GstCaps *caps = gst_video_info_to_caps (&self->info);

  if (self->what->memory == DEVICE)
    gst_caps_set_features_simple (caps,
        gst_caps_features_from_string ("memory:CUDAMemory"));
  return caps;
}

static GstBufferPool *
make_pool (const Run *self)
{
  GstCudaContext *context = gst_zc_context_new (0, NULL);
  g_autoptr (GstAllocator) pinned = gst_zc_pinned_allocator_new (context);
  g_autoptr (GstCaps) caps = caps_of (self);
  GstBufferPool *pool = self->what->memory == DEVICE
      ? gst_zc_device_pool_new (context)
      : gst_video_buffer_pool_new ();
  GstStructure *config = gst_buffer_pool_get_config (pool);

  gst_buffer_pool_config_set_params (config, caps, self->info.size, N_BUFFERS,
      N_BUFFERS);
  if (self->what->memory == POOL)
    gst_buffer_pool_config_set_allocator (config, pinned, NULL);
  if (!gst_buffer_pool_set_config (pool, config)) {
    config = gst_buffer_pool_get_config (pool);
    g_assert_true (gst_buffer_pool_set_config (pool, config));
  }
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  gst_object_unref (context);
  return pool;
}

static void
on_handoff (GstElement *sink, GstBuffer *buffer, GstPad *pad, gpointer data)
{
  g_atomic_int_inc (&((Run *) data)->n_seen);
}

static void
add_null_stream (Run *self)
{
  GstCudaContext *context = gst_zc_context_new (0, NULL);

  self->null_stream = gst_zc_stream_new_borrowed (context, NULL, NULL);
  self->arrays =
      cuda_test_pool (context, GST_VIDEO_FORMAT_RGBA, 2, 2, &self->array_info);
  self->array = cuda_test_acquire (self->arrays);
  gst_object_unref (context);
}

static void
launch_on_null_stream (Run *self)
{
  GstZcFrame frame;

  g_assert_true (gst_zc_frame_map (&frame, self->array, &self->array_info,
      GST_MAP_WRITE, self->null_stream, NULL));
  for (guint i = 0; i < 5; i++)
    cuda_test_fill (self->null_stream, &frame.image, i);
  g_assert_true (gst_zc_frame_unmap (&frame, NULL));
}

static void
drop_null_stream (Run *self)
{
  gst_clear_buffer (&self->array);
  if (self->arrays != NULL)
    gst_buffer_pool_set_active (self->arrays, FALSE);
  gst_clear_object (&self->arrays);
  g_clear_pointer (&self->null_stream, gst_zc_stream_unref);
}

static void
run_init (Run *self, const Case *what)
{
  g_autofree gchar *launch =
      g_strdup_printf ("appsrc name=src format=time max-bytes=0 ! %s ! "
                       "fakesink name=sink sync=false signal-handoffs=true",
          what->launch);
  g_autoptr (GstElement) sink = NULL;
  g_autoptr (GstCaps) caps = NULL;

  *self = (Run) { .what = what };
  gst_video_info_set_format (&self->info, GST_VIDEO_FORMAT_NV12, 64, 48);
  self->pipeline = pipeline_new (launch);
  self->src =
      GST_APP_SRC (gst_bin_get_by_name (GST_BIN (self->pipeline), "src"));
  sink = gst_bin_get_by_name (GST_BIN (self->pipeline), "sink");
  g_signal_connect (sink, "handoff", G_CALLBACK (on_handoff), self);
  caps = caps_of (self);
  gst_app_src_set_caps (self->src, caps);
  if (what->memory != NEW)
    self->pool = make_pool (self);
  if (what->busy)
    add_null_stream (self);
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
}

static void
run_clear (Run *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  if (self->pool != NULL)
    gst_buffer_pool_set_active (self->pool, FALSE);
  gst_clear_object (&self->pool);
  gst_object_unref (self->src);
  gst_object_unref (self->pipeline);
  drop_null_stream (self);
}

static void
push (Run *self, guint n)
{
  for (guint i = 0; i < n; i++) {
    GstBuffer *buffer = NULL;

    if (self->pool != NULL)
      gst_buffer_pool_acquire_buffer (self->pool, &buffer, NULL);
    else
      buffer = gst_buffer_new_allocate (NULL, self->info.size, NULL);
    if (self->null_stream != NULL)
      launch_on_null_stream (self);
    g_assert_cmpint (gst_app_src_push_buffer (self->src, buffer), ==,
        GST_FLOW_OK);
  }
}

static void
wait_for (Run *self, guint n)
{
  gint64 end = g_get_monotonic_time () + PATIENCE / 1000;

  while ((guint) g_atomic_int_get (&self->n_seen) < n) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    g_usleep (100);
  }
}

/* One after the other, so that the worker that registers can keep up. */
static void
warm_up (Run *self)
{
  for (guint i = 0; i < N_WARM; i++) {
    push (self, 1);
    wait_for (self, i + 1);
  }
  g_usleep (20000);
}

static gdouble
expected_us (const Case *what, const SoftcudaVirtualTime *time)
{
  if (what->in_line)
    return time->uploading + time->computing + time->downloading;
  return MAX (MAX (time->uploading, time->downloading), time->computing);
}

/* The makespan over what is expected. */
static gdouble
measure (const Case *what, const SoftcudaPanel *panel)
{
  const gchar *policy = g_getenv ("SOFTCUDA_POLICY");
  SoftcudaVirtualTime time;
  gdouble ratio;
  Run run;

  /* Who fills chunks takes no virtual time, and would be far ahead of a GPU
   * that waits until it is asked. With one that does not, real threads get the
   * same few device buffers again and again, which costs some overlap. */
  if (what->memory == NEW)
    panel->set_policy ("eager");
  run_init (&run, what);
  warm_up (&run);
  panel->drain ();
  panel->virtual_time_reset (SCALE);
  push (&run, N_FRAMES);
  wait_for (&run, N_WARM + N_FRAMES);
  panel->drain ();
  panel->virtual_time_get (&time);
  panel->set_policy (policy != NULL ? policy : "lazy");
  run_clear (&run);
  ratio = time.makespan / expected_us (what, &time);
  g_test_message ("%.1f us a frame: up %.1f, kernels %.1f, down %.1f; %.3f",
      time.makespan / 1e3 / N_FRAMES, time.uploading / 1e3 / N_FRAMES,
      time.computing / 1e3 / N_FRAMES, time.downloading / 1e3 / N_FRAMES,
      ratio);
  return ratio;
}

/* On a busy machine a thread may stand still for so long that its queue is
 * empty meanwhile; overlap that the elements lose is lost in each try. */
static void
test_case (gconstpointer data)
{
  const Case *what = data;
  const SoftcudaPanel *panel;
  gdouble best = G_MAXDOUBLE;

  if (!have_device () || !(panel = cuda_test_panel ()))
    return;
  for (guint i = 0; i < N_TRIES && best > what->most; i++)
    best = MIN (best, measure (what, panel));
  g_assert_cmpfloat (best, <=, what->most);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree gchar *path = g_strconcat ("/bus/", cases[i].name, NULL);

    g_test_add_data_func (path, &cases[i], test_case);
  }
  return g_test_run ();
}
