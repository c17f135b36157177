/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "lentframe.h"

#include "frametest.h"

gboolean
lent_frame_init (LentFrame *self, guint device, GstVideoFormat format,
    gint width, gint height)
{
  self->context = cuda_test_context (device);
  if (!self->context)
    return FALSE;
  self->stream = frame_test_stream (self->context);
  self->pool =
      cuda_test_pool (self->context, format, width, height, &self->info);
  self->buffer = cuda_test_acquire (self->pool);
  lent_frame_write (self, 0, 1);
  return TRUE;
}

void
lent_frame_clear (LentFrame *self)
{
  gst_clear_buffer (&self->buffer);
  cuda_test_pool_free (self->pool);
  gst_zc_stream_unref (self->stream);
  cuda_test_assert_none_pushed ();
  gst_object_unref (self->context);
}

void
lent_frame_map (LentFrame *self, GstMapFlags flags)
{
  frame_test_map (&self->frame, self->buffer, &self->info, flags, self->stream);
}

void
lent_frame_unmap (LentFrame *self)
{
  frame_test_unmap (&self->frame);
}

void
lent_frame_write (LentFrame *self, guint delay_ms, guint8 value)
{
  lent_frame_map (self, GST_MAP_WRITE);
  if (delay_ms)
    cuda_test_delay (self->stream, delay_ms);
  cuda_test_fill (self->stream, &self->frame.image, value);
  lent_frame_unmap (self);
}
