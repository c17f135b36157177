/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Nobody pays for a tracer that is not there; one that is there is told. */

#include <dlfcn.h>
#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/gstzctrace-private.h>
#include <string.h>

#include "cudatest.h"

#define WIDTH 32
#define HEIGHT 16

static GstZcTraceCall calls[256];
static guint n_calls;
static guint n_works;
static GstZcTraceMap last_map;

static void
take_call (const GstZcTraceCall *call)
{
  if (n_calls < G_N_ELEMENTS (calls))
    calls[n_calls++] = *call;
}

static void
take_work (const GstZcTraceWork *work)
{
  g_assert_cmpint (work->start, <=, work->end);
  n_works++;
}

static void
take_map (const GstZcTraceMap *map)
{
  last_map = *map;
}

static const GstZcTraceFuncs funcs = { take_call, take_work, take_map };

/* (nullable) The last call of @name by the library. */
static const GstZcTraceCall *
last_call (const gchar *name)
{
  for (guint i = n_calls; i-- > 0;)
    if (calls[i].ours && g_str_equal (calls[i].name, name))
      return &calls[i];
  return NULL;
}

static gboolean
have_device (void)
{
  GstCudaContext *context = cuda_test_context (0);

  if (context)
    gst_object_unref (context);
  return context != NULL;
}

/* What is in the table is what the driver has. */
static void
test_off (void)
{
  gpointer library;

  if (!have_device ())
    return;
  library = dlopen ("libcuda.so.1", RTLD_NOW);
  g_assert_false (gst_zc_trace_sees_own ());
  g_assert_true (*(gpointer *) &zc_cu.cuMemcpy2DAsync ==
      dlsym (library, "cuMemcpy2DAsync_v2"));
  g_assert_true (*(gpointer *) &zc_cu.cuLaunchKernel ==
      dlsym (library, "cuLaunchKernel"));
  g_assert_true (*(gpointer *) &zc_cu.cuEventSynchronize ==
      dlsym (library, "cuEventSynchronize"));
}

/* A tracer that comes when the driver is loaded sees no calls, and breaks none. */
static void
test_late (void)
{
  GstCudaContext *context;
  GstZcStream *stream;

  if (!have_device ())
    return;
  g_assert_true (gst_zc_trace_start (&funcs));
  g_assert_false (gst_zc_trace_start (&funcs));
  g_assert_false (gst_zc_trace_sees_own ());
  context = gst_zc_context_new (0, NULL);
  stream = gst_zc_stream_new (context, NULL);
  g_assert_nonnull (stream);
  gst_zc_trace_finish_work ();
  g_assert_cmpuint (n_calls, ==, 0);
  gst_zc_stream_unref (stream);
  gst_object_unref (context);
  gst_zc_trace_stop ();
}

static void
upload (GstCudaContext *context, GstZcStream *stream)
{
  GstVideoInfo info;
  GstBufferPool *pool =
      cuda_test_pool (context, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT, &info);
  GstBuffer *buffer = cuda_test_acquire (pool);
  GstBuffer *host = gst_buffer_new_allocate (NULL, info.size, NULL);
  GstZcFrame frame;

  g_assert_true (gst_zc_frame_map (&frame, buffer, &info, GST_MAP_WRITE, stream,
      NULL));
  g_assert_true (last_map.cuda && !last_map.downloads && !last_map.uploads);
  g_assert_true (gst_zc_frame_upload (&frame, host, &info, NULL));
  g_assert_true (gst_zc_frame_unmap (&frame, NULL));
  gst_buffer_unref (host);
  gst_buffer_unref (buffer);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

static void
check_upload (GstZcStream *stream)
{
  const GstZcTraceCall *call = last_call ("cuMemcpy2DAsync");

  g_assert_nonnull (call);
  g_assert_cmpint (call->deed, ==, GST_ZC_TRACE_UPLOAD);
  g_assert_cmpuint (call->bytes, ==, WIDTH * HEIGHT * 4);
  g_assert_true (call->stream == gst_zc_stream_get_handle (stream));
  g_assert_nonnull (call->context);
  g_assert_cmpint (call->start, <=, call->end);
  g_assert_cmpuint (call->work, ==, 1);
}

static void
check_waits (GstZcStream *stream)
{
  const GstZcTraceCall *call;

  n_calls = 0;
  g_assert_true (gst_zc_stream_synchronize (stream, NULL));
  call = last_call ("cuStreamSynchronize");
  g_assert_nonnull (call);
  g_assert_cmpint (call->deed, ==, GST_ZC_TRACE_HOST_WAIT);
  g_assert_cmpuint (n_works, ==, 0);
  gst_zc_trace_finish_work ();
  g_assert_cmpuint (n_works, ==, 1);
}

static void
run_on (void)
{
  GstCudaContext *context;
  GstZcStream *stream;

  g_assert_true (gst_zc_trace_start (&funcs));
  context = cuda_test_context (0);
  if (!context)
    return;
  g_assert_true (gst_zc_trace_sees_own ());
  stream = gst_zc_stream_new (context, NULL);
  upload (context, stream);
  check_upload (stream);
  check_waits (stream);

  gst_zc_trace_stop ();
  n_calls = 0;
  g_assert_true (gst_zc_stream_synchronize (stream, NULL));
  g_assert_cmpuint (n_calls, ==, 0);
  gst_zc_stream_unref (stream);
  gst_object_unref (context);
}

static void
test_on (void)
{
  if (!have_device ())
    return;
  g_test_trap_subprocess ("/trace/on/subprocess/run", 0,
      G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/trace/off", test_off);
  g_test_add_func ("/trace/late", test_late);
  g_test_add_func ("/trace/on", test_on);
  g_test_add_func ("/trace/on/subprocess/run", run_on);
  return g_test_run ();
}
