/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The allocator and the pool of page-locked memory. */

#include <cuda.h>
#include <string.h>

#include "cudapanel.h"
#include "cudatest.h"

#define PAGE 4096
#define N_THREADS 6
#define N_ROUNDS 200

typedef struct
{
  GstCudaContext *context;
  GstAllocator *allocator;
} Fixture;

static void
setup (Fixture *f, gconstpointer data)
{
  f->context = cuda_test_context (0);
  if (f->context != NULL)
    f->allocator = gst_zc_pinned_allocator_new (f->context);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  gst_clear_object (&f->allocator);
  gst_clear_object (&f->context);
}

static GstMemory *
alloc (Fixture *f, gsize size)
{
  GstMemory *memory = gst_allocator_alloc (f->allocator, size, NULL);

  g_assert_nonnull (memory);
  return memory;
}

static guint8 *
address (GstMemory *memory)
{
  GstMapInfo map;
  gpointer data;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ));
  data = map.data;
  gst_memory_unmap (memory, &map);
  return data;
}

static void
fill (GstMemory *memory, guint8 byte)
{
  GstMapInfo map;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
  memset (map.data, byte, map.size);
  gst_memory_unmap (memory, &map);
}

static gboolean
is_filled (GstMemory *memory, guint8 byte)
{
  gboolean ok = TRUE;
  GstMapInfo map;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ));
  for (gsize i = 0; i < map.size; i++)
    ok &= map.data[i] == byte;
  gst_memory_unmap (memory, &map);
  return ok;
}

static void
test_plain (Fixture *f, gconstpointer data)
{
  static const gsize sizes[] = { 0, 1, 13, PAGE - 1, PAGE, PAGE + 1,
    3 * 1024 * 1024 + 7 };

  if (f->context == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (sizes); i++) {
    GstMemory *memory = alloc (f, sizes[i]);

    g_assert_true (gst_memory_is_type (memory, GST_ZC_PINNED_MEMORY_TYPE));
    g_assert_cmpuint (memory->size, ==, sizes[i]);
    g_assert_cmpuint (memory->maxsize, >=, sizes[i]);
    g_assert_cmpuint (memory->maxsize % PAGE, ==, 0);
    fill (memory, i);
    g_assert_true (is_filled (memory, i));
    gst_memory_unref (memory);
  }
}

/* Also behind what was asked for. */
static void
test_cleared (Fixture *f, gconstpointer data)
{
  GstMemory *memory;
  GstMapInfo map;

  if (f->context == NULL)
    return;
  memory = alloc (f, 1000);
  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ));
  for (gsize i = 0; i < map.maxsize; i++)
    g_assert_cmpuint (map.data[i], ==, 0);
  gst_memory_unmap (memory, &map);
  gst_memory_unref (memory);
}

static void
test_params (Fixture *f, gconstpointer data)
{
  static const gsize aligns[] = { 0, 15, 255, PAGE - 1, 16 * PAGE - 1 };
  GstAllocationParams params = { .prefix = 256, .padding = 33 };
  GstMemory *memory;

  if (f->context == NULL)
    return;
  params.flags = GST_MEMORY_FLAG_ZERO_PREFIXED | GST_MEMORY_FLAG_ZERO_PADDED;
  for (guint i = 0; i < G_N_ELEMENTS (aligns); i++) {
    /* Dirty what the next allocation may get. */
    memory = alloc (f, 20 * PAGE);
    fill (memory, 0xa5);
    gst_memory_unref (memory);

    params.align = aligns[i];
    memory = gst_allocator_alloc (f->allocator, 1000, &params);
    g_assert_nonnull (memory);
    g_assert_cmpuint (memory->offset, ==, 256);
    g_assert_cmpuint (memory->size, ==, 1000);
    g_assert_cmpuint (memory->maxsize, >=, 256 + 1000 + 33);
    g_assert_cmpuint (((guintptr) address (memory) - 256) & aligns[i], ==, 0);
    fill (memory, 0xa5);
    gst_memory_resize (memory, -256, 256);
    g_assert_true (is_filled (memory, 0));
    gst_memory_resize (memory, 256 + 1000, memory->maxsize - 1256);
    g_assert_true (is_filled (memory, 0));
    gst_memory_unref (memory);
  }
}

static void
test_too_much (Fixture *f, gconstpointer data)
{
  GstAllocationParams params = { .prefix = G_MAXSIZE / 2 };

  if (f->context == NULL)
    return;
  g_assert_null (gst_allocator_alloc (f->allocator, G_MAXSIZE, NULL));
  g_assert_null (gst_allocator_alloc (f->allocator, G_MAXSIZE - 8, NULL));
  g_assert_null (gst_allocator_alloc (f->allocator, G_MAXSIZE / 2 + 2,
      &params));
}

