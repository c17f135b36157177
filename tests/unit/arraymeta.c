/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Which copies of a buffer keep its array meta, and that the meta speaks of the
 * memory that is there, or of none. */

#include <gst/cuda/gstcudamemory.h>

#include "cudatest.h"

#define WIDTH 64
#define HEIGHT 48

typedef struct
{
  GstCudaContext *context;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstBuffer *buffer;
} Fixture;

static gboolean
fixture_init (Fixture *self)
{
  self->context = cuda_test_context (0);
  if (!self->context)
    return FALSE;
  self->pool = cuda_test_pool (self->context, GST_VIDEO_FORMAT_RGBA, WIDTH,
      HEIGHT, &self->info);
  self->buffer = cuda_test_acquire (self->pool);
  g_assert_null (gst_zc_buffer_get_array_meta (self->buffer));
  g_assert_nonnull (gst_zc_buffer_add_array_meta (self->buffer, &self->info,
      GST_ZC_ARRAY_SYNC_NONE));
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  gst_clear_buffer (&self->buffer);
  gst_buffer_pool_set_active (self->pool, FALSE);
  gst_object_unref (self->pool);
  gst_object_unref (self->context);
}

static guint64
address_of (GstBuffer *buffer)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  guint64 address;
  GstMapInfo map;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ | GST_MAP_CUDA));
  address = (guint64) (gsize) map.data;
  gst_memory_unmap (memory, &map);
  return address;
}

static void
assert_answers (GstBuffer *buffer)
{
  g_autoptr (GError) error = NULL;
  GstZcArrayMeta *meta = gst_zc_buffer_get_array_meta (buffer);
  g_autoptr (GstZcArray) array = NULL;

  g_assert_nonnull (meta);
  array = gst_zc_array_meta_get_array (meta, 0, GST_MAP_READ, &error);
  g_assert_no_error (error);
  g_assert_cmphex (array->data, ==, address_of (buffer));
  g_assert_cmpint (array->strides[0], ==,
      gst_buffer_get_video_meta (buffer)->stride[0]);
  g_assert_cmpint (array->shape[2], ==, 4);
}

