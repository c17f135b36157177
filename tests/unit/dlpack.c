/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Planes lent as DLPack tensors: what a tensor says, whom its consumer waits for,
 * how long it keeps the buffer. */

#include <gst/zc/gstzcdlpackabi.h>

#include "cudapanel.h"
#include "frametest.h"
#include "lentframe.h"
#include "testrows.h"

#define WIDTH 64
#define DELAY_MS 40
#define LEGACY 1
#define PER_THREAD 2

static gboolean
fixture_init (LentFrame *self)
{
  return lent_frame_init (self, 0, GST_VIDEO_FORMAT_NV12, WIDTH, 48);
}

static gpointer
export_plane (LentFrame *self, guint plane, GstZcDLPackFlags flags,
    gint64 stream)
{
  g_autoptr (GError) error = NULL;
  gpointer tensor = gst_zc_frame_export_dlpack (&self->frame,
      &self->frame.image.plane[plane], flags, stream, &error);

  g_assert_no_error (error);
  return tensor;
}

static void
delete_plain (ZcDLManagedTensor *tensor)
{
  tensor->deleter (tensor);
}

static void
delete_versioned (ZcDLManagedTensorVersioned *tensor)
{
  tensor->deleter (tensor);
}

/* What a tensor of each plane of a picture of 33x17 must say. */
typedef struct
{
  const gchar *name;
  GstVideoFormat format;
  struct
  {
    gint64 rows, elements, channels;
    guint bits;
  } plane[GST_ZC_MAX_PLANES];
} Shape;

static const Shape shapes[] = {
  { "NV12", GST_VIDEO_FORMAT_NV12, { { 17, 33, 1, 8 }, { 9, 17, 2, 8 } } },
  { "P010", GST_VIDEO_FORMAT_P010_10LE,
      { { 17, 33, 1, 16 }, { 9, 17, 2, 16 } } },
  { "I420", GST_VIDEO_FORMAT_I420,
      { { 17, 33, 1, 8 }, { 9, 17, 1, 8 }, { 9, 17, 1, 8 } } },
  { "RGBA", GST_VIDEO_FORMAT_RGBA, { { 17, 33, 4, 8 } } },
  { "RGB10A2", GST_VIDEO_FORMAT_RGB10A2_LE, { { 17, 33, 1, 32 } } },
};

static void
expect_tensor (const ZcDLTensor *tensor, const GstZcPlane *plane,
    const Shape *shape, guint index)
{
  const gint bytes = shape->plane[index].bits / 8;

  g_assert_cmphex ((guintptr) tensor->data, ==, plane->data);
  g_assert_cmpuint (tensor->byte_offset, ==, 0);
  g_assert_cmpint (tensor->device_type, ==, 2);
  g_assert_cmpint (tensor->device_id, ==, 0);
  g_assert_cmpint (tensor->ndim, ==, 3);
  g_assert_cmpint (tensor->shape[0], ==, shape->plane[index].rows);
  g_assert_cmpint (tensor->shape[1], ==, shape->plane[index].elements);
  g_assert_cmpint (tensor->shape[2], ==, shape->plane[index].channels);
  g_assert_cmpint (tensor->dtype.code, ==, 1);
  g_assert_cmpint (tensor->dtype.bits, ==, shape->plane[index].bits);
  g_assert_cmpint (tensor->dtype.lanes, ==, 1);
  g_assert_cmpint (tensor->strides[0] * bytes, ==, plane->row_stride);
  g_assert_cmpint (tensor->strides[1], ==, shape->plane[index].channels);
  g_assert_cmpint (tensor->strides[2], ==, 1);
}

