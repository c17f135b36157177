/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* GstZcKernel: kernels of others, here those of the library as somebody would
 * bring them. What they do to pixels is tested with examples/own-element. */

#include <cuda.h>
#include <string.h>

#include "cudapanel.h"
#include "cudatest.h"
#include "flipargs.h"
#include "flipfatbin.h"

#define NAME "zc_flip_copy"

typedef struct
{
  GstCudaContext *context;
  GstZcStream *stream;
} Fixture;

static void
setup (Fixture *f, gconstpointer data)
{
  f->context = cuda_test_context (0);
  if (f->context == NULL)
    return;
  if (zc_flip_fatbin_size == 0) {
    gst_clear_object (&f->context);
    g_test_skip ("built without kernels");
    return;
  }
  f->stream = gst_zc_stream_new (f->context, NULL);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  g_clear_pointer (&f->stream, gst_zc_stream_unref);
  gst_clear_object (&f->context);
}

static GstZcKernel *
load (GstCudaContext *context, const gchar *name)
{
  g_autoptr (GError) error = NULL;
  GstZcKernel *kernel = gst_zc_kernel_new (context, zc_flip_fatbin,
      zc_flip_fatbin_size, name, &error);

  g_assert_no_error (error);
  return kernel;
}

static void
test_loaded_once (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  g_autoptr (GstZcKernel) first = NULL, second = NULL, other = NULL;
  g_autofree gpointer elsewhere =
      g_memdup2 (zc_flip_fatbin, zc_flip_fatbin_size);
  SoftcudaCounters counters;

  if (panel == NULL || f->context == NULL)
    return;
  panel->reset_counters ();
  first = load (f->context, NAME);
  second = load (f->context, "zc_flip_mirror");
  other = gst_zc_kernel_new (f->context, elsewhere, zc_flip_fatbin_size, NAME,
      NULL);
  g_assert_nonnull (other);
  panel->get_counters (&counters);
  g_assert_cmpuint (counters.modules_loaded, ==, 1);
}

static void
test_ends_with_context (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  SoftcudaOutstanding outstanding;
  GstZcKernel *kernel;

  if (panel == NULL || f->context == NULL)
    return;
  g_clear_pointer (&f->stream, gst_zc_stream_unref);
  kernel = load (f->context, NAME);
  panel->get_outstanding (&outstanding);
  g_assert_cmpuint (outstanding.modules, ==, 1);
  gst_zc_kernel_unref (gst_zc_kernel_ref (kernel));
  gst_zc_kernel_unref (kernel);
  gst_zc_kernel_unref (NULL);
  panel->get_outstanding (&outstanding);
  g_assert_cmpuint (outstanding.modules, ==, 0);
}

/* Images that are refused */

static void
assert_refused (GstCudaContext *context, gconstpointer image, gsize size,
    const gchar *name, GstZcError code, const gchar *says)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gst_zc_kernel_new (context, image, size, name, &error));
  g_assert_error (error, GST_ZC_ERROR, (gint) code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, says));
}

static void
test_refused (Fixture *f, gconstpointer data)
{
  const gsize sizes[] = { 0, 3, 4, 15, 16, zc_flip_fatbin_size / 2 };

  if (f->context == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    /* of its own, so that reading beyond it is seen */
    g_autofree gpointer part = g_memdup2 (zc_flip_fatbin, MAX (sizes[i], 1));
    assert_refused (f->context, part, sizes[i], NAME, GST_ZC_ERROR_LAYOUT,
        "cut short");
  }
  assert_refused (f->context, zc_flip_fatbin, zc_flip_fatbin_size, "nobody",
      GST_ZC_ERROR_LAYOUT, "none named nobody");
}

static void
test_nothing_fits (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel = cuda_test_panel ();

  if (panel == NULL || f->context == NULL)
    return;
  panel->fail ("cuModuleLoadData", 1, CUDA_ERROR_NO_BINARY_FOR_GPU, 0);
  assert_refused (f->context, zc_flip_fatbin, zc_flip_fatbin_size, NAME,
      GST_ZC_ERROR_UNSUPPORTED, "nvcc -arch=sm_");
  panel->fail_clear ();
  /* a failure is not what stays */
  gst_zc_kernel_unref (load (f->context, NAME));
}

/* Launches */

static guint n_blocks, n_wrong;

static void
count_block (const void *args, const unsigned grid[3], const unsigned block[3],
    const unsigned index[3], void *shared)
{
  const ZcFlipArgs *given = args;

  n_blocks++;
  n_wrong += grid[0] != 3 || grid[1] != 2 || grid[2] != 1 || block[0] != 32 ||
      block[1] != 8 || block[2] != 1 || given->n_planes != 7;
}

static unsigned
no_ranges (const void *args, SoftcudaRange *ranges, unsigned room)
{
  return 0;
}

/* 65 x 16 threads, in blocks of 32 x 8. */
static void
test_launch (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  g_autoptr (GstZcKernel) kernel = NULL;
  g_autoptr (GError) error = NULL;
  ZcFlipArgs args = { .n_planes = 7 };

  if (panel == NULL || f->context == NULL)
    return;
  panel->register_kernel (NAME, sizeof args, count_block, no_ranges);
  kernel = load (f->context, NAME);
  gst_zc_kernel_launch_2d (kernel, f->stream, 65, 16, &args, sizeof args,
      &error);
  g_assert_no_error (error);
  args.n_planes = 1; /* the launch has its own */
  g_assert_true (gst_zc_stream_synchronize (f->stream, NULL));
  g_assert_cmpuint (n_blocks, ==, 6);
  g_assert_cmpuint (n_wrong, ==, 0);

  g_assert_true (gst_zc_kernel_launch_2d (kernel, f->stream, 0, 16, &args,
      sizeof args, NULL));
  g_assert_true (gst_zc_kernel_launch_2d (kernel, f->stream, 65, 0, &args,
      sizeof args, NULL));
  g_assert_true (gst_zc_stream_synchronize (f->stream, NULL));
  g_assert_cmpuint (n_blocks, ==, 6);
}

static void
test_launch_refused (Fixture *f, gconstpointer data)
{
  g_autoptr (GstZcKernel) kernel = NULL;
  g_autoptr (GstZcStream) stream = NULL;
  g_autoptr (GError) error = NULL;
  GstCudaContext *other;
  ZcFlipArgs args = { 0 };

  if (f->context == NULL)
    return;
  kernel = load (f->context, NAME);
  g_assert_false (gst_zc_kernel_launch_2d (kernel, f->stream, 1, 1, &args,
      sizeof args - 1, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
  g_test_message ("%s", error->message);
  g_clear_error (&error);

  other = cuda_test_context (1);
  if (other == NULL)
    return;
  stream = gst_zc_stream_new (other, NULL);
  gst_object_unref (other);
  g_assert_false (gst_zc_kernel_launch_2d (kernel, stream, 1, 1, &args,
      sizeof args, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE);
  g_assert_nonnull (strstr (error->message, NAME));
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
#define ADD(path, func)                                                        \
  g_test_add ("/ownkernel/" path, Fixture, NULL, setup, func, teardown)
  ADD ("loaded-once", test_loaded_once);
  ADD ("ends-with-context", test_ends_with_context);
  ADD ("refused", test_refused);
  ADD ("nothing-fits", test_nothing_fits);
  ADD ("launch-refused", test_launch_refused);
  /* at the end, since the kernel is another one from then on */
  ADD ("launch", test_launch);
#undef ADD
  return g_test_run ();
}
