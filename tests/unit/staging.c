/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The ring of page-locked chunks: all bytes arrive, however late the GPU is;
 * what does not fit is left; and the GPU is not waited for. */

#include <cuda.h>
#include <gst/zc/gstzcstaging.h>
#include <string.h>

#include "cudapanel.h"
#include "cudatest.h"

#define SEED 20240229
#define CHUNK 4096 /* of pictures this small */
#define DEVICE_BYTES (1 << 21)
#define MUCH ((gsize) 64 << 20)

typedef struct
{
  GstCudaContext *wrapper;
  ZcContext *context;
  GstZcStream *stream;
  ZcContextGuard guard;
  guint64 device;
  GRand *random;
} Fixture;

static void
setup (Fixture *f, gconstpointer data)
{
  const ZcContextGuard none = ZC_CONTEXT_GUARD_INIT;

  f->wrapper = cuda_test_context (0);
  if (f->wrapper == NULL)
    return;
  f->context = zc_context_get (f->wrapper, NULL);
  f->stream = gst_zc_stream_new (f->wrapper, NULL);
  f->device = cuda_test_alloc (f->wrapper, DEVICE_BYTES);
  f->random = g_rand_new_with_seed (SEED);
  f->guard = none;
  g_assert_true (zc_context_push (f->context, &f->guard, NULL));
  g_test_message ("seed %u", SEED);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  if (f->wrapper == NULL)
    return;
  zc_context_guard_clear (&f->guard);
  cuda_test_synchronize (f->wrapper);
  cuda_test_free (f->wrapper, f->device);
  g_rand_free (f->random);
  gst_zc_stream_unref (f->stream);
  zc_context_unref (f->context);
  gst_object_unref (f->wrapper);
}

static ZcStaging *
staging_new (Fixture *f, gsize picture_bytes, gsize max_bytes)
{
  g_autoptr (GError) error = NULL;
  ZcStaging *staging =
      zc_staging_new (f->context, picture_bytes, max_bytes, &error);

  g_assert_no_error (error);
  g_assert_nonnull (staging);
  return staging;
}

/* Random rows at @device + @offset; g_free (span.host). */
static ZcSpan
span_new (Fixture *f, gsize offset, gsize row_bytes, gsize stride, gsize rows)
{
  ZcSpan span = {
    .device = f->device + offset,
    .device_stride = row_bytes + 3,
    .host = g_malloc (stride * rows),
    .host_stride = stride,
    .row_bytes = row_bytes,
    .rows = rows,
  };

  for (gsize i = 0; i < stride * rows; i++)
    span.host[i] = g_rand_int (f->random);
  return span;
}

static void
assert_arrived (Fixture *f, const ZcSpan *span)
{
  gsize size = span->device_stride * span->rows;
  g_autofree guint8 *got = g_malloc (size);

  g_assert_true (gst_zc_stream_synchronize (f->stream, NULL));
  cuda_test_copy_out (f->wrapper, got, span->device, size);
  for (gsize y = 0; y < span->rows; y++)
    g_assert_cmpmem (got + y * span->device_stride, span->row_bytes,
        span->host + y * span->host_stride, span->row_bytes);
}

