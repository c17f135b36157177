/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The stream that an array names: who waits for it sees the pixels, wherever
 * they were written. cases.md 47, 55, 57. */

#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/gstzcstream-private.h>
#include <string.h>

#include "cudapanel.h"
#include "frametest.h"

#define WIDTH 64
#define HEIGHT 48
#define DELAY_MS 40
#define OLD 0x11
#define NEW 0x22

/* A buffer in @context, and other software in the primary one. */
typedef struct
{
  GstCudaContext *primary;
  GstCudaContext *context;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstZcStream *writer;
  GstZcStream *guest;
} Fixture;

static void
write_on (Fixture *self, GstZcStream *stream, guint8 value, guint delay)
{
  if (delay)
    cuda_test_delay (stream, delay);
  frame_test_write (self->buffer, &self->info, stream, value);
}

static gboolean
fixture_init_on (Fixture *self, guint device, gboolean in_private)
{
  memset (self, 0, sizeof (*self));
  self->primary = cuda_test_context (device);
  if (!self->primary)
    return FALSE;
  self->context = in_private ? gst_cuda_context_new (device)
                             : gst_object_ref (self->primary);
  self->pool = cuda_test_pool (self->context, GST_VIDEO_FORMAT_NV12, WIDTH,
      HEIGHT, &self->info);
  self->buffer = cuda_test_acquire (self->pool);
  self->writer = frame_test_stream (self->context);
  self->guest = frame_test_stream (self->primary);
  write_on (self, self->writer, OLD, 0);
  frame_test_synchronize (self->writer);
  return TRUE;
}

static gboolean
fixture_init (Fixture *self, gconstpointer in_private)
{
  return fixture_init_on (self, 0, GPOINTER_TO_INT (in_private));
}

static void
fixture_clear (Fixture *self)
{
  gst_clear_buffer (&self->buffer);
  cuda_test_assert_none_pushed ();
  gst_buffer_pool_set_active (self->pool, FALSE);
  gst_object_unref (self->pool);
  g_clear_pointer (&self->writer, gst_zc_stream_unref);
  gst_zc_stream_unref (self->guest);
  gst_object_unref (self->context);
  gst_object_unref (self->primary);
}

static GstZcArray *
get_array (Fixture *self, GstMapFlags flags, GstZcArraySync sync)
{
  g_autoptr (GError) error = NULL;
  GstZcArray *array = gst_zc_buffer_get_array (self->buffer, &self->info, 0,
      flags, sync, &error);

  g_assert_no_error (error);
  g_assert_cmpint (array->read_only, ==, !(flags & GST_MAP_WRITE));
  return array;
}

/* As CuPy does with a number that it is given. */
static void
wait_for_array (Fixture *self, const GstZcArray *array)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstZcStream) named = NULL;

  if (array->cai_stream == GST_ZC_CAI_NONE)
    return;
  named = gst_zc_stream_new_borrowed (self->primary,
      (gpointer) (guintptr) array->cai_stream, &error);
  g_assert_no_error (error);
  zc_stream_key_wait_tail (&self->guest->key, &named->key, &error);
  g_assert_no_error (error);
}

static GstZcPlane
plane_of (const GstZcArray *array)
{
  return (GstZcPlane) { array->data, array->strides[0], 1, WIDTH, HEIGHT, 1,
    1 };
}

static guint8 *
read_array (Fixture *self, const GstZcArray *array)
{
  GstZcPlane plane = plane_of (array);
  guint8 *bytes = cuda_test_alloc_pinned (self->primary, WIDTH * HEIGHT);
  g_autoptr (GError) error = NULL;

  wait_for_array (self, array);
  cuda_test_read_rows (self->guest, &plane, bytes);
  gst_zc_buffer_mark_read (self->buffer, self->guest, &error);
  g_assert_no_error (error);
  return bytes;
}