static void
test_recycled (Fixture *f, gconstpointer data)
{
  GstMemory *first, *second;
  guint8 *block;

  if (f->context == NULL)
    return;
  first = alloc (f, 10 * PAGE);
  second = alloc (f, 10 * PAGE);
  block = address (first);
  g_assert_true (block != address (second));
  gst_memory_unref (first);

  /* A size that needs as many pages takes the same block, another does not. */
  first = alloc (f, 11 * PAGE);
  g_assert_true (address (first) != block);
  gst_memory_unref (first);
  first = alloc (f, 10 * PAGE - 100);
  g_assert_true (address (first) == block);
  gst_memory_unref (second);
  gst_memory_unref (first);
}

static void
test_share (Fixture *f, gconstpointer data)
{
  GstMemory *memory, *share, *inner, *other;
  guint8 *block;
  gsize offset;

  if (f->context == NULL)
    return;
  memory = alloc (f, 2 * PAGE);
  fill (memory, 7);
  block = address (memory);
  share = gst_memory_share (memory, 100, PAGE);
  inner = gst_memory_share (share, 10, -1);
  g_assert_cmpuint (share->size, ==, PAGE);
  g_assert_cmpuint (inner->size, ==, PAGE - 10);
  g_assert_true (address (share) == block + 100);
  g_assert_true (address (inner) == block + 110);
  g_assert_false (gst_memory_is_writable (inner) &&
      !GST_MEMORY_IS_READONLY (inner));

  other = gst_memory_share (memory, 100 + PAGE, 50);
  g_assert_true (gst_memory_is_span (share, other, &offset));
  g_assert_cmpuint (offset, ==, 100);
  g_assert_false (gst_memory_is_span (other, share, NULL));
  gst_memory_unref (other);

  /* The block is in use as long as a share is. */
  gst_memory_unref (memory);
  gst_memory_unref (share);
  other = alloc (f, 2 * PAGE);
  g_assert_true (address (other) != block);
  fill (other, 9);
  g_assert_true (is_filled (inner, 7));
  gst_memory_unref (other);
  gst_memory_unref (inner);
}

static void
test_copy (Fixture *f, gconstpointer data)
{
  GstMemory *memory, *copy;

  if (f->context == NULL)
    return;
  memory = alloc (f, 1000);
  fill (memory, 7);
  copy = gst_memory_copy (memory, 100, 500);
  g_assert_cmpuint (copy->size, ==, 500);
  g_assert_true (gst_memory_is_type (copy, GST_ZC_PINNED_MEMORY_TYPE));
  fill (memory, 8);
  g_assert_true (is_filled (copy, 7));
  gst_memory_unref (copy);
  gst_memory_unref (memory);
}

/* As a sink does with the last picture, on a DRAIN query. */
static void
test_copy_without_memory (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel;
  GstMemory *memory, *copy;

  if (f->context == NULL || !(panel = cuda_test_panel ()))
    return;
  memory = alloc (f, 1000);
  fill (memory, 7);
  panel->fail ("cuMemHostAlloc", 1, CUDA_ERROR_OUT_OF_MEMORY, 0);
  copy = gst_memory_copy (memory, 100, -1);
  panel->fail_clear ();
  g_assert_cmpuint (copy->size, ==, 900);
  g_assert_true (is_filled (copy, 7));
  gst_memory_unref (copy);
  gst_memory_unref (memory);
}

static void
test_outlives_allocator (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel;
  SoftcudaOutstanding before, after;
  GstMemory *memory;

  if (f->context == NULL || !(panel = cuda_test_panel ()))
    return;
  panel->get_outstanding (&before);
  memory = alloc (f, PAGE);
  gst_memory_unref (alloc (f, 5 * PAGE));
  gst_clear_object (&f->allocator);
  fill (memory, 3);
  g_assert_true (is_filled (memory, 3));
  panel->get_outstanding (&after);
  g_assert_cmpuint (after.pinned_allocations, ==,
      before.pinned_allocations + 2);
  gst_memory_unref (memory);
  panel->get_outstanding (&after);
  g_assert_cmpuint (after.pinned_allocations, ==, before.pinned_allocations);
}

static void
test_driver_refuses (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel;

  if (f->context == NULL || !(panel = cuda_test_panel ()))
    return;
  panel->fail ("cuMemHostAlloc", 1, CUDA_ERROR_OUT_OF_MEMORY, 0);
  g_assert_null (gst_allocator_alloc (f->allocator, PAGE, NULL));
  panel->fail_clear ();
  gst_memory_unref (alloc (f, PAGE));
}

