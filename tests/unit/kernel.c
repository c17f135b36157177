/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The kernels' module: loaded once a context, and what is said when it can't
 * be. */

#include <cuda.h>

#include "cudapanel.h"
#include "cudatest.h"
#include "gst/zc/gstzccontext-private.h"
#include "gst/zc/gstzcflipkernel.h"

typedef struct
{
  GstCudaContext *wrapper;
  ZcContext *context;
} Fixture;

/* The state of a context without kernels: the reaper may hold that of the test
 * before for a moment. */
static ZcContext *
fresh_context (GstCudaContext *wrapper)
{
  g_autoptr (GError) error = NULL;
  ZcContext *context = NULL;

  for (guint i = 0; i < 2000; i++) {
    context = zc_context_get (wrapper, &error);
    g_assert_no_error (error);
    if (!context->kernels)
      return context;
    g_clear_pointer (&context, zc_context_unref);
    g_usleep (1000);
  }
  g_error ("the context of the test before is still held");
}

static void
setup (Fixture *f, gconstpointer data)
{
  f->wrapper = cuda_test_context (0);
  if (f->wrapper != NULL)
    f->context = fresh_context (f->wrapper);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  if (f->wrapper == NULL)
    return;
  g_clear_pointer (&f->context, zc_context_unref);
  gst_clear_object (&f->wrapper);
}

static void
test_load (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  ZcKernels *kernels;

  if (f->wrapper == NULL)
    return;
  g_assert_null (f->context->kernels);
  zc_kernels_load (f->context, &error);
  g_assert_no_error (error);
  kernels = f->context->kernels;
  g_assert_true (zc_kernels_load (f->context, NULL));
  g_assert_true (f->context->kernels == kernels);
}

static void
test_module_dies_with_context (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  SoftcudaOutstanding outstanding;

  if (panel == NULL || f->wrapper == NULL)
    return;
  g_assert_true (zc_kernels_load (f->context, NULL));
  panel->get_outstanding (&outstanding);
  g_assert_cmpuint (outstanding.modules, ==, 1);
  g_clear_pointer (&f->context, zc_context_unref);
  panel->get_outstanding (&outstanding);
  g_assert_cmpuint (outstanding.modules, ==, 0);
}

typedef struct
{
  const gchar *call;
  CUresult result;
  GstZcError code;
  const gchar *says; /* in the message */
} Failure;

static const Failure failures[] = {
  { "cuModuleLoadData", CUDA_ERROR_NO_BINARY_FOR_GPU, GST_ZC_ERROR_UNSUPPORTED,
      "sm_" },
  { "cuModuleLoadData", CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
      GST_ZC_ERROR_UNSUPPORTED, "sm_" },
  { "cuModuleLoadData", CUDA_ERROR_OUT_OF_MEMORY, GST_ZC_ERROR_NO_MEMORY,
      "cuModuleLoadData" },
  { "cuModuleGetFunction", CUDA_ERROR_NOT_FOUND, GST_ZC_ERROR_DRIVER,
      "cuModuleGetFunction" },
};

/* A failure names what is wrong and leaves nothing behind; the next try may
 * succeed. */
static void
test_failure (Fixture *f, gconstpointer data)
{
  const Failure *failure = data;
  const SoftcudaPanel *panel = cuda_test_panel ();
  g_autoptr (GError) error = NULL;
  SoftcudaOutstanding outstanding;

  if (panel == NULL || f->wrapper == NULL)
    return;
  panel->fail (failure->call, 1, failure->result, 0);
  g_assert_false (zc_kernels_load (f->context, &error));
  panel->fail_clear ();
  g_assert_error (error, GST_ZC_ERROR, (gint) failure->code);
  g_assert_nonnull (strstr (error->message, failure->says));
  g_test_message ("%s", error->message);
  panel->get_outstanding (&outstanding);
  g_assert_cmpuint (outstanding.modules, ==, 0);
  g_assert_true (zc_kernels_load (f->context, NULL));
}