static void
expect (Fixture *self, guint8 *bytes, guint8 value)
{
  frame_test_synchronize (self->guest);
  for (gint i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmphex (bytes[i], ==, value);
  cuda_test_free_pinned (bytes);
}

static void
expect_read (Fixture *self, const GstZcArray *array, guint8 value)
{
  expect (self, read_array (self, array), value);
}

/* The handle is of the context of who gets it. */
static void
assert_stream_of_primary (Fixture *self, const GstZcArray *array)
{
  g_assert_true (gst_zc_context_same (gst_zc_stream_get_context (array->stream),
      self->primary));
  g_assert_true (array->cai_stream ==
      (gint64) (guintptr) gst_zc_stream_get_handle (array->stream));
}

/* The working stream of who wrote. */
static void
test_writer (void)
{
  g_autoptr (GstZcArray) array = NULL;
  Fixture self;

  if (!fixture_init (&self, NULL))
    return;
  write_on (&self, self.writer, NEW, DELAY_MS);
  array = get_array (&self, GST_MAP_READ, GST_ZC_ARRAY_SYNC_NONE);
  g_assert_true (array->stream == self.writer);
  assert_stream_of_primary (&self, array);
  expect_read (&self, array, NEW);
  fixture_clear (&self);
}

/* It is gone, or another context's: one that waited for it. */
static void
test_writer_gone (gconstpointer in_private)
{
  g_autoptr (GstZcArray) array = NULL;
  Fixture self;

  if (!fixture_init (&self, in_private))
    return;
  write_on (&self, self.writer, NEW, DELAY_MS);
  g_clear_pointer (&self.writer, gst_zc_stream_unref);
  array = get_array (&self, GST_MAP_READ, GST_ZC_ARRAY_SYNC_NONE);
  assert_stream_of_primary (&self, array);
  expect_read (&self, array, NEW);
  g_clear_pointer (&array, gst_zc_array_free);
  fixture_clear (&self);
}

static void
test_other_context (void)
{
  g_autoptr (GstZcArray) array = NULL;
  Fixture self;

  if (!fixture_init (&self, GINT_TO_POINTER (TRUE)))
    return;
  write_on (&self, self.writer, NEW, DELAY_MS);
  array = get_array (&self, GST_MAP_READ, GST_ZC_ARRAY_SYNC_NONE);
  assert_stream_of_primary (&self, array);
  expect_read (&self, array, NEW);
  fixture_clear (&self);
}

/* The legacy stream has a number of its own there. */
static void
test_legacy (void)
{
  g_autoptr (GstZcStream) legacy = NULL;
  g_autoptr (GstZcArray) array = NULL;
  Fixture self;

  if (!fixture_init (&self, NULL))
    return;
  legacy = gst_zc_stream_new_borrowed (self.primary, NULL, NULL);
  write_on (&self, legacy, NEW, DELAY_MS);
  array = get_array (&self, GST_MAP_READ, GST_ZC_ARRAY_SYNC_NONE);
  g_assert_true (array->cai_stream == 1);
  expect_read (&self, array, NEW);
  g_clear_pointer (&array, gst_zc_array_free);
  fixture_clear (&self);
}

/* Elements that know nothing of us write on the memory's own stream. */
static void
test_foreign_memory (gconstpointer in_private)
{
  g_autoptr (GstZcArray) array = NULL;
  g_autoptr (GError) error = NULL;
  GstCudaStream *bridge;
  GstMemory *memory;
  Fixture self;

  if (!fixture_init (&self, in_private))
    return;
  bridge = gst_cuda_stream_new (self.context);
  memory = gst_cuda_allocator_alloc (NULL, self.context, bridge, &self.info);
  gst_clear_buffer (&self.buffer);
  self.buffer = gst_buffer_new ();
  gst_buffer_append_memory (self.buffer, memory);
  write_on (&self, self.writer, NEW, DELAY_MS);
  array = get_array (&self, GST_MAP_READ, GST_ZC_ARRAY_SYNC_NONE);
  assert_stream_of_primary (&self, array);
  expect_read (&self, array, NEW);
  g_clear_pointer (&array, gst_zc_array_free);
  gst_clear_cuda_stream (&bridge);
  fixture_clear (&self);
}

static guint64
host_waits (const SoftcudaPanel *panel)
{
  SoftcudaCounters counters;

  panel->get_counters (&counters);
  return counters.host_waits;
}

/* No wait to name a stream, one to name none. */
static void
test_host_waits (gconstpointer in_private)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  g_autoptr (GstZcArray) stream = NULL;
  g_autoptr (GstZcArray) host = NULL;
  Fixture self;

  if (!panel || !fixture_init (&self, in_private))
    return;
  write_on (&self, self.writer, NEW, DELAY_MS);
  panel->reset_counters ();
  stream = get_array (&self, GST_MAP_READ, GST_ZC_ARRAY_SYNC_NONE);
  g_assert_cmpuint (host_waits (panel), ==, 0);
  host = get_array (&self, GST_MAP_READ, GST_ZC_ARRAY_SYNC_HOST);
  g_assert_cmpuint (host_waits (panel), ==, 1);
  fixture_clear (&self);
}

