/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Foreign planes wherever they lie: which memories they become, the pixels that
 * a CPU and a deep copy get of them, and what is refused. */

#include <gst/cuda/gstcudamemory.h>
#include <string.h>

#include "foreignconsumer.h"
#include "frametest.h"
#include "testrows.h"

static const GstZcProducer no_producer = { GST_ZC_PRODUCER_NONE };

/* name, format, width, height, offsets, strides, bytes, split, memories */
static const ForeignLayout layouts[] = {
  { "nv12-packed", GST_VIDEO_FORMAT_NV12, 64, 48, { 0, 64 * 48 }, { 64, 64 },
      64 * 72, FALSE, 1 },
  { "nv12-padded", GST_VIDEO_FORMAT_NV12, 62, 46, { 512, 512 + 512 * 64 },
      { 512, 512 }, 512 * 100, FALSE, 1 },
  { "nv12-odd", GST_VIDEO_FORMAT_NV12, 33, 17, { 3, 3 + 37 * 17 }, { 37, 37 },
      37 * 28, FALSE, 1 },
  { "nv12-split", GST_VIDEO_FORMAT_NV12, 64, 48, { 0, 256 }, { 64, 128 },
      128 * 50, TRUE, 2 },
  { "nv12-uv-first", GST_VIDEO_FORMAT_NV12, 64, 48, { 64 * 24, 0 }, { 64, 64 },
      64 * 72, FALSE, 1 },
  /* Two arrays out of one cached block, others' in between. */
  { "nv12-far", GST_VIDEO_FORMAT_NV12, 64, 48, { 0, 64 * 400 }, { 64, 64 },
      64 * 500, FALSE, 2 },
  /* FFmpeg's: chroma has half of luma's stride. */
  { "i420-half-stride", GST_VIDEO_FORMAT_I420, 64, 48,
      { 0, 64 * 48, 64 * 48 + 32 * 24 }, { 64, 32, 32 }, 64 * 72, FALSE, 1 },
  { "i420-half-stride-padded", GST_VIDEO_FORMAT_I420, 61, 47,
      { 256, 256 + 128 * 64, 256 + 128 * 64 + 64 * 32 }, { 128, 64, 64 },
      128 * 100, FALSE, 1 },
  { "i420-one-stride", GST_VIDEO_FORMAT_I420, 64, 48, { 0, 64 * 48, 64 * 72 },
      { 64, 64, 64 }, 64 * 96, FALSE, 1 },
  /* No byte behind the last sample. */
  { "i420-cut-short", GST_VIDEO_FORMAT_I420, 64, 48, { 0, 64 * 48, 64 * 72 },
      { 64, 64, 64 }, 64 * 95 + 32, FALSE, 1 },
  { "i420-split", GST_VIDEO_FORMAT_I420, 63, 47, { 0, 1, 7 }, { 64, 32, 40 },
      64 * 48, TRUE, 3 },
  { "rgba-region", GST_VIDEO_FORMAT_RGBA, 30, 20, { 4 * 4000 + 400 }, { 4000 },
      4000 * 40, FALSE, 1 },
  /* A part of a larger picture: its rows hold others' pixels. */
  { "i420-region", GST_VIDEO_FORMAT_I420, 30, 20,
      { 4000, 4000 * 26, 4000 * 42 }, { 4000, 2000, 2000 }, 4000 * 60, FALSE,
      3 },
  { "rgb-odd", GST_VIDEO_FORMAT_RGB, 31, 17, { 5 }, { 101 }, 101 * 18, FALSE,
      1 },
  { "p010", GST_VIDEO_FORMAT_P010_10LE, 34, 18, { 0, 80 * 18 }, { 80, 80 },
      80 * 27, FALSE, 1 },
};

typedef struct
{
  GstCudaContext *context;
  ForeignPicture picture;
  GstVideoInfo info;
  RefFrame frame;
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
  foreign_picture_new_frame (&self->picture, &self->frame);
  foreign_picture_write (&self->picture, &self->frame);
  self->buffer = foreign_picture_wrap (&self->picture, &no_producer);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  gst_clear_buffer (&self->buffer);
  foreign_picture_wait_for_notify (&self->picture);
  cuda_test_assert_none_pushed ();
  foreign_picture_clear (&self->picture);
  ref_frame_clear (&self->frame);
  gst_object_unref (self->context);
}

static void
assert_pixels (Fixture *self, GstBuffer *buffer)
{
  foreign_assert_on_cpu (&self->picture, buffer, &self->frame, 0);
}

static void
test_cpu_read (gconstpointer layout)
{
  Fixture self;

  if (!fixture_init (&self, layout))
    return;
  assert_pixels (&self, self.buffer);
  foreign_picture_assert (&self.picture, &self.frame, REF_CANARY);
  fixture_clear (&self);
}

static void
test_deep_copy (gconstpointer layout)
{
  GstBuffer *copy;
  Fixture self;

  if (!fixture_init (&self, layout))
    return;
  copy = gst_buffer_copy_deep (self.buffer);
  gst_clear_buffer (&self.buffer);
  foreign_picture_wait_for_notify (&self.picture);
  foreign_picture_write_value (&self.picture, 0);
  assert_pixels (&self, copy);
  gst_buffer_unref (copy);
  fixture_clear (&self);
}

