/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* gst_zc_frame_map() and _unmap(): the hazard table, and what is refused. Each
 * hazard is made to show by holding one stream up: without its barrier the
 * pixels are wrong every time. */

#include <gst/cuda/gstcudabufferpool.h>
#include <gst/cuda/gstcudamemory.h>
#include <string.h>

#include "frametest.h"
#include "testrows.h"

#define WIDTH 64
#define HEIGHT 48
#define DELAY_MS 40

typedef struct
{
  GstCudaContext *context;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstZcStream *a, *b;
} Fixture;

/* What kind of streams, and of memory, a test runs with. */
typedef struct
{
  const gchar *name;
  gboolean blocking;
  gboolean foreign;
} Variant;

static const Variant variants[] = {
  { "own/non-blocking", FALSE, FALSE },
  { "own/blocking", TRUE, FALSE },
  { "foreign/non-blocking", FALSE, TRUE },
  { "foreign/blocking", TRUE, TRUE },
};

static GstZcStream *
new_stream (GstCudaContext *context, gboolean blocking)
{
  return blocking ? cuda_test_blocking_stream (context)
                  : frame_test_stream (context);
}

static GstBufferPool *
foreign_pool (GstCudaContext *context, GstVideoInfo *info)
{
  GstBufferPool *pool = gst_cuda_buffer_pool_new (context);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  g_autoptr (GstCaps) caps = NULL;
  GstCudaStream *stream = gst_cuda_stream_new (context);

  gst_video_info_set_format (info, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT);
  caps = gst_video_info_to_caps (info);
  gst_buffer_pool_config_set_params (config, caps, info->size, 0, 0);
  gst_buffer_pool_config_set_cuda_stream (config, stream);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  gst_cuda_stream_unref (stream);
  return pool;
}

static gboolean
fixture_init (Fixture *self, const Variant *variant)
{
  memset (self, 0, sizeof (*self));
  self->context = cuda_test_context (0);
  if (!self->context)
    return FALSE;
  self->pool = variant->foreign
      ? foreign_pool (self->context, &self->info)
      : cuda_test_pool (self->context, GST_VIDEO_FORMAT_NV12, WIDTH, HEIGHT,
            &self->info);
  self->buffer = cuda_test_acquire (self->pool);
  self->a = new_stream (self->context, variant->blocking);
  self->b = new_stream (self->context, variant->blocking);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  gst_clear_buffer (&self->buffer);
  cuda_test_assert_none_pushed ();
  cuda_test_pool_free (self->pool);
  gst_zc_stream_unref (self->a);
  gst_zc_stream_unref (self->b);
  gst_object_unref (self->context);
}

static void
write_value (Fixture *self, GstZcStream *stream, guint8 value)
{
  frame_test_write (self->buffer, &self->info, stream, value);
}

static guint8 *
read_queued (Fixture *self, GstZcStream *stream)
{
  return frame_test_read (self->buffer, &self->info, stream, WIDTH);
}

static void
expect_read (Fixture *self, GstZcStream *stream, guint8 value)
{
  frame_test_expect_on (stream, read_queued (self, stream), WIDTH, value);
}

static void
test_read_after_write (gconstpointer variant)
{
  Fixture self;

  if (!fixture_init (&self, variant))
    return;
  cuda_test_delay (self.a, DELAY_MS);
  write_value (&self, self.a, 0x5a);
  expect_read (&self, self.b, 0x5a);
  fixture_clear (&self);
}

static void
test_write_after_read (gconstpointer variant)
{
  Fixture self;
  guint8 *seen;

  if (!fixture_init (&self, variant))
    return;
  write_value (&self, self.a, 0x11);
  frame_test_synchronize (self.a);
  cuda_test_delay (self.b, DELAY_MS);
  seen = read_queued (&self, self.b);
  write_value (&self, self.a, 0x22);
  frame_test_synchronize (self.a);
  frame_test_expect_on (self.b, seen, WIDTH, 0x11);
  fixture_clear (&self);
}

static void
test_write_after_write (gconstpointer variant)
{
  Fixture self;

  if (!fixture_init (&self, variant))
    return;
  cuda_test_delay (self.a, DELAY_MS);
  write_value (&self, self.a, 0x33);
  write_value (&self, self.b, 0x44);
  frame_test_synchronize (self.b);
  frame_test_synchronize (self.a);
  expect_read (&self, self.b, 0x44);
  fixture_clear (&self);
}

/* The next user of a recycled buffer comes after the readers of the last. */
static void
test_recycled (gconstpointer variant)
{
  Fixture self;
  GstMemory *memory;
  guint8 *seen;

  if (!fixture_init (&self, variant))
    return;
  memory = gst_buffer_peek_memory (self.buffer, 0);
  write_value (&self, self.a, 0x11);
  frame_test_synchronize (self.a);
  cuda_test_delay (self.b, DELAY_MS);
  seen = read_queued (&self, self.b);
  gst_clear_buffer (&self.buffer);
  self.buffer = cuda_test_acquire (self.pool);
  if (!((const Variant *) variant)->foreign)
    g_assert_true (gst_buffer_peek_memory (self.buffer, 0) == memory);
  write_value (&self, self.a, 0x22);
  frame_test_synchronize (self.a);
  frame_test_expect_on (self.b, seen, WIDTH, 0x11);
  fixture_clear (&self);
}