static void
assert_no_answer (GstBuffer *buffer)
{
  g_autoptr (GError) error = NULL;
  GstZcArrayMeta *meta = gst_zc_buffer_get_array_meta (buffer);

  g_assert_nonnull (meta);
  g_assert_null (gst_zc_array_meta_get_array (meta, 0, GST_MAP_READ, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE);
}

static void
test_answers (void)
{
  Fixture self;

  if (!fixture_init (&self))
    return;
  assert_answers (self.buffer);
  fixture_clear (&self);
}

static void
test_shallow_copy (void)
{
  g_autoptr (GstBuffer) first = NULL;
  g_autoptr (GstBuffer) second = NULL;
  Fixture self;

  if (!fixture_init (&self))
    return;
  first = gst_buffer_copy (self.buffer);
  gst_clear_buffer (&self.buffer);
  assert_answers (first);
  second = gst_buffer_make_writable (gst_buffer_copy (first));
  assert_answers (second);
  fixture_clear (&self);
}

static void
test_deep_copy (void)
{
  g_autoptr (GstBuffer) copy = NULL;
  Fixture self;

  if (!fixture_init (&self))
    return;
  copy = gst_buffer_copy_deep (self.buffer);
  g_assert_null (gst_zc_buffer_get_array_meta (copy));
  fixture_clear (&self);
}

/* Metas alone, onto other memory. */
static void
test_metas_alone (void)
{
  g_autoptr (GstBuffer) other = gst_buffer_new_allocate (NULL, 16, NULL);
  Fixture self;

  if (!fixture_init (&self))
    return;
  gst_buffer_copy_into (other, self.buffer, GST_BUFFER_COPY_METADATA, 0, -1);
  g_assert_null (gst_zc_buffer_get_array_meta (other));
  fixture_clear (&self);
}

static void
test_part (void)
{
  g_autoptr (GstBuffer) part = NULL;
  Fixture self;

  if (!fixture_init (&self))
    return;
  gst_buffer_append_memory (self.buffer, gst_allocator_alloc (NULL, 16, NULL));
  part = gst_buffer_copy_region (self.buffer, GST_BUFFER_COPY_ALL, 0,
      gst_buffer_get_size (self.buffer) - 16);
  g_assert_cmpuint (gst_buffer_n_memory (part), ==, 1);
  g_assert_null (gst_zc_buffer_get_array_meta (part));
  fixture_clear (&self);
}

/* It has got other memory since. */
static void
test_other_memory (void)
{
  g_autoptr (GstBuffer) other = NULL;
  Fixture self;

  if (!fixture_init (&self))
    return;
  other = cuda_test_acquire (self.pool);
  gst_buffer_replace_all_memory (self.buffer,
      gst_memory_ref (gst_buffer_peek_memory (other, 0)));
  assert_no_answer (self.buffer);
  gst_zc_buffer_add_array_meta (self.buffer, &self.info,
      GST_ZC_ARRAY_SYNC_NONE);
  assert_answers (self.buffer);
  gst_buffer_remove_all_memory (self.buffer);
  assert_no_answer (self.buffer);
  fixture_clear (&self);
}

static void
test_more_memory (void)
{
  Fixture self;

  if (!fixture_init (&self))
    return;
  gst_buffer_append_memory (self.buffer, gst_allocator_alloc (NULL, 16, NULL));
  assert_no_answer (self.buffer);
  fixture_clear (&self);
}

/* The memory is the buffer's alone: the meta takes no part of it. */
static void
test_writable (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstZcArray) array = NULL;
  Fixture self;

  if (!fixture_init (&self))
    return;
  g_assert_true (gst_buffer_is_all_memory_writable (self.buffer));
  array =
      gst_zc_array_meta_get_array (gst_zc_buffer_get_array_meta (self.buffer),
          0, GST_MAP_READWRITE, &error);
  g_assert_no_error (error);
  g_assert_false (array->read_only);
  fixture_clear (&self);
}

/* Back in the pool, the buffer is one without the meta. */
static void
test_recycled (void)
{
  Fixture self;

  if (!fixture_init (&self))
    return;
  gst_clear_buffer (&self.buffer);
  self.buffer = cuda_test_acquire (self.pool);
  g_assert_null (gst_zc_buffer_get_array_meta (self.buffer));
  fixture_clear (&self);
}

/* Other processes get no addresses of this one. */
static void
test_not_serialized (void)
{
  g_assert_null (GST_ZC_ARRAY_META_INFO->serialize_func);
  g_assert_true (gst_meta_api_type_has_tag (GST_ZC_ARRAY_META_API_TYPE,
      g_quark_from_static_string (GST_META_TAG_MEMORY_STR)));
  g_assert_true (gst_meta_api_type_has_tag (GST_ZC_ARRAY_META_API_TYPE,
      g_quark_from_static_string (GST_META_TAG_MEMORY_REFERENCE_STR)));
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

  g_test_add_func ("/array-meta/answers", test_answers);
  g_test_add_func ("/array-meta/shallow-copy", test_shallow_copy);
  g_test_add_func ("/array-meta/deep-copy", test_deep_copy);
  g_test_add_func ("/array-meta/metas-alone", test_metas_alone);
  g_test_add_func ("/array-meta/part", test_part);
  g_test_add_func ("/array-meta/other-memory", test_other_memory);
  g_test_add_func ("/array-meta/more-memory", test_more_memory);
  g_test_add_func ("/array-meta/writable", test_writable);
  g_test_add_func ("/array-meta/recycled", test_recycled);
  g_test_add_func ("/array-meta/not-serialized", test_not_serialized);
  return g_test_run ();
}