/* Who does not look at the stream sees the pixels, too. */
static void
test_host_sync (gconstpointer in_private)
{
  g_autoptr (GstZcArray) array = NULL;
  Fixture self;

  if (!fixture_init (&self, in_private))
    return;
  write_on (&self, self.writer, NEW, DELAY_MS);
  array = get_array (&self, GST_MAP_READ, GST_ZC_ARRAY_SYNC_HOST);
  g_assert_true (array->cai_stream == GST_ZC_CAI_NONE);
  g_assert_null (array->stream);
  expect_read (&self, array, NEW);
  fixture_clear (&self);
}

static void
fill_array (Fixture *self, const GstZcArray *array, guint8 value)
{
  GstZcImage image = { .n_planes = 1, .plane = { plane_of (array) } };

  wait_for_array (self, array);
  cuda_test_fill (self->guest, &image, value);
}

static guint8 *
read_on (Fixture *self, GstZcStream *stream)
{
  g_autoptr (GError) error = NULL;
  GstZcFrame frame;
  guint8 *bytes = cuda_test_alloc_pinned (self->context, WIDTH * HEIGHT);

  gst_zc_frame_map (&frame, self->buffer, &self->info, GST_MAP_READ, stream,
      &error);
  g_assert_no_error (error);
  cuda_test_read_rows (stream, &frame.image.plane[0], bytes);
  gst_zc_frame_unmap (&frame, &error);
  g_assert_no_error (error);
  return bytes;
}

/* A consumer that writes comes after all who read, and later ones after it. */
static void
test_write (gconstpointer in_private)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstZcArray) array = NULL;
  guint8 *before, *after;
  Fixture self;

  if (!fixture_init (&self, in_private))
    return;
  cuda_test_delay (self.writer, DELAY_MS);
  before = read_on (&self, self.writer);
  array = get_array (&self, GST_MAP_READWRITE, GST_ZC_ARRAY_SYNC_NONE);
  assert_stream_of_primary (&self, array);
  /* Its writer does not wait for others' reads because of that. */
  g_assert_true (array->stream != self.writer);
  cuda_test_delay (self.guest, DELAY_MS);
  fill_array (&self, array, NEW);
  gst_zc_buffer_mark_written (self.buffer, self.guest, &error);
  g_assert_no_error (error);
  after = read_on (&self, self.writer);
  frame_test_synchronize (self.writer);
  expect (&self, before, OLD);
  expect (&self, after, NEW);
  fixture_clear (&self);
}

/* One that tells nobody lends the frame: what it has queued anywhere in its
 * context counts. */
