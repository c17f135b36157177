/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* When foreign memory goes back to its owner: once, when the last user is gone
 * and its work is done, and never for a wrap that failed. */

#include <gst/cuda/gstcudamemory.h>

#include "cudapanel.h"
#include "foreignpicture.h"
#include "frametest.h"
#include "testrows.h"

#define DELAY_MS 60
#define PIXELS 0x11
#define REUSED 0xee

static const GstZcProducer no_producer = { GST_ZC_PRODUCER_NONE };

typedef struct
{
  GstCudaContext *context;
  ForeignPicture picture;
  GstVideoInfo info;
  GstZcStream *stream; /* of who uses the picture */
  GstZcStream *owner; /* of whom it belongs to */
  GstBuffer *buffer;
} Fixture;

static gboolean
fixture_init (Fixture *self, const ForeignLayout *layout)
{
  self->context = cuda_test_context (0);
  if (!self->context)
    return FALSE;
  foreign_picture_init (&self->picture, self->context, layout);
  foreign_picture_info (&self->picture, &self->info);
  foreign_picture_write_value (&self->picture, PIXELS);
  self->stream = frame_test_stream (self->context);
  self->owner = frame_test_stream (self->context);
  foreign_picture_reuse (&self->picture, self->owner, REUSED);
  self->buffer = foreign_picture_wrap (&self->picture, &no_producer);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  gst_clear_buffer (&self->buffer);
  foreign_picture_clear_told (&self->picture);
  gst_zc_stream_unref (self->owner);
  gst_zc_stream_unref (self->stream);
  gst_object_unref (self->context);
}

static void
drop (Fixture *self)
{
  gst_clear_buffer (&self->buffer);
  foreign_picture_wait_for_notify (&self->picture);
}

/* Some time after a drop. */
static void
expect_not_told (Fixture *self)
{
  g_usleep (2000);
  g_assert_cmpuint (self->picture.n_notify, ==, 0);
}

static gsize
row_bytes (Fixture *self)
{
  return gst_zc_plane_row_bytes (&self->picture.image.plane[0]);
}

static guint8 *
read_late (Fixture *self)
{
  cuda_test_delay (self->stream, DELAY_MS);
  return frame_test_read (self->buffer, &self->info, self->stream,
      row_bytes (self));
}

static guint8 *
read_planes (Fixture *self)
{
  return cuda_test_read (self->stream, &self->picture.image, row_bytes (self));
}

/* The last user lets go: what was queued before saw the pixels. */
static void
expect_seen (Fixture *self, guint8 *seen)
{
  drop (self);
  frame_test_expect_on (self->stream, seen, row_bytes (self), PIXELS);
}

static void
test_unused (gconstpointer layout)
{
  Fixture self;

  if (fixture_init (&self, layout))
    fixture_clear (&self);
}

static void
test_reader (gconstpointer layout)
{
  Fixture self;
  guint8 *seen;

  if (!fixture_init (&self, layout))
    return;
  seen = read_late (&self);
  expect_seen (&self, seen);
  fixture_clear (&self);
}

static void
test_reader_on_thread (gconstpointer layout)
{
  Fixture self;
  guint8 *seen;

  if (!fixture_init (&self, layout))
    return;
  seen = read_late (&self);
  cuda_test_unref_on_thread (g_steal_pointer (&self.buffer));
  expect_seen (&self, seen);
  fixture_clear (&self);
}

static void
test_writer (gconstpointer layout)
{
  Fixture self;

  if (!fixture_init (&self, layout))
    return;
  cuda_test_delay (self.stream, DELAY_MS);
  frame_test_write (self.buffer, &self.info, self.stream, 0x22);
  drop (&self);
  /* The owner's comes last. */
  frame_test_synchronize (self.stream);
  frame_test_expect_on (self.stream, read_planes (&self), row_bytes (&self),
      REUSED);
  fixture_clear (&self);
}

/* Outside a map, told by gst_zc_buffer_mark_read(). */
static void
test_marked (gconstpointer layout)
{
  g_autoptr (GError) error = NULL;
  Fixture self;
  guint8 *seen;

  if (!fixture_init (&self, layout))
    return;
  cuda_test_delay (self.stream, DELAY_MS);
  seen = read_planes (&self);
  gst_zc_buffer_mark_read (self.buffer, self.stream, &error);
  g_assert_no_error (error);
  expect_seen (&self, seen);
  fixture_clear (&self);
}

/* By an element that knows nothing of us, on a stream that it tells nobody. */
static void
test_unknown_reader (gconstpointer layout)
{
  Fixture self;
  guint8 *seen;

  if (!fixture_init (&self, layout))
    return;
  cuda_test_delay (self.stream, DELAY_MS);
  for (guint i = 0; i < gst_buffer_n_memory (self.buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (self.buffer, i);
    GstMapInfo map;

    g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ | GST_MAP_CUDA));
    gst_memory_unmap (memory, &map);
  }
  seen = read_planes (&self);
  expect_seen (&self, seen);
  fixture_clear (&self);
}