/* Takes all rows; the source is overwritten at once, and given back. */
static void
upload_all (Fixture *f, ZcStaging *staging, const ZcSpan *span)
{
  g_autoptr (GError) error = NULL;
  gsize size = span->host_stride * span->rows;
  g_autofree guint8 *bytes = g_memdup2 (span->host, size);
  ZcSpan left = *span;

  zc_staging_upload (staging, &left, &f->stream->key, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (left.rows, ==, 0);
  memset (span->host, 0, size);
  g_assert_true (gst_zc_stream_synchronize (f->stream, NULL));
  memcpy (span->host, bytes, size);
}

static void
test_layouts (Fixture *f, gconstpointer data)
{
  static const struct
  {
    gsize row_bytes, stride, rows;
  } layouts[] = { { 1, 1, 1 }, { 1, 7, 9000 }, { 64, 64, 1 }, { 64, 64, 1000 },
    { 333, 333, 517 }, { 333, 350, 517 }, { 4096, 4096, 33 },
    { 4000, 5000, 33 } };

  if (f->wrapper == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (layouts); i++) {
    gsize bytes = layouts[i].stride * layouts[i].rows;
    ZcStaging *staging = staging_new (f, bytes, MUCH);
    ZcSpan span = span_new (f, 5, layouts[i].row_bytes, layouts[i].stride,
        layouts[i].rows);

    upload_all (f, staging, &span);
    assert_arrived (f, &span);
    g_free (span.host);
    zc_staging_free (staging);
  }
}

/* Larger than the ring: chunks are used again within one picture as the GPU is
 * done with them, or rows are left; none is lost. */
static void
test_larger_than_ring (Fixture *f, gconstpointer data)
{
  ZcStaging *staging;
  ZcSpan span, left;

  if (f->wrapper == NULL)
    return;
  staging = staging_new (f, CHUNK, MUCH);
  span = span_new (f, 0, 1000, 1000, 1000);
  left = span;
  while (left.rows > 0) {
    gsize before = left.rows;

    g_assert_true (zc_staging_upload (staging, &left, &f->stream->key, NULL));
    if (left.rows == before)
      g_assert_true (gst_zc_stream_synchronize (f->stream, NULL));
  }
  assert_arrived (f, &span);
  g_free (span.host);
  zc_staging_free (staging);
}

/* The GPU is behind: rows are left when all chunks are under way, nobody waits,
 * and none is filled again before its copy ran. */
static void
test_behind (Fixture *f, gconstpointer data)
{
  guint8 expected[40][1000], got[1000];
  ZcStaging *staging;
  gint64 start;
  guint n = 0;

  if (f->wrapper == NULL)
    return;
  staging = staging_new (f, CHUNK, MUCH);
  start = g_get_monotonic_time ();
  cuda_test_delay (f->stream, 200);
  for (gboolean more = TRUE; more; n += more) {
    guint8 *host;
    ZcSpan left;

    g_assert_cmpuint (n, <, G_N_ELEMENTS (expected));
    left = span_new (f, n * 1003, 1000, 1000, 1);
    host = left.host;
    memcpy (expected[n], host, 1000);
    g_assert_true (zc_staging_upload (staging, &left, &f->stream->key, NULL));
    more = left.rows == 0;
    g_free (host);
  }
  g_assert_cmpint (g_get_monotonic_time () - start, <, 200000);
  g_assert_cmpuint (n, ==, zc_staging_get_size (staging) / CHUNK);
  g_assert_true (gst_zc_stream_synchronize (f->stream, NULL));
  for (guint i = 0; i < n; i++) {
    cuda_test_copy_out (f->wrapper, got, f->device + i * 1003, 1000);
    g_assert_cmpmem (got, 1000, expected[i], 1000);
  }
  zc_staging_free (staging);
}

/* A row that no chunk holds is the driver's. */
static void
test_long_row (Fixture *f, gconstpointer data)
{
  ZcStaging *staging;
  ZcSpan span, left;

  if (f->wrapper == NULL)
    return;
  staging = staging_new (f, CHUNK, MUCH);
  left = span = span_new (f, 0, CHUNK + 1, CHUNK + 1, 2);
  g_assert_true (zc_staging_upload (staging, &left, &f->stream->key, NULL));
  g_assert_cmpuint (left.rows, ==, 2);
  g_free (span.host);
  zc_staging_free (staging);
}

static void
test_limit (Fixture *f, gconstpointer data)
{
  static const gsize pictures[] = { 1, CHUNK, 3110400, 12441600, 132710400 };
  g_autoptr (GError) error = NULL;

  if (f->wrapper == NULL)
    return;
  g_assert_null (zc_staging_new (f->context, 3110400, 0, &error));
  g_assert_null (zc_staging_new (f->context, 3110400, 4096, &error));
  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (pictures); i++) {
    ZcStaging *staging = staging_new (f, pictures[i], MUCH);

    g_assert_cmpuint (zc_staging_get_size (staging), <=, MUCH);
    g_assert_cmpuint (zc_staging_get_size (staging), >=,
        MIN (2 * pictures[i], MUCH));
    zc_staging_free (staging);
  }
}