static void
test_lent (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstZcArray) array = NULL;
  g_autoptr (GstZcStream) waited = NULL;
  g_autoptr (GstZcLoan) loan = NULL;
  GstZcFrame frame;
  Fixture self;
  guint8 *seen;

  if (!fixture_init (&self, NULL))
    return;
  waited = frame_test_stream (self.primary);
  gst_zc_frame_map (&frame, self.buffer, &self.info, GST_MAP_WRITE, waited,
      &error);
  g_assert_no_error (error);
  loan = gst_zc_frame_lend (&frame, FALSE, &error);
  array = gst_zc_frame_get_array (&frame, 0, &error);
  g_assert_no_error (error);
  g_assert_true (array->stream == waited && !array->read_only);
  cuda_test_delay (self.guest, DELAY_MS);
  fill_array (&self, array, NEW);
  g_clear_pointer (&loan, gst_zc_loan_unref);
  gst_zc_frame_unmap (&frame, &error);
  g_assert_no_error (error);
  seen = read_on (&self, self.writer);
  frame_test_synchronize (self.writer);
  expect (&self, seen, NEW);
  g_assert_null (gst_zc_frame_get_array (&frame, 0, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE);
  fixture_clear (&self);
}

static void
expect_refused (GstBuffer *buffer, const GstVideoInfo *info, gint plane,
    GstMapFlags flags, GstZcError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gst_zc_buffer_get_array (buffer, info, plane, flags,
      GST_ZC_ARRAY_SYNC_NONE, &error));
  g_assert_error (error, GST_ZC_ERROR, (gint) code);
  cuda_test_assert_none_pushed ();
}

static void
test_refused (void)
{
  g_autoptr (GstBuffer) empty = gst_buffer_new ();
  g_autoptr (GstBuffer) host = gst_buffer_new_allocate (NULL, 1 << 14, NULL);
  GstVideoInfo larger;
  Fixture self;

  if (!fixture_init (&self, NULL))
    return;
  expect_refused (empty, &self.info, 0, GST_MAP_READ, GST_ZC_ERROR_LAYOUT);
  expect_refused (host, &self.info, 0, GST_MAP_READ, GST_ZC_ERROR_NOT_CUDA);
  expect_refused (self.buffer, &self.info, 2, GST_MAP_READ,
      GST_ZC_ERROR_LAYOUT);
  gst_video_info_set_format (&larger, GST_VIDEO_FORMAT_NV12, 2 * WIDTH, HEIGHT);
  expect_refused (self.buffer, &larger, 0, GST_MAP_READ, GST_ZC_ERROR_LAYOUT);
  gst_buffer_ref (self.buffer);
  expect_refused (self.buffer, &self.info, 0, GST_MAP_READWRITE,
      GST_ZC_ERROR_NOT_WRITABLE);
  gst_buffer_unref (self.buffer);
  fixture_clear (&self);
}

/* Of the device that the memory is on. */
static void
test_second_device (void)
{
  g_autoptr (GstZcArray) array = NULL;
  Fixture self;

  if (!fixture_init_on (&self, 1, FALSE))
    return;
  write_on (&self, self.writer, NEW, DELAY_MS);
  array = get_array (&self, GST_MAP_READWRITE, GST_ZC_ARRAY_SYNC_NONE);
  g_assert_cmpint (array->device, ==, 1);
  assert_stream_of_primary (&self, array);
  expect_read (&self, array, NEW);
  fixture_clear (&self);
}

static void
add (const gchar *name, GTestDataFunc test)
{
  g_autofree gchar *in_primary =
      g_strdup_printf ("/array-export/%s/primary", name);
  g_autofree gchar *in_private =
      g_strdup_printf ("/array-export/%s/private", name);

  g_test_add_data_func (in_primary, GINT_TO_POINTER (FALSE), test);
  g_test_add_data_func (in_private, GINT_TO_POINTER (TRUE), test);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

  g_test_add_func ("/array-export/writer", test_writer);
  g_test_add_func ("/array-export/other-context", test_other_context);
  add ("writer-gone", test_writer_gone);
  g_test_add_func ("/array-export/legacy", test_legacy);
  add ("foreign-memory", test_foreign_memory);
  add ("host-waits", test_host_waits);
  add ("host-sync", test_host_sync);
  add ("write", test_write);
  g_test_add_func ("/array-export/lent", test_lent);
  g_test_add_func ("/array-export/refused", test_refused);
  g_test_add_func ("/array-export/second-device", test_second_device);
  return g_test_run ();
}