/* A producer that is still at work when the buffer is dropped unused. */
static void
test_producer_at_work (gconstpointer layout)
{
  GstZcProducer producer = { GST_ZC_PRODUCER_STREAM };
  Fixture self;

  if (!fixture_init (&self, layout))
    return;
  drop (&self);
  self.picture.n_notify = 0;

  cuda_test_delay (self.stream, DELAY_MS);
  cuda_test_fill (self.stream, &self.picture.image, PIXELS);
  producer.handle = gst_zc_stream_get_handle (self.stream);
  self.buffer = foreign_picture_wrap (&self.picture, &producer);
  fixture_clear (&self);
}

/* One of the memories outlives the buffer. */
static void
test_last_memory (gconstpointer layout)
{
  GstMemory *memory;
  Fixture self;

  if (!fixture_init (&self, layout))
    return;
  memory = gst_memory_ref (gst_buffer_peek_memory (self.buffer,
      gst_buffer_n_memory (self.buffer) - 1));
  gst_clear_buffer (&self.buffer);
  expect_not_told (&self);
  gst_memory_unref (memory);
  fixture_clear (&self);
}

/* A copy that shares the memory keeps it; a deep one does not. */
static void
test_copies (gconstpointer layout)
{
  GstBuffer *deep, *shallow;
  Fixture self;

  if (!fixture_init (&self, layout))
    return;
  shallow = gst_buffer_copy (self.buffer);
  deep = gst_buffer_copy_deep (self.buffer);
  gst_clear_buffer (&self.buffer);
  expect_not_told (&self);
  gst_buffer_unref (shallow);
  foreign_picture_wait_for_notify (&self.picture);
  gst_buffer_unref (deep);
  fixture_clear (&self);
}

static void
test_no_notify (gconstpointer layout)
{
  g_autoptr (GError) error = NULL;
  Fixture self;
  GstBuffer *buffer;

  if (!fixture_init (&self, layout))
    return;
  buffer = gst_zc_buffer_new_wrapped (self.context, &self.picture.image,
      &no_producer, NULL, NULL, &error);
  g_assert_no_error (error);
  gst_buffer_unref (buffer);
  fixture_clear (&self);
}

/* A wrap that fails in its middle gives the picture back and leaves nothing. */
static void
test_failed (gconstpointer data)
{
  const gchar *call = data;
  const SoftcudaPanel *panel = cuda_test_panel ();
  GstZcProducer producer = { GST_ZC_PRODUCER_STREAM };
  SoftcudaOutstanding before, after;
  Fixture self;

  if (!panel || !fixture_init (&self, &foreign_two))
    return;
  producer.handle = gst_zc_stream_get_handle (self.stream);
  drop (&self);

  panel->get_outstanding (&before);
  for (guint nth = 1;; nth++) {
    g_autoptr (GError) error = NULL;

    self.picture.n_notify = 0;
    panel->fail (call, nth, 999, FALSE);
    self.buffer = gst_zc_buffer_new_wrapped (self.context, &self.picture.image,
        &producer, &self.picture, foreign_picture_notify, &error);
    panel->fail_clear ();
    if (self.buffer)
      break;
    g_assert_nonnull (error);
    g_assert_cmpuint (nth, <, 10);
    cuda_test_assert_none_pushed ();
    foreign_picture_wait_for_notify (&self.picture);
    g_assert_cmpuint (self.picture.n_notify, ==, 1);
  }
  panel->drain ();
  panel->get_outstanding (&after);
  g_assert_cmpuint (after.streams, ==, before.streams);
  g_assert_cmpuint (after.device_allocations, ==, before.device_allocations);
  expect_not_told (&self);
  fixture_clear (&self);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

#define ADD(name, test)                                                        \
  CUDA_TEST_ADD_ROWS ("/foreign-notify/" name, foreign_both, test)
  ADD ("unused", test_unused);
  ADD ("reader", test_reader);
  ADD ("reader-on-thread", test_reader_on_thread);
  ADD ("writer", test_writer);
  ADD ("marked", test_marked);
  ADD ("unknown-reader", test_unknown_reader);
  ADD ("producer-at-work", test_producer_at_work);
  ADD ("last-memory", test_last_memory);
  ADD ("copies", test_copies);
  ADD ("no-notify", test_no_notify);
#undef ADD
  g_test_add_data_func ("/foreign-notify/failed/record", "cuEventRecord",
      test_failed);
  g_test_add_data_func ("/foreign-notify/failed/wait", "cuStreamWaitEvent",
      test_failed);
  g_test_add_data_func ("/foreign-notify/failed/range",
      "cuMemGetAddressRange_v2", test_failed);
  g_test_add_data_func ("/foreign-notify/failed/id", "cuStreamGetId",
      test_failed);
  return g_test_run ();
}
