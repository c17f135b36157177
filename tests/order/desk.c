/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "desk.h"

void
desk_init (Desk *self, OrderRun *run, SourceKind kind)
{
  *self = (Desk) { .run = run };
  source_init (&self->source, run, kind, run->context, source_format (run));
  order_stream_init (&self->a, run->context, order_stream_kind (run));
  order_stream_init (&self->b, run->context, order_stream_kind (run));
  self->pinned = gst_zc_pinned_allocator_new (run->context);
}

void
desk_clear (Desk *self)
{
  order_stream_clear (&self->a);
  order_stream_clear (&self->b);
  source_clear (&self->source);
  gst_object_unref (self->pinned);
}

static Access
access_of (Desk *self, User user, const OrderStream *stream)
{
  return (Access) {
    .run = self->run, .user = user, .stream = stream->zc, .pinned = self->pinned
  };
}

void
desk_write (Desk *self, User user, const OrderStream *stream, GstBuffer *buffer,
    guint8 value)
{
  Access access = access_of (self, user, stream);

  user_write (&access, buffer, &self->source.info, value);
}

void
desk_read (Desk *self, User user, const OrderStream *stream, GstBuffer *buffer,
    guint8 value)
{
  Access access = access_of (self, user, stream);

  user_read (&access, buffer, &self->source.info, value);
}

GstBuffer *
desk_new (Desk *self, User user, const OrderStream *stream, guint8 value)
{
  Access access = access_of (self, user, stream);
  GstBuffer *buffer;

  access.fresh = TRUE;
  if (!source_take (&self->source, &buffer, value))
    user_write (&access, buffer, &self->source.info, value);
  return buffer;
}

GstBuffer *
desk_host_buffer (Desk *self, guint8 value)
{
  gsize size = GST_VIDEO_INFO_SIZE (&self->source.info);
  GstBuffer *buffer = gst_buffer_new_allocate (self->pinned, size, NULL);

  gst_buffer_memset (buffer, 0, value, size);
  return buffer;
}