static void
test_refused (Fixture *f, gconstpointer data)
{
  static const gchar *const calls[] = { "cuMemHostAlloc",
    "cuCtxPushCurrent_v2" };
  SoftcudaOutstanding before, after;
  const SoftcudaPanel *panel;

  if (f->wrapper == NULL || !(panel = cuda_test_panel ()))
    return;
  /* inside this one, another guard would push nothing */
  zc_context_guard_clear (&f->guard);
  panel->get_outstanding (&before);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++) {
    g_autoptr (GError) error = NULL;

    panel->fail (calls[i], 1, CUDA_ERROR_OUT_OF_MEMORY, 0);
    g_assert_null (zc_staging_new (f->context, CHUNK, MUCH, &error));
    g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NO_MEMORY);
    panel->fail_clear ();
  }
  panel->get_outstanding (&after);
  g_assert_cmpuint (after.pinned_bytes, ==, before.pinned_bytes);
}

/* A copy or an event fails: said, and the next picture arrives. */
static void
test_fails (Fixture *f, gconstpointer data)
{
  static const gchar *const calls[] = { "cuMemcpy2DAsync_v2", "cuEventRecord" };
  const SoftcudaPanel *panel;
  ZcStaging *staging;
  ZcSpan span;

  if (f->wrapper == NULL || !(panel = cuda_test_panel ()))
    return;
  staging = staging_new (f, 10 * CHUNK, MUCH);
  span = span_new (f, 0, 1000, 1000, 40);
  for (guint i = 0; i < 2 * 12; i++) {
    g_autoptr (GError) error = NULL;
    ZcSpan left = span;

    panel->fail (calls[i % 2], 1 + i / 2, CUDA_ERROR_INVALID_VALUE, 0);
    if (zc_staging_upload (staging, &left, &f->stream->key, &error))
      g_assert_no_error (error);
    else
      g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_DRIVER);
    panel->fail_clear ();
    upload_all (f, staging, &span);
    assert_arrived (f, &span);
  }
  g_free (span.host);
  zc_staging_free (staging);
}

/* Freed with copies under way: they run first, and all is given back. */
static void
test_freed_early (Fixture *f, gconstpointer data)
{
  SoftcudaOutstanding before, after;
  const SoftcudaPanel *panel;
  ZcStaging *staging;
  ZcSpan span, left;

  if (f->wrapper == NULL || !(panel = cuda_test_panel ()))
    return;
  panel->set_free_mode (1);
  panel->get_outstanding (&before);
  staging = staging_new (f, 10 * CHUNK, MUCH);
  left = span = span_new (f, 0, 1000, 1000, 40);
  cuda_test_delay (f->stream, 40);
  g_assert_true (zc_staging_upload (staging, &left, &f->stream->key, NULL));
  zc_staging_free (staging);
  panel->get_outstanding (&after);
  panel->set_free_mode (0);
  g_assert_cmpuint (after.pinned_bytes, ==, before.pinned_bytes);
  assert_arrived (f, &span);
  g_free (span.host);
}

/* Nothing but copies, records and questions. */
static void
test_steady (Fixture *f, gconstpointer data)
{
  SoftcudaCounters before, after;
  const SoftcudaPanel *panel;
  ZcStaging *staging;
  ZcSpan span;

  if (f->wrapper == NULL || !(panel = cuda_test_panel ()))
    return;
  staging = staging_new (f, 10 * CHUNK, MUCH);
  span = span_new (f, 0, 1000, 1000, 40);
  upload_all (f, staging, &span);
  panel->get_counters (&before);
  for (guint i = 0; i < 100; i++)
    upload_all (f, staging, &span);
  panel->get_counters (&after);
  g_assert_cmpuint (after.host_allocations, ==, before.host_allocations);
  g_assert_cmpuint (after.events_created, ==, before.events_created);
  g_assert_cmpuint (after.pageable_copies, ==, before.pageable_copies);
  /* upload_all () waits once. */
  g_assert_cmpuint (after.host_waits - before.host_waits, ==, 100);
  g_free (span.host);
  zc_staging_free (staging);
}

#define ADD(path, func)                                                        \
  g_test_add ("/staging/" path, Fixture, NULL, setup, func, teardown)

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  ADD ("layouts", test_layouts);
  ADD ("larger-than-ring", test_larger_than_ring);
  ADD ("behind", test_behind);
  ADD ("long-row", test_long_row);
  ADD ("limit", test_limit);
  ADD ("refused", test_refused);
  ADD ("fails", test_fails);
  ADD ("freed-early", test_freed_early);
  ADD ("steady", test_steady);
  return g_test_run ();
}