/* All planes of a picture are one launch. */
static void
test_one_launch (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  g_autoptr (GstZcStream) stream = NULL;
  GstVideoInfo info;
  GstBufferPool *pool;
  GstBuffer *in, *out;
  GstZcFrame from, to;
  SoftcudaCounters counters;

  if (panel == NULL || f->wrapper == NULL)
    return;
  stream = gst_zc_stream_new (f->wrapper, NULL);
  pool = cuda_test_pool (f->wrapper, GST_VIDEO_FORMAT_I420, 64, 64, &info);
  in = cuda_test_acquire (pool);
  out = cuda_test_acquire (pool);
  g_assert_true (gst_zc_frame_map (&from, in, &info, GST_MAP_READ, stream,
      NULL));
  g_assert_true (gst_zc_frame_map (&to, out, &info, GST_MAP_WRITE, stream,
      NULL));
  g_assert_true (zc_kernels_load (f->context, NULL));
  panel->reset_counters ();
  g_assert_true (gst_zc_frame_flip (&to, &from, GST_VIDEO_ORIENTATION_90R,
      NULL));
  panel->get_counters (&counters);
  g_assert_cmpuint (counters.launches, ==, 1);
  g_assert_cmpuint (counters.host_waits, ==, 0);
  g_assert_cmpuint (counters.allocations, ==, 0);
  g_assert_true (gst_zc_frame_unmap (&to, NULL));
  g_assert_true (gst_zc_frame_unmap (&from, NULL));
  gst_buffer_unref (in);
  gst_buffer_unref (out);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

static void
assert_out_of_order (GstZcFrame *dst, GstZcFrame *src)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (gst_zc_frame_flip (dst, src, GST_VIDEO_ORIENTATION_180,
      &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE);
  g_test_message ("%s", error->message);
}

static void
test_frame_states (Fixture *f, gconstpointer data)
{
  g_autoptr (GstZcStream) one = NULL, two = NULL;
  GstVideoInfo info;
  GstBufferPool *pool;
  GstBuffer *in, *out;
  GstZcFrame from, to, none = { 0 };

  if (f->wrapper == NULL)
    return;
  one = gst_zc_stream_new (f->wrapper, NULL);
  two = gst_zc_stream_new (f->wrapper, NULL);
  pool = cuda_test_pool (f->wrapper, GST_VIDEO_FORMAT_RGBA, 64, 64, &info);
  in = cuda_test_acquire (pool);
  out = cuda_test_acquire (pool);
  g_assert_true (gst_zc_frame_map (&from, in, &info, GST_MAP_READ, one, NULL));
  assert_out_of_order (&none, &from);
  assert_out_of_order (&from, &from);
  g_assert_true (gst_zc_frame_map (&to, out, &info, GST_MAP_WRITE, two, NULL));
  assert_out_of_order (&to, &none);
  assert_out_of_order (&to, &from);
  g_assert_true (gst_zc_frame_unmap (&to, NULL));
  g_assert_true (gst_zc_frame_unmap (&from, NULL));
  gst_buffer_unref (in);
  gst_buffer_unref (out);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
#define ADD(path, data, func)                                                  \
  g_test_add ("/kernel/" path, Fixture, data, setup, func, teardown)
  ADD ("load", NULL, test_load);
  ADD ("module-dies-with-context", NULL, test_module_dies_with_context);
  ADD ("failure/no-binary", &failures[0], test_failure);
  ADD ("failure/newer-ptx", &failures[1], test_failure);
  ADD ("failure/no-memory", &failures[2], test_failure);
  ADD ("failure/no-function", &failures[3], test_failure);
  ADD ("one-launch", NULL, test_one_launch);
  ADD ("frame-states", NULL, test_frame_states);
#undef ADD
  return g_test_run ();
}
