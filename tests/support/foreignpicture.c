/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "foreignpicture.h"

#include <string.h>

#include "frametest.h"

#define PATIENCE (10 * G_TIME_SPAN_SECOND)

const ForeignLayout foreign_both[2] = {
  { "one-allocation", GST_VIDEO_FORMAT_NV12, 64, 48, { 0, 80 * 48 }, { 80, 80 },
      80 * 72, FALSE, 1 },
  { "two-allocations", GST_VIDEO_FORMAT_NV12, 64, 48, { 0, 512 }, { 80, 96 },
      80 * 48, TRUE, 2 },
};

static void
describe (ForeignPicture *self)
{
  const ForeignLayout *layout = self->layout;
  g_autoptr (GError) error = NULL;
  guint64 data[GST_ZC_MAX_PLANES] = { 0 };
  gint64 stride[GST_ZC_MAX_PLANES] = { 0 };

  for (guint i = 0; i < GST_ZC_MAX_PLANES; i++) {
    data[i] = self->memory[layout->split ? i : 0] + layout->offset[i];
    stride[i] = layout->stride[i];
  }
  gst_zc_image_init (&self->image, layout->format, layout->width,
      layout->height, 0, data, stride, &error);
  g_assert_no_error (error);
}

void
foreign_picture_init (ForeignPicture *self, GstCudaContext *context,
    const ForeignLayout *layout)
{
  g_autofree guint8 *canary = g_malloc (layout->size);

  memset (self, 0, sizeof (*self));
  memset (canary, REF_CANARY, layout->size);
  self->layout = layout;
  self->context = gst_object_ref (context);
  g_mutex_init (&self->lock);
  g_cond_init (&self->given_back);
  self->n_memory =
      layout->split ? gst_zc_format_get (layout->format)->n_planes : 1;
  for (guint i = 0; i < self->n_memory; i++) {
    self->memory[i] = cuda_test_alloc (context, layout->size);
    cuda_test_copy_in (context, self->memory[i], canary, layout->size);
  }
  describe (self);
}

void
foreign_picture_clear (ForeignPicture *self)
{
  for (guint i = 0; i < self->n_memory; i++) {
    cuda_test_free (self->context, self->memory[i]);
    if (self->late[i])
      cuda_test_free (self->context, self->late[i]);
  }
  g_cond_clear (&self->given_back);
  g_mutex_clear (&self->lock);
  gst_object_unref (self->context);
}

void
foreign_picture_clear_told (ForeignPicture *self)
{
  foreign_picture_wait_for_notify (self);
  cuda_test_assert_none_pushed ();
  g_usleep (2000);
  g_assert_cmpuint (self->n_notify, ==, 1);
  foreign_picture_clear (self);
}

void
foreign_picture_new_frame (const ForeignPicture *self, RefFrame *frame)
{
  ref_frame_init (frame, self->layout->format, self->layout->width,
      self->layout->height, REF_TIGHT);
  ref_frame_fill_random (frame, 4711);
}

void
foreign_picture_write (ForeignPicture *self, const RefFrame *frame)
{
  for (guint i = 0; i < frame->n_planes; i++) {
    const RefPlane *plane = &frame->plane[i];

    for (gint row = 0; row < plane->height; row++)
      cuda_test_copy_in (self->context,
          self->image.plane[i].data + row * self->image.plane[i].row_stride,
          plane->data + row * plane->stride, ref_plane_row_bytes (plane));
  }
}

static void
write_value_on (ForeignPicture *self, GstZcStream *stream, guint8 value)
{
  cuda_test_fill (stream, &self->image, value);
  frame_test_synchronize (stream);
}

void
foreign_picture_write_value (ForeignPicture *self, guint8 value)
{
  g_autoptr (GstZcStream) stream = frame_test_stream (self->context);

  write_value_on (self, stream, value);
}

/* Where plane @i begins in the bytes of all allocations, one after the other. */
static gsize
position (const ForeignPicture *self, guint i)
{
  return (self->layout->split ? i * self->layout->size : 0) +
      self->layout->offset[i];
}

static guint8 *
copy_out (ForeignPicture *self)
{
  guint8 *bytes = g_malloc (self->n_memory * self->layout->size);

  for (guint i = 0; i < self->n_memory; i++)
    cuda_test_copy_out (self->context, bytes + i * self->layout->size,
        self->memory[i], self->layout->size);
  return bytes;
}

static void
copy_in (ForeignPicture *self, const guint8 *bytes)
{
  for (guint i = 0; i < self->n_memory; i++)
    cuda_test_copy_in (self->context, self->memory[i],
        bytes + i * self->layout->size, self->layout->size);
}

