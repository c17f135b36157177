/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "dropper.h"

struct _Dropper
{
  GAsyncQueue *queue; /* of GstBuffer, or the dropper itself at the end */
  GThread *thread;
};

static gpointer
drop_all (gpointer data)
{
  Dropper *self = data;
  gpointer item;

  while ((item = g_async_queue_pop (self->queue)) != self)
    gst_buffer_unref (item);
  return NULL;
}

Dropper *
dropper_new (void)
{
  Dropper *self = g_new (Dropper, 1);

  self->queue = g_async_queue_new ();
  self->thread = g_thread_new ("dropper", drop_all, self);
  return self;
}

void
dropper_push (Dropper *self, GstBuffer *buffer)
{
  g_async_queue_push (self->queue, buffer);
}

void
dropper_free (Dropper *self)
{
  g_async_queue_push (self->queue, self);
  g_thread_join (self->thread);
  g_async_queue_unref (self->queue);
  g_free (self);
}
