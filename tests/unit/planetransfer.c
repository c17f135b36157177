/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Single planes copied between host and device, and streams that wait for a
 * producer without a buffer. */

#include <string.h>

#include "cudapanel.h"
#include "foreignpicture.h"
#include "frametest.h"
#include "testrows.h"

#define WIDTH 64
#define HEIGHT 48
#define PITCH 80
#define DELAY_MS 40

typedef struct
{
  GstCudaContext *context;
  ForeignPicture picture;
  GstZcStream *stream;
} Fixture;

static gboolean
fixture_init (Fixture *self)
{
  self->context = cuda_test_context (0);
  if (!self->context)
    return FALSE;
  foreign_picture_init (&self->picture, self->context, &foreign_one);
  self->stream = frame_test_stream (self->context);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  cuda_test_assert_none_pushed ();
  foreign_picture_clear (&self->picture);
  gst_zc_stream_unref (self->stream);
  gst_object_unref (self->context);
}

static GstZcPlane *
luma (Fixture *self)
{
  return &self->picture.image.plane[0];
}

/* Rows alone, whatever the strides of the two sides; the host may change its
 * side at once. */
static void
test_round_trip (void)
{
  enum
  {
    SENT = 70,
    GOT = 67
  }; /* bytes a row */
  guint8 sent[HEIGHT * SENT], got[HEIGHT * GOT];
  g_autoptr (GError) error = NULL;
  Fixture self;

  if (!fixture_init (&self))
    return;
  for (guint i = 0; i < sizeof sent; i++)
    sent[i] = i % 251;
  memset (got, 0xa5, sizeof got);
  cuda_test_delay (self.stream, DELAY_MS);
  gst_zc_plane_upload (luma (&self), sent, SENT, self.stream, &error);
  g_assert_no_error (error);
  gst_zc_plane_download (luma (&self), got, GOT, self.stream, &error);
  g_assert_no_error (error);
  for (gint y = 0; y < HEIGHT; y++) {
    g_assert_cmpmem (got + y * GOT, WIDTH, sent + y * SENT, WIDTH);
    g_assert_cmphex (got[y * GOT + WIDTH], ==, 0xa5);
  }
  fixture_clear (&self);
}

typedef struct
{
  const gchar *name;
  void (*spoil) (GstZcPlane *plane, gsize *row_stride);
  GstZcError code;
} Bad;

static guint8 host_rows[HEIGHT * PITCH];

static void
spoil_host_stride (GstZcPlane *plane, gsize *row_stride)
{
  *row_stride = WIDTH - 1;
}

static void
spoil_stride (GstZcPlane *plane, gsize *row_stride)
{
  plane->row_stride = WIDTH - 1;
}

static void
spoil_sign (GstZcPlane *plane, gsize *row_stride)
{
  plane->row_stride = -PITCH;
}

static void
spoil_gaps (GstZcPlane *plane, gsize *row_stride)
{
  plane->pixel_stride = 2;
  plane->width = 8;
}

static void
spoil_height (GstZcPlane *plane, gsize *row_stride)
{
  plane->height = 73;
}

static void
spoil_address (GstZcPlane *plane, gsize *row_stride)
{
  plane->data = (guintptr) host_rows;
}

static const Bad bad[] = {
  { "host-stride", spoil_host_stride, GST_ZC_ERROR_LAYOUT },
  { "stride", spoil_stride, GST_ZC_ERROR_LAYOUT },
  { "bottom-up", spoil_sign, GST_ZC_ERROR_LAYOUT },
  { "gaps", spoil_gaps, GST_ZC_ERROR_LAYOUT },
  { "past-the-end", spoil_height, GST_ZC_ERROR_LAYOUT },
  { "host-address", spoil_address, GST_ZC_ERROR_LAYOUT },
};

static void
test_bad (gconstpointer data)
{
  const Bad *row = data;
  g_autoptr (GError) error = NULL;
  gsize row_stride = PITCH;
  GstZcPlane plane;
  Fixture self;

  if (!fixture_init (&self))
    return;
  plane = *luma (&self);
  row->spoil (&plane, &row_stride);
  g_assert_false (gst_zc_plane_upload (&plane, host_rows, row_stride,
      self.stream, &error));
  frame_test_expect_error (&error, row->code);
  g_assert_false (gst_zc_plane_download (&plane, host_rows, row_stride,
      self.stream, &error));
  frame_test_expect_error (&error, row->code);
  fixture_clear (&self);
}

typedef enum
{
  BY_STREAM,
  BY_EVENT,
  BY_HANDLE,
  BY_SENTINEL,
  BY_LEGACY
} How;