static void
test_shape (gconstpointer data)
{
  const Shape *shape = data;
  LentFrame self;

  if (!lent_frame_init (&self, 0, shape->format, 33, 17))
    return;
  lent_frame_map (&self, GST_MAP_READ);
  for (guint i = 0; i < self.frame.image.n_planes; i++) {
    ZcDLManagedTensor *plain =
        export_plane (&self, i, GST_ZC_DLPACK_NONE, LEGACY);
    ZcDLManagedTensorVersioned *versioned =
        export_plane (&self, i, GST_ZC_DLPACK_VERSIONED, LEGACY);

    expect_tensor (&plain->dl_tensor, &self.frame.image.plane[i], shape, i);
    expect_tensor (&versioned->dl_tensor, &self.frame.image.plane[i], shape, i);
    g_assert_cmpuint (versioned->major, ==, 1);
    delete_plain (plain);
    delete_versioned (versioned);
  }
  lent_frame_unmap (&self);
  lent_frame_clear (&self);
}

static void
test_device (void)
{
  ZcDLManagedTensor *tensor;
  LentFrame self;

  if (!lent_frame_init (&self, 1, GST_VIDEO_FORMAT_RGBA, WIDTH, 48))
    return;
  lent_frame_map (&self, GST_MAP_READ);
  tensor = export_plane (&self, 0, GST_ZC_DLPACK_NONE, LEGACY);
  g_assert_cmpint (tensor->dl_tensor.device_id, ==, 1);
  delete_plain (tensor);
  lent_frame_unmap (&self);
  lent_frame_clear (&self);
}

static void
test_read_only (void)
{
  ZcDLManagedTensorVersioned *tensor;
  LentFrame self;

  if (!fixture_init (&self))
    return;
  lent_frame_map (&self, GST_MAP_READ);
  tensor = export_plane (&self, 0, GST_ZC_DLPACK_VERSIONED, LEGACY);
  g_assert_cmphex (tensor->flags, ==, 1);
  delete_versioned (tensor);
  lent_frame_unmap (&self);
  lent_frame_map (&self, GST_MAP_READWRITE);
  tensor = export_plane (&self, 0, GST_ZC_DLPACK_VERSIONED, LEGACY);
  g_assert_cmphex (tensor->flags, ==, 0);
  delete_versioned (tensor);
  lent_frame_unmap (&self);
  lent_frame_clear (&self);
}

static guint64
count_host_waits (void)
{
  const SoftcudaPanel *panel = softcuda_panel ();
  SoftcudaCounters counters = { 0 };

  if (panel)
    panel->get_counters (&counters);
  return counters.host_waits;
}

/* The consumer's stream: 1, 2 or one of its own (0). */
static GstZcStream *
consumer_new (LentFrame *self, guint handle)
{
  g_autoptr (GError) error = NULL;
  GstZcStream *stream = handle ? gst_zc_stream_new_borrowed (self->context,
                                     GUINT_TO_POINTER (handle), &error)
                               : frame_test_stream (self->context);

  g_assert_no_error (error);
  return stream;
}

/* The writer is late, the consumer reads on its stream, later still; it drops the
 * tensor before the unmap or after. */
static guint8 *
write_and_read (LentFrame *self, GstZcStream *consumer, guint8 value,
    gboolean keeps)
{
  ZcDLManagedTensor *tensor;
  guint8 *seen;

  lent_frame_write (self, DELAY_MS, value);
  lent_frame_map (self, GST_MAP_READ);
  tensor = export_plane (self, 0, GST_ZC_DLPACK_NONE,
      (gint64) (guintptr) gst_zc_stream_get_handle (consumer));
  cuda_test_delay (consumer, DELAY_MS);
  seen = cuda_test_read (consumer, &self->frame.image, WIDTH);
  if (!keeps)
    delete_plain (tensor);
  lent_frame_unmap (self);
  if (keeps)
    delete_plain (tensor);
  return seen;
}

/* The memory is written again meanwhile. Nobody waits on the host. */
static void
test_stream (gconstpointer data)
{
  GstZcStream *consumer;
  guint8 *first, *second;
  guint64 waits;
  LentFrame self;

  if (!fixture_init (&self))
    return;
  consumer = consumer_new (&self, GPOINTER_TO_UINT (data));
  waits = count_host_waits ();
  first = write_and_read (&self, consumer, 2, FALSE);
  second = write_and_read (&self, consumer, 3, TRUE);
  lent_frame_write (&self, 0, 4);
  g_assert_cmpuint (count_host_waits (), ==, waits);
  cuda_test_synchronize (self.context);
  frame_test_expect (first, WIDTH, 2);
  frame_test_expect (second, WIDTH, 3);
  gst_zc_stream_unref (consumer);
  lent_frame_clear (&self);
}