/* Sets the bytes of @bytes that are pixels to @frame's, or to @value. */
static void
put_pixels (const ForeignPicture *self, guint8 *bytes, const RefFrame *frame,
    guint8 value)
{
  for (guint i = 0; i < self->image.n_planes; i++) {
    const GstZcPlane *plane = &self->image.plane[i];
    gsize row_bytes = gst_zc_plane_row_bytes (plane);

    for (gint row = 0; row < plane->height; row++) {
      guint8 *to = bytes + position (self, i) + row * plane->row_stride;

      if (frame)
        memcpy (to, frame->plane[i].data + row * frame->plane[i].stride,
            row_bytes);
      else
        memset (to, value, row_bytes);
    }
  }
}

void
foreign_picture_queue_write (ForeignPicture *self, GstZcStream *stream,
    const RefFrame *frame)
{
  gsize size = self->layout->size;
  g_autofree guint8 *bytes = g_malloc (self->n_memory * size);

  memset (bytes, REF_CANARY, self->n_memory * size);
  put_pixels (self, bytes, frame, 0);
  for (guint i = 0; i < self->n_memory; i++) {
    self->late[i] = cuda_test_alloc (self->context, size);
    cuda_test_copy_in (self->context, self->late[i], bytes + i * size, size);
    cuda_test_copy (stream, self->memory[i], self->late[i], size);
  }
}

void
foreign_picture_assert (ForeignPicture *self, const RefFrame *frame,
    guint8 canary)
{
  gsize size = self->n_memory * self->layout->size;
  g_autofree guint8 *expected = g_malloc (size);
  g_autofree guint8 *got = copy_out (self);

  memset (expected, canary, size);
  put_pixels (self, expected, frame, 0);
  for (gsize i = 0; i < size; i++) {
    if (got[i] != expected[i])
      g_error ("%s: byte %zu of the owner's memory is %02x, expected %02x",
          self->layout->name, i, got[i], expected[i]);
  }
}

void
foreign_picture_write_canary (ForeignPicture *self, guint8 canary)
{
  gsize size = self->n_memory * self->layout->size;
  g_autofree guint8 *old = copy_out (self);
  g_autofree guint8 *is_pixel = g_malloc0 (size);

  put_pixels (self, is_pixel, NULL, 1);
  for (gsize i = 0; i < size; i++) {
    if (!is_pixel[i])
      old[i] = canary;
  }
  copy_in (self, old);
}

void
foreign_picture_notify (gpointer data)
{
  ForeignPicture *self = data;

  if (self->owner)
    write_value_on (self, self->owner, self->reused);
  g_mutex_lock (&self->lock);
  self->n_notify++;
  self->notifier = g_thread_self ();
  g_cond_broadcast (&self->given_back);
  g_mutex_unlock (&self->lock);
}

void
foreign_picture_reuse (ForeignPicture *self, GstZcStream *owner, guint8 value)
{
  self->owner = owner;
  self->reused = value;
}

void
foreign_picture_wait_for_notifies (ForeignPicture *self, guint n)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;

  g_mutex_lock (&self->lock);
  while (self->n_notify < n) {
    if (!g_cond_wait_until (&self->given_back, &self->lock, end))
      g_error ("%s: the owner was told %u times, not %u", self->layout->name,
          self->n_notify, n);
  }
  g_mutex_unlock (&self->lock);
}

void
foreign_picture_wait_for_notify (ForeignPicture *self)
{
  foreign_picture_wait_for_notifies (self, 1);
}

GstBuffer *
foreign_picture_wrap (ForeignPicture *self, const GstZcProducer *producer)
{
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer = gst_zc_buffer_new_wrapped (self->context, &self->image,
      producer, self, foreign_picture_notify, &error);

  g_assert_no_error (error);
  g_assert_nonnull (buffer);
  g_assert_cmpuint (gst_buffer_n_memory (buffer), ==, self->layout->n_memory);
  return buffer;
}

void
foreign_picture_expect_refused (ForeignPicture *self, GstCudaContext *context,
    const GstZcImage *image, const GstZcProducer *producer, GstZcError code,
    const gchar *word)
{
  g_autoptr (GError) error = NULL;

  self->n_notify = 0;
  g_assert_null (gst_zc_buffer_new_wrapped (context, image, producer, self,
      foreign_picture_notify, &error));
  frame_test_assert_refused (error, code, word);
  cuda_test_assert_none_pushed ();
}

void
foreign_picture_info (const ForeignPicture *self, GstVideoInfo *info)
{
  gst_video_info_set_format (info, self->layout->format, self->layout->width,
      self->layout->height);
}