/* Freed with work in flight, from a thread without a context (cases.md 18). */
static void
test_freed_while_read (gconstpointer variant)
{
  Fixture self;
  guint8 *seen;

  if (!fixture_init (&self, variant))
    return;
  write_value (&self, self.a, 0x11);
  cuda_test_delay (self.b, DELAY_MS);
  seen = read_queued (&self, self.b);
  gst_buffer_pool_set_active (self.pool, FALSE);
  cuda_test_unref_on_thread (g_steal_pointer (&self.buffer));
  frame_test_expect_on (self.b, seen, WIDTH, 0x11);
  fixture_clear (&self);
}

/* A CPU write leaves bytes that gst-cuda uploads in the next CUDA map: a write
 * on the memory's stream, which a reader of ours must come after. */
static void
test_cpu_write (gconstpointer variant)
{
  Fixture self;
  GstMapInfo cpu;

  if (!fixture_init (&self, variant))
    return;
  cuda_test_delay (self.a, DELAY_MS);
  write_value (&self, self.a, 0x11);
  g_assert_true (gst_buffer_map (self.buffer, &cpu, GST_MAP_READWRITE));
  g_assert_cmphex (cpu.data[0], ==, 0x11);
  memset (cpu.data, 0x77, cpu.size);
  gst_buffer_unmap (self.buffer, &cpu);
  expect_read (&self, self.b, 0x77);
  fixture_clear (&self);
}

/* What the CPU wrote last must not be uploaded over a later GPU write. */
static void
test_cpu_write_overwritten (gconstpointer variant)
{
  Fixture self;
  GstMapInfo cpu;

  if (!fixture_init (&self, variant))
    return;
  g_assert_true (gst_buffer_map (self.buffer, &cpu, GST_MAP_WRITE));
  memset (cpu.data, 0x77, cpu.size);
  gst_buffer_unmap (self.buffer, &cpu);
  write_value (&self, self.a, 0x12);
  expect_read (&self, self.b, 0x12);
  fixture_clear (&self);
}

/* An element that knows nothing of us works on the memory's own stream. */
static void
test_foreign_writer (gconstpointer variant)
{
  Fixture self;
  GstZcStream *bridge;
  GstZcImage image = { 0 };
  GstMapInfo cuda;
  guint8 *early, *seen;

  if (!fixture_init (&self, variant))
    return;
  bridge = frame_test_bridge (self.buffer);
  write_value (&self, self.a, 0x11);
  cuda_test_delay (self.b, DELAY_MS);
  early = read_queued (&self, self.b);

  g_assert_true (gst_buffer_map (self.buffer, &cuda,
      GST_MAP_WRITE | GST_MAP_CUDA));
  gst_zc_image_init (&image, GST_VIDEO_FORMAT_RGBA, WIDTH / 4, 1, 0,
      (guint64[4]) { (guintptr) cuda.data }, (gint64[4]) { WIDTH }, NULL);
  cuda_test_delay (bridge, DELAY_MS);
  cuda_test_fill (bridge, &image, 0x66);
  gst_buffer_unmap (self.buffer, &cuda);

  seen = read_queued (&self, self.a);
  frame_test_synchronize (self.a);
  frame_test_synchronize (self.b);
  frame_test_expect (early, WIDTH, 0x11);
  frame_test_expect (seen, WIDTH, 0x66);
  gst_zc_stream_unref (bridge);
  fixture_clear (&self);
}

static void
test_deep_copy (gconstpointer variant)
{
  Fixture self;
  GstBuffer *copy;

  if (!fixture_init (&self, variant))
    return;
  cuda_test_delay (self.a, DELAY_MS);
  write_value (&self, self.a, 0x21);
  copy = gst_buffer_copy_deep (self.buffer);
  g_assert_true (gst_buffer_peek_memory (copy, 0) !=
      gst_buffer_peek_memory (self.buffer, 0));
  write_value (&self, self.b, 0x43);
  gst_clear_buffer (&self.buffer);
  self.buffer = copy;
  expect_read (&self, self.a, 0x21);
  fixture_clear (&self);
}

static void
expect_refused (Fixture *self, GstBuffer *buffer, GstMapFlags flags,
    GstZcError code, const gchar *word)
{
  g_autoptr (GError) error = NULL;
  GstZcFrame frame;

  g_assert_false (gst_zc_frame_map (&frame, buffer, &self->info, flags, self->a,
      &error));
  frame_test_assert_refused (error, code, word);
  g_assert_null (frame.buffer);
  cuda_test_assert_none_pushed ();
}