static void
test_no_wait (void)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  SoftcudaCounters before, after;
  LentFrame self;

  if (!panel || !fixture_init (&self))
    return;
  lent_frame_map (&self, GST_MAP_READ);
  panel->get_counters (&before);
  delete_plain (export_plane (&self, 0, GST_ZC_DLPACK_NONE,
      GST_ZC_DLPACK_NO_WAIT));
  panel->get_counters (&after);
  g_assert_cmpuint (after.event_waits, ==, before.event_waits);
  g_assert_cmpuint (after.events_recorded, ==, before.events_recorded);
  lent_frame_unmap (&self);
  lent_frame_clear (&self);
}

static void
expect_refused (LentFrame *self, const GstZcPlane *plane, gint64 stream,
    GstZcError code, const gchar *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (gst_zc_frame_export_dlpack (&self->frame, plane,
      GST_ZC_DLPACK_NONE, stream, &error));
  frame_test_assert_refused (error, code, text);
}

static void
test_refused (void)
{
  GstZcPlane odd;
  LentFrame self;

  if (!lent_frame_init (&self, 0, GST_VIDEO_FORMAT_P010_10LE, WIDTH, 48))
    return;
  lent_frame_map (&self, GST_MAP_READ);
  odd = self.frame.image.plane[0];
  expect_refused (&self, &odd, 0, GST_ZC_ERROR_UNSUPPORTED, "stream of 0");
  expect_refused (&self, &odd, -2, GST_ZC_ERROR_UNSUPPORTED, "stream of -2");
  odd.row_stride++;
  expect_refused (&self, &odd, LEGACY, GST_ZC_ERROR_LAYOUT, "strides");
  lent_frame_unmap (&self);
  expect_refused (&self, &odd, LEGACY, GST_ZC_ERROR_STATE, "not mapped");
  lent_frame_clear (&self);
}

static gpointer
delete_on_thread (gpointer tensor)
{
  delete_plain (tensor);
  return NULL;
}

/* Frame and buffer are gone; the tensor has the memory, and any thread may drop
 * it. */
static void
test_keeps_buffer (void)
{
  ZcDLManagedTensor *tensor;
  GstBuffer *kept;
  LentFrame self;

  if (!fixture_init (&self))
    return;
  kept = self.buffer;
  lent_frame_map (&self, GST_MAP_READ);
  tensor = export_plane (&self, 0, GST_ZC_DLPACK_NONE, PER_THREAD);
  lent_frame_unmap (&self);
  gst_buffer_unref (g_steal_pointer (&self.buffer));
  g_assert_cmpint (GST_MINI_OBJECT_REFCOUNT_VALUE (kept), ==, 1);
  self.buffer = cuda_test_acquire (self.pool);
  g_assert_true (self.buffer != kept);
  gst_buffer_unref (g_steal_pointer (&self.buffer));
  g_thread_join (g_thread_new ("consumer", delete_on_thread, tensor));
  lent_frame_clear (&self);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  CUDA_TEST_ADD_ROWS ("/dlpack/shape", shapes, test_shape);
  g_test_add_func ("/dlpack/device", test_device);
  g_test_add_func ("/dlpack/read-only", test_read_only);
  g_test_add_data_func ("/dlpack/stream/legacy", GUINT_TO_POINTER (LEGACY),
      test_stream);
  g_test_add_data_func ("/dlpack/stream/per-thread",
      GUINT_TO_POINTER (PER_THREAD), test_stream);
  g_test_add_data_func ("/dlpack/stream/handle", NULL, test_stream);
  g_test_add_func ("/dlpack/stream/no-wait", test_no_wait);
  g_test_add_func ("/dlpack/refused", test_refused);
  g_test_add_func ("/dlpack/keeps-buffer", test_keeps_buffer);
  return g_test_run ();
}