/* What @writer wrote, as it is told. */
static GstZcProducer
producer_of (How how, GstZcStream *writer, gpointer event)
{
  gpointer handle = gst_zc_stream_get_handle (writer);

  switch (how) {
    case BY_STREAM:
      return (GstZcProducer) { GST_ZC_PRODUCER_STREAM, handle };
    case BY_EVENT:
      return (GstZcProducer) { GST_ZC_PRODUCER_EVENT, event };
    case BY_HANDLE:
      return (GstZcProducer) { GST_ZC_PRODUCER_CAI, NULL,
        (gint64) (guintptr) handle };
    case BY_SENTINEL:
      return (GstZcProducer) { GST_ZC_PRODUCER_CAI, NULL, 2 };
    default:
      return (GstZcProducer) { GST_ZC_PRODUCER_CAI, NULL,
        GST_ZC_CAI_NO_STREAM };
  }
}

static void
expect_written (Fixture *self, How how)
{
  GstZcStream *writer = how == BY_LEGACY
      ? gst_zc_stream_new_borrowed (self->context, NULL, NULL)
      : frame_test_stream (self->context);
  g_autoptr (GError) error = NULL;
  GstZcProducer producer;
  guint8 rows[HEIGHT * PITCH];
  gpointer event;

  foreign_picture_write_value (&self->picture, 1);
  cuda_test_delay (writer, DELAY_MS);
  cuda_test_fill (writer, &self->picture.image, 2);
  event = cuda_test_event_new (writer);
  producer = producer_of (how, writer, event);
  gst_zc_stream_wait_producer (self->stream, &producer, &error);
  g_assert_no_error (error);
  gst_zc_plane_download (luma (self), rows, PITCH, self->stream, &error);
  g_assert_no_error (error);
  g_assert_cmphex (rows[0], ==, 2);
  cuda_test_event_free (self->context, event);
  gst_zc_stream_unref (writer);
}

static void
test_producer (gconstpointer data)
{
  const SoftcudaPanel *panel = softcuda_panel ();
  How how = GPOINTER_TO_UINT (data);
  Fixture self;

  if (!fixture_init (&self))
    return;
  expect_written (&self, how);
  /* Without an event for a context, as on old drivers. */
  if (panel && how == BY_SENTINEL) {
    panel->fail ("cuCtxRecordEvent", 0, 801, 0);
    expect_written (&self, how);
    panel->fail_clear ();
  }
  fixture_clear (&self);
}

static void
test_no_producer (void)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  const GstZcProducer none = { GST_ZC_PRODUCER_NONE },
                      odd = { GST_ZC_PRODUCER_CAI, NULL, -7 };
  SoftcudaCounters before, after;
  g_autoptr (GError) error = NULL;
  Fixture self;

  if (!panel || !fixture_init (&self))
    return;
  panel->get_counters (&before);
  g_assert_true (gst_zc_stream_wait_producer (self.stream, &none, &error));
  panel->get_counters (&after);
  g_assert_cmpuint (after.event_waits, ==, before.event_waits);
  g_assert_false (gst_zc_stream_wait_producer (self.stream, &odd, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED);
  fixture_clear (&self);
}

/* Of either device, whatever context is current. */
static void
test_device (gconstpointer data)
{
  guint ordinal = GPOINTER_TO_UINT (data);
  GstCudaContext *context = cuda_test_context (ordinal);
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer, *host;
  GstBufferPool *pool;
  GstVideoInfo info;
  guint64 address;
  gint device = -1;

  if (!context)
    return;
  address = cuda_test_alloc (context, 4096);
  g_assert_true (gst_zc_address_get_device (address + 4095, &device, &error));
  g_assert_cmpint (device, ==, ordinal);
  g_assert_false (gst_zc_address_get_device ((guintptr) host_rows, &device,
      &error));
  frame_test_expect_error (&error, GST_ZC_ERROR_LAYOUT);
  pool = cuda_test_pool (context, GST_VIDEO_FORMAT_RGBA, 64, 48, &info);
  buffer = cuda_test_acquire (pool);
  device = -1;
  g_assert_true (gst_zc_buffer_get_device (buffer, &device, &error));
  g_assert_cmpint (device, ==, ordinal);
  host = gst_buffer_new_allocate (NULL, 4096, NULL);
  g_assert_false (gst_zc_buffer_get_device (host, &device, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NOT_CUDA);
  gst_buffer_unref (host);
  gst_buffer_unref (buffer);
  cuda_test_pool_free (pool);
  cuda_test_free (context, address);
  gst_object_unref (context);
}

int
main (int argc, char **argv)
{
  static const gchar *const how[] = { "stream", "event", "cai-handle",
    "cai-sentinel", "cai-no-stream" };

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/plane-transfer/round-trip", test_round_trip);
  CUDA_TEST_ADD_ROWS ("/plane-transfer/bad", bad, test_bad);
  for (guint i = 0; i < G_N_ELEMENTS (how); i++) {
    g_autofree gchar *path =
        g_strdup_printf ("/plane-transfer/producer/%s", how[i]);

    g_test_add_data_func (path, GUINT_TO_POINTER (i), test_producer);
  }
  g_test_add_func ("/plane-transfer/no-producer", test_no_producer);
  g_test_add_data_func ("/plane-transfer/device/0", GUINT_TO_POINTER (0),
      test_device);
  g_test_add_data_func ("/plane-transfer/device/1", GUINT_TO_POINTER (1),
      test_device);
  return g_test_run ();
}