static void
test_refused (gconstpointer variant)
{
  Fixture self;
  GstBuffer *other;
  GstMapInfo cuda;

  if (!fixture_init (&self, variant))
    return;

  other = gst_buffer_new_allocate (NULL, self.info.size, NULL);
  expect_refused (&self, other, GST_MAP_READ, GST_ZC_ERROR_NOT_CUDA,
      "zcupload");
  gst_buffer_unref (other);

  other = gst_buffer_new ();
  expect_refused (&self, other, GST_MAP_READ, GST_ZC_ERROR_LAYOUT, "memories");
  gst_buffer_unref (other);

  other = gst_buffer_ref (self.buffer);
  expect_refused (&self, other, GST_MAP_WRITE, GST_ZC_ERROR_NOT_WRITABLE,
      "buffer");
  gst_buffer_unref (other);

  other = gst_buffer_copy (self.buffer);
  expect_refused (&self, other, GST_MAP_WRITE, GST_ZC_ERROR_NOT_WRITABLE,
      "memory");
  gst_buffer_unref (other);

  g_assert_true (gst_buffer_map (self.buffer, &cuda,
      GST_MAP_WRITE | GST_MAP_CUDA));
  expect_refused (&self, self.buffer, GST_MAP_READ, GST_ZC_ERROR_STATE,
      "reading");
  gst_buffer_unmap (self.buffer, &cuda);
  fixture_clear (&self);
}

static void
test_layout_refused (gconstpointer variant)
{
  Fixture self;
  GstVideoMeta *meta;

  if (!fixture_init (&self, variant))
    return;
  meta = gst_buffer_get_video_meta (self.buffer);
  meta->stride[1] *= 64;
  expect_refused (&self, self.buffer, GST_MAP_READ, GST_ZC_ERROR_LAYOUT,
      "lane 1");
  fixture_clear (&self);
}

static void
test_unmap_twice (gconstpointer variant)
{
  Fixture self;
  GstZcFrame frame;
  g_autoptr (GError) error = NULL;

  if (!fixture_init (&self, variant))
    return;
  frame_test_map (&frame, self.buffer, &self.info, GST_MAP_READ, self.a);
  frame_test_unmap (&frame);
  g_assert_false (gst_zc_frame_unmap (&frame, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE);
  write_value (&self, self.a, 1);
  fixture_clear (&self);
}

/* Two cards (cases.md 21). */
static void
test_wrong_device (void)
{
  GstCudaContext *second = gst_zc_context_new (1, NULL);
  GstZcStream *own;
  Fixture self;

  if (!second) {
    g_test_skip ("one device only");
    return;
  }
  if (fixture_init (&self, &variants[0])) {
    own = self.a;
    self.a = frame_test_stream (second);
    expect_refused (&self, self.buffer, GST_MAP_READ, GST_ZC_ERROR_WRONG_DEVICE,
        "device 0");
    gst_zc_stream_unref (self.a);
    self.a = own;
    fixture_clear (&self);
  }
  gst_object_unref (second);
}

/* Without a meta the memory's own info says where the planes are (cases.md 44),
 * and chroma rows are rounded up before they are multiplied (cases.md 1). */
static void
test_layout_without_meta (void)
{
  Fixture self;
  GstZcFrame frame;
  GstVideoMeta *meta;
  gsize offset[GST_VIDEO_MAX_PLANES];

  if (!fixture_init (&self, &variants[0]))
    return;
  gst_buffer_unref (self.buffer);
  cuda_test_pool_free (self.pool);
  self.pool = cuda_test_pool (self.context, GST_VIDEO_FORMAT_I420, 321, 241,
      &self.info);
  self.buffer = cuda_test_acquire (self.pool);
  meta = gst_buffer_get_video_meta (self.buffer);
  memcpy (offset, meta->offset, sizeof (offset));
  GST_META_FLAG_UNSET (meta, GST_META_FLAG_LOCKED);
  g_assert_true (gst_buffer_remove_meta (self.buffer, GST_META_CAST (meta)));

  frame_test_map (&frame, self.buffer, &self.info, GST_MAP_READ, self.a);
  for (guint i = 1; i < 3; i++) {
    g_assert_cmpuint (frame.image.plane[i].data - frame.image.plane[0].data, ==,
        offset[i]);
    g_assert_cmpint (frame.image.plane[i].width, ==, 161);
    g_assert_cmpint (frame.image.plane[i].height, ==, 121);
  }
  frame_test_unmap (&frame);
  fixture_clear (&self);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

#define ADD(name, test) CUDA_TEST_ADD_ROWS ("/frame/" name, variants, test)
  ADD ("read-after-write", test_read_after_write);
  ADD ("write-after-read", test_write_after_read);
  ADD ("write-after-write", test_write_after_write);
  ADD ("recycled", test_recycled);
  ADD ("freed-while-read", test_freed_while_read);
  ADD ("cpu-write", test_cpu_write);
  ADD ("cpu-write-overwritten", test_cpu_write_overwritten);
  ADD ("foreign-writer", test_foreign_writer);
  ADD ("deep-copy", test_deep_copy);
  ADD ("refused", test_refused);
  ADD ("layout-refused", test_layout_refused);
  ADD ("unmap-twice", test_unmap_twice);
#undef ADD
  g_test_add_func ("/frame/wrong-device", test_wrong_device);
  g_test_add_func ("/frame/layout-without-meta", test_layout_without_meta);
  return g_test_run ();
}
