/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Foreign pictures that a GstVideoMeta can't describe, or must not: bottom-up,
 * read-only, overlapping, in host memory, already freed. */

#include <gst/cuda/gstcudamemory.h>
#include <string.h>

#include "cudapanel.h"
#include "foreignconsumer.h"
#include "frametest.h"
#include "testrows.h"

#define DELAY_MS 40
#define REUSED 0xee

static const GstZcProducer no_producer = { GST_ZC_PRODUCER_NONE };
static const GstZcProducer read_only = { GST_ZC_PRODUCER_NONE,
  .read_only = TRUE };

/* name, format, width, height, offsets, strides, bytes, split, memories */
static const ForeignLayout layouts[] = {
  { "nv12", GST_VIDEO_FORMAT_NV12, 62, 46, { 512, 512 + 128 * 64 },
      { 128, 128 }, 128 * 100, FALSE, 1 },
  { "i420-odd", GST_VIDEO_FORMAT_I420, 33, 17, { 3, 1000, 1500 },
      { 37, 19, 21 }, 2000, FALSE, 1 },
  { "rgb-odd", GST_VIDEO_FORMAT_RGB, 31, 17, { 5 }, { 101 }, 101 * 18, FALSE,
      1 },
  { "bgra", GST_VIDEO_FORMAT_BGRA, 30, 20, { 0 }, { 120 }, 120 * 20, FALSE, 1 },
  { "yuy2-odd", GST_VIDEO_FORMAT_YUY2, 31, 5, { 0 }, { 64 }, 64 * 5, FALSE, 1 },
  { "p010-split", GST_VIDEO_FORMAT_P010_10LE, 34, 18, { 0, 64 }, { 80, 96 },
      96 * 20, TRUE, 2 },
};

typedef struct
{
  GstCudaContext *context;
  ForeignPicture picture;
  GstVideoInfo info;
  RefFrame frame;
  GstZcStream *owner;
} Fixture;

static gboolean
fixture_init (Fixture *self, const ForeignLayout *layout)
{
  self->context = cuda_test_context (0);
  if (!self->context)
    return FALSE;
  foreign_picture_init (&self->picture, self->context, layout);
  foreign_picture_info (&self->picture, &self->info);
  foreign_picture_new_frame (&self->picture, &self->frame);
  self->owner = frame_test_stream (self->context);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  foreign_picture_clear_told (&self->picture);
  ref_frame_clear (&self->frame);
  gst_zc_stream_unref (self->owner);
  gst_object_unref (self->context);
}

static void
turn_over (GstZcPlane *plane)
{
  plane->data += plane->row_stride * (plane->height - 1);
  plane->row_stride = -plane->row_stride;
}

/* The picture with the rows of those planes the other way round. */
static GstZcImage
bottom_up (const Fixture *self, guint planes)
{
  GstZcImage image = self->picture.image;

  for (guint i = 0; i < image.n_planes; i++) {
    if (planes & (1u << i))
      turn_over (&image.plane[i]);
  }
  return image;
}

static GstBuffer *
wrap (Fixture *self, const GstZcImage *image, const GstZcProducer *producer)
{
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer = gst_zc_buffer_new_wrapped (self->context, image, producer,
      &self->picture, foreign_picture_notify, &error);

  g_assert_no_error (error);
  return buffer;
}

static void
check_bottom_up (const ForeignLayout *layout, guint planes)
{
  GstZcProducer producer = { GST_ZC_PRODUCER_STREAM };
  g_autoptr (GstBuffer) buffer = NULL;
  GstZcImage image;
  Fixture self;

  if (!fixture_init (&self, layout))
    return;
  foreign_picture_reuse (&self.picture, self.owner, REUSED);
  producer.handle = gst_zc_stream_get_handle (self.owner);
  cuda_test_delay (self.owner, DELAY_MS);
  foreign_picture_queue_write (&self.picture, self.owner, &self.frame);
  image = bottom_up (&self, planes);
  buffer = wrap (&self, &image, &producer);
  foreign_picture_wait_for_notify (&self.picture);
  foreign_assert_on_cpu (&self.picture, buffer, &self.frame, planes);
  fixture_clear (&self);
}

static void
test_bottom_up (gconstpointer layout)
{
  check_bottom_up (layout, ~0u);
}

/* One plane the other way round than the rest. */
static void
test_mixed (gconstpointer layout)
{
  check_bottom_up (layout, 1);
}

/* No memory is allocated but for the first picture. */
static void
test_bottom_up_steady (void)
{
  const SoftcudaPanel *panel = cuda_test_panel ();
  SoftcudaCounters counters;
  GstZcImage image;
  Fixture self;

  if (!panel || !fixture_init (&self, &layouts[0]))
    return;
  foreign_picture_write (&self.picture, &self.frame);
  image = bottom_up (&self, ~0u);
  for (guint i = 0; i < 20; i++) {
    self.picture.n_notify = 0;
    if (i == 1)
      panel->reset_counters ();
    gst_buffer_unref (wrap (&self, &image, &no_producer));
    foreign_picture_wait_for_notify (&self.picture);
  }
  panel->get_counters (&counters);
  g_assert_cmpuint (counters.allocations, ==, 0);
  g_assert_cmpuint (counters.host_waits, ==, 0);
  fixture_clear (&self);
}