/* Pixels of @seed; all other bytes become @canary while the CPU is at it. */
static void
write_on_cpu (Fixture *self, GstMapFlags flags, guint32 seed, guint8 canary)
{
  GstVideoFrame frame;

  g_assert_true (gst_video_frame_map (&frame, &self->info, self->buffer,
      flags));
  ref_frame_fill_random (&self->frame, seed);
  for (guint i = 0; i < self->frame.n_planes; i++) {
    const RefPlane *plane = &self->frame.plane[i];
    guint8 *data = GST_VIDEO_FRAME_PLANE_DATA (&frame, i);

    for (gint row = 0; row < plane->height; row++)
      memcpy (data + row * GST_VIDEO_FRAME_PLANE_STRIDE (&frame, i),
          plane->data + row * plane->stride, ref_plane_row_bytes (plane));
  }
  if (canary != REF_CANARY)
    foreign_picture_write_canary (&self->picture, canary);
  gst_video_frame_unmap (&frame);
}

static gboolean
holds_others_pixels (const ForeignLayout *layout)
{
  return g_str_has_suffix (layout->name, "-region") ||
      g_str_has_suffix (layout->name, "-far");
}

/* What the CPU wrote comes to the device, and to no byte of somebody else's. */
static void
test_cpu_write (gconstpointer layout)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstZcStream) stream = NULL;
  guint8 canary = holds_others_pixels (layout) ? 0x77 : REF_CANARY;
  Fixture self;

  if (!fixture_init (&self, layout))
    return;
  write_on_cpu (&self, GST_MAP_READWRITE, 815, canary);
  stream = frame_test_stream (self.context);
  gst_zc_buffer_wait (self.buffer, GST_MAP_READ, stream, &error);
  g_assert_no_error (error);
  frame_test_synchronize (stream);
  foreign_picture_assert (&self.picture, &self.frame, canary);
  fixture_clear (&self);
}

/* The owner gets what a CPU wrote, though no one looked at it on the device. */
static void
test_cpu_write_dropped (gconstpointer layout)
{
  Fixture self;

  if (!fixture_init (&self, layout))
    return;
  write_on_cpu (&self, GST_MAP_WRITE, 1914, REF_CANARY);
  gst_clear_buffer (&self.buffer);
  foreign_picture_wait_for_notify (&self.picture);
  foreign_picture_assert (&self.picture, &self.frame, REF_CANARY);
  g_assert_cmpuint (self.picture.n_notify, ==, 1);
  fixture_clear (&self);
}

/* The frame that is mapped is the very planes. */
static void
test_no_copy (gconstpointer layout)
{
  Fixture self;

  if (!fixture_init (&self, layout))
    return;
  foreign_assert_no_copy (&self.picture, self.buffer, GST_MAP_READWRITE);
  fixture_clear (&self);
}

/* The owner is told at once. */
static void
expect_refused (Fixture *self, GstCudaContext *context, const GstZcImage *image,
    GstZcError code, const gchar *word)
{
  foreign_picture_expect_refused (&self->picture, context, image, &no_producer,
      code, word);
  g_assert_cmpuint (self->picture.n_notify, ==, 1);
  self->picture.n_notify = 0;
}

static void
test_refused (void)
{
  GstZcImage image;
  Fixture self;

  if (!fixture_init (&self, &layouts[0]))
    return;
  image = self.picture.image;
  image.plane[1].data = 0;
  expect_refused (&self, self.context, &image, GST_ZC_ERROR_LAYOUT, "Plane 1");

  image = self.picture.image;
  image.plane[1].data = 0x1000;
  expect_refused (&self, self.context, &image, GST_ZC_ERROR_LAYOUT, "0x1000");

  image = self.picture.image;
  image.plane[1].row_stride = 32;
  expect_refused (&self, self.context, &image, GST_ZC_ERROR_LAYOUT, "32");

  image = self.picture.image;
  image.plane[1].row_stride = 65 + 64;
  expect_refused (&self, self.context, &image, GST_ZC_ERROR_LAYOUT, "Plane 1");

  image = self.picture.image;
  image.plane[1].pixel_stride = 4;
  image.plane[1].row_stride = 128;
  expect_refused (&self, self.context, &image, GST_ZC_ERROR_LAYOUT, "Plane 1");

  image = self.picture.image;
  image.n_planes = 1;
  expect_refused (&self, self.context, &image, GST_ZC_ERROR_LAYOUT, "NV12");

  image = self.picture.image;
  image.format = GST_VIDEO_FORMAT_v308;
  expect_refused (&self, self.context, &image, GST_ZC_ERROR_UNSUPPORTED,
      "v308");

  image = self.picture.image;
  image.device = 7;
  expect_refused (&self, self.context, &image, GST_ZC_ERROR_WRONG_DEVICE, "7");
  fixture_clear (&self);
}

/* Memory of one card, a context of the other. */
static void
test_wrong_device (void)
{
  GstCudaContext *second = gst_zc_context_new (1, NULL);
  GstZcImage image;
  Fixture self;

  if (!second) {
    g_test_skip ("one device only");
    return;
  }
  if (fixture_init (&self, &layouts[0])) {
    image = self.picture.image;
    expect_refused (&self, second, &image, GST_ZC_ERROR_WRONG_DEVICE,
        "device 0");
    image.device = 1;
    expect_refused (&self, second, &image, GST_ZC_ERROR_WRONG_DEVICE,
        "device 0");
    fixture_clear (&self);
  }
  gst_object_unref (second);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

#define ADD(name, test)                                                        \
  CUDA_TEST_ADD_ROWS ("/foreign-layout/" name, layouts, test)
  ADD ("cpu-read", test_cpu_read);
  ADD ("cpu-write", test_cpu_write);
  ADD ("cpu-write-dropped", test_cpu_write_dropped);
  ADD ("deep-copy", test_deep_copy);
  ADD ("no-copy", test_no_copy);
#undef ADD
  g_test_add_func ("/foreign-layout/refused", test_refused);
  g_test_add_func ("/foreign-layout/wrong-device", test_wrong_device);
  return g_test_run ();
}