static gpointer
hammer (gpointer data)
{
  Fixture *f = data;
  guint8 byte = (guintptr) g_thread_self () >> 8;

  for (guint i = 0; i < N_ROUNDS; i++) {
    GstMemory *memory = alloc (f, (i % 3 + 1) * PAGE);
    GstMemory *share = gst_memory_share (memory, i, PAGE / 2);

    fill (memory, byte + i);
    gst_memory_unref (memory);
    g_thread_yield ();
    g_assert_true (is_filled (share, byte + i));
    gst_memory_unref (share);
  }
  return NULL;
}

static void
test_threads (Fixture *f, gconstpointer data)
{
  GThread *threads[N_THREADS];

  if (f->context == NULL)
    return;
  for (guint i = 0; i < N_THREADS; i++)
    threads[i] = g_thread_new ("hammer", hammer, f);
  for (guint i = 0; i < N_THREADS; i++)
    g_thread_join (threads[i]);
}

/* A stream that changes its size all the time must not lock ever more. */
static void
test_many_sizes (Fixture *f, gconstpointer data)
{
  SoftcudaOutstanding before, after;
  const SoftcudaPanel *panel;

  if (f->context == NULL || !(panel = cuda_test_panel ()))
    return;
  panel->get_outstanding (&before);
  for (gsize pages = 1; pages <= 20; pages++) {
    GstMemory *first = alloc (f, pages * PAGE);
    GstMemory *second = alloc (f, pages * PAGE);

    gst_memory_unref (first);
    gst_memory_unref (second);
  }
  panel->get_outstanding (&after);
  g_assert_cmpuint (after.pinned_allocations, <=,
      before.pinned_allocations + 3 * 2);
}

static void
test_pool (Fixture *f, gconstpointer data)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (
      "video/x-raw,format=NV12,width=322,height=241,framerate=0/1");
  g_autoptr (GError) error = NULL;
  GstBufferPool *pool;
  GstBuffer *buffer = NULL;

  if (f->context == NULL)
    return;
  pool = gst_zc_pinned_pool_new (f->allocator, caps, 2, &error);
  g_assert_no_error (error);
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  g_assert_cmpuint (gst_buffer_n_memory (buffer), ==, 1);
  g_assert_true (gst_memory_is_type (gst_buffer_peek_memory (buffer, 0),
      GST_ZC_PINNED_MEMORY_TYPE));
  g_assert_nonnull (gst_buffer_get_video_meta (buffer));
  g_assert_true (gst_buffer_pool_set_active (pool, FALSE));
  gst_clear_object (&pool);
  gst_buffer_unref (buffer);
}

/* GstBufferPool keeps what it has when a start fails, and forgets it. */
static void
test_pool_failed_start (Fixture *f, gconstpointer data)
{
  g_autoptr (GstCaps) caps = gst_caps_from_string (
      "video/x-raw,format=NV12,width=322,height=241,framerate=0/1");
  SoftcudaOutstanding before, after;
  const SoftcudaPanel *panel;
  GstBufferPool *pool;

  if (f->context == NULL || !(panel = cuda_test_panel ()))
    return;
  panel->get_outstanding (&before);
  pool = gst_zc_pinned_pool_new (f->allocator, caps, 3, NULL);
  panel->fail ("cuMemHostAlloc", 2, CUDA_ERROR_OUT_OF_MEMORY, 0);
  g_assert_false (gst_buffer_pool_set_active (pool, TRUE));
  panel->fail_clear ();
  gst_clear_object (&pool);
  gst_clear_object (&f->allocator);
  panel->get_outstanding (&after);
  g_assert_cmpuint (after.pinned_allocations, ==, before.pinned_allocations);
}

static void
test_pool_caps (Fixture *f, gconstpointer data)
{
  static const gchar *const texts[] = { "video/x-h264",
    "video/x-raw,format=NV12,width=[1,10],height=4", "ANY" };

  if (f->context == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GstCaps) caps = gst_caps_from_string (texts[i]);
    g_autoptr (GError) error = NULL;

    g_assert_null (gst_zc_pinned_pool_new (f->allocator, caps, 0, &error));
    g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
  }
}

#define ADD(path, func)                                                        \
  g_test_add ("/pinned/" path, Fixture, NULL, setup, func, teardown)

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  ADD ("plain", test_plain);
  ADD ("cleared", test_cleared);
  ADD ("params", test_params);
  ADD ("too-much", test_too_much);
  ADD ("recycled", test_recycled);
  ADD ("share", test_share);
  ADD ("copy", test_copy);
  ADD ("copy-without-memory", test_copy_without_memory);
  ADD ("outlives-allocator", test_outlives_allocator);
  ADD ("driver-refuses", test_driver_refuses);
  ADD ("many-sizes", test_many_sizes);
  ADD ("threads", test_threads);
  ADD ("pool", test_pool);
  ADD ("pool-failed-start", test_pool_failed_start);
  ADD ("pool-caps", test_pool_caps);
  return g_test_run ();
}