static void
test_read_only (gconstpointer layout)
{
  g_autoptr (GError) error = NULL;
  GstVideoFrame frame;
  GstBuffer *buffer;
  Fixture self;

  if (!fixture_init (&self, layout))
    return;
  foreign_picture_write (&self.picture, &self.frame);
  buffer = wrap (&self, &self.picture.image, &read_only);
  g_assert_false (gst_zc_buffer_wait (buffer, GST_MAP_WRITE, self.owner,
      &error));
  frame_test_assert_refused (error, GST_ZC_ERROR_NOT_WRITABLE, "read-only");

  /* Who works in place gets a copy. */
  g_assert_true (gst_video_frame_map (&frame, &self.info, buffer,
      GST_MAP_READWRITE));
  memset (GST_VIDEO_FRAME_PLANE_DATA (&frame, 0), REUSED, 8);
  gst_video_frame_unmap (&frame);
  gst_buffer_unref (buffer);
  foreign_picture_wait_for_notify (&self.picture);
  foreign_picture_assert (&self.picture, &self.frame, REF_CANARY);
  fixture_clear (&self);
}

static void
refuse (Fixture *self, const GstZcImage *image, GstZcError code,
    const gchar *word)
{
  foreign_picture_expect_refused (&self->picture, self->context, image,
      &no_producer, code, word);
  foreign_picture_wait_for_notify (&self->picture);
}

static void
test_overlap (void)
{
  GstZcImage image;
  Fixture self;

  if (!fixture_init (&self, &layouts[1]))
    return;
  image = self.picture.image;
  image.plane[2].data = image.plane[1].data + 10;
  refuse (&self, &image, GST_ZC_ERROR_LAYOUT, "Planes 1 and 2");
  image.plane[2].data = image.plane[0].data;
  refuse (&self, &image, GST_ZC_ERROR_LAYOUT, "Planes 0 and 2");
  /* In the rows of one grid, next to each other or not quite. */
  image = self.picture.image;
  image.plane[1].row_stride = image.plane[2].row_stride = 37;
  image.plane[2].data = image.plane[1].data + 16;
  refuse (&self, &image, GST_ZC_ERROR_LAYOUT, "Planes 1 and 2");
  image.plane[2].data = image.plane[1].data + 21;
  refuse (&self, &image, GST_ZC_ERROR_LAYOUT, "Planes 1 and 2");
  image.plane[2].data = image.plane[1].data + 17;
  self.picture.n_notify = 0;
  gst_buffer_unref (wrap (&self, &image, &no_producer));
  fixture_clear (&self);
}

static void
test_host_memory (void)
{
  g_autofree guint8 *pageable = g_malloc (128 * 100);
  guint8 *pinned;
  GstZcImage image;
  Fixture self;

  if (!fixture_init (&self, &layouts[0]))
    return;
  pinned = cuda_test_alloc_pinned (self.context, 128 * 100);
  image = self.picture.image;
  image.plane[0].data = (guint64) (gsize) pinned;
  refuse (&self, &image, GST_ZC_ERROR_NOT_CUDA, "Plane 0");
  image.plane[0].data = (guint64) (gsize) pageable;
  refuse (&self, &image, GST_ZC_ERROR_LAYOUT, "Plane 0");
  cuda_test_free_pinned (pinned);
  fixture_clear (&self);
}

/* The real driver need not notice. */
static void
test_freed (void)
{
  GstZcImage image;
  guint64 freed;
  Fixture self;

  if (!cuda_test_panel () || !fixture_init (&self, &layouts[0]))
    return;
  freed = cuda_test_alloc (self.context, 128 * 100);
  cuda_test_free (self.context, freed);
  image = self.picture.image;
  image.plane[1].data = freed;
  refuse (&self, &image, GST_ZC_ERROR_LAYOUT, "Plane 1");
  fixture_clear (&self);
}

static void
test_no_size (void)
{
  GstZcImage image;
  Fixture self;

  if (!fixture_init (&self, &layouts[0]))
    return;
  image = self.picture.image;
  image.width = 0;
  refuse (&self, &image, GST_ZC_ERROR_LAYOUT, "0x46");
  image = self.picture.image;
  image.plane[1].height = 0;
  refuse (&self, &image, GST_ZC_ERROR_LAYOUT, "Plane 1");
  fixture_clear (&self);
}

/* Lower than its memory begins. */
static void
test_bottom_up_outside (void)
{
  GstZcImage image;
  Fixture self;

  if (!fixture_init (&self, &layouts[3]))
    return;
  image = self.picture.image;
  image.plane[0].row_stride = -image.plane[0].row_stride;
  refuse (&self, &image, GST_ZC_ERROR_LAYOUT, "Plane 0");
  fixture_clear (&self);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

#define ADD(name, test) CUDA_TEST_ADD_ROWS ("/foreign-odd/" name, layouts, test)
  ADD ("bottom-up", test_bottom_up);
  ADD ("mixed", test_mixed);
  ADD ("read-only", test_read_only);
#undef ADD
  g_test_add_func ("/foreign-odd/bottom-up-steady", test_bottom_up_steady);
  g_test_add_func ("/foreign-odd/bottom-up-outside", test_bottom_up_outside);
  g_test_add_func ("/foreign-odd/overlap", test_overlap);
  g_test_add_func ("/foreign-odd/host-memory", test_host_memory);
  g_test_add_func ("/foreign-odd/freed", test_freed);
  g_test_add_func ("/foreign-odd/no-size", test_no_size);
  return g_test_run ();
}
