/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Branches, each a thread with a stream of its own, that get the same picture
 * at once: all may be the first to touch it, any may be the last to drop it. */

#include "cases.h"
#include "desk.h"

#define N_BRANCHES 3
#define USUAL_STEPS 6

typedef struct
{
  GstBuffer *buffer;
  guint8 value;
} Picture;

typedef struct
{
  Desk *desk;
  OrderStream stream;
  User user;
  GAsyncQueue *queue; /* of Picture; one without a buffer at the end */
  GThread *thread;
} Branch;

static void
picture_free (Picture *picture)
{
  gst_clear_buffer (&picture->buffer);
  g_free (picture);
}

static gpointer
branch_main (gpointer data)
{
  Branch *self = data;
  Picture *picture;

  while ((picture = g_async_queue_pop (self->queue))->buffer) {
    desk_read (self->desk, self->user, &self->stream, picture->buffer,
        picture->value);
    picture_free (picture);
  }
  picture_free (picture);
  return NULL;
}

static User
reader_kind (OrderRun *run)
{
  static const User users[] = { USER_FRAME, USER_FRAME, USER_HOST, USER_BRIDGE,
    USER_OTHER, USER_CPU };

  return users[order_random (run, G_N_ELEMENTS (users))];
}

static void
branch_init (Branch *self, Desk *desk)
{
  self->desk = desk;
  self->user = reader_kind (desk->run);
  order_stream_init (&self->stream, desk->run->context,
      order_stream_kind (desk->run));
  self->queue = g_async_queue_new ();
  self->thread = g_thread_new ("branch", branch_main, self);
}

static void
branch_push (Branch *self, GstBuffer *buffer, guint8 value)
{
  Picture *picture = g_new0 (Picture, 1);

  picture->buffer = buffer;
  picture->value = value;
  g_async_queue_push (self->queue, picture);
}

static void
branch_clear (Branch *self)
{
  branch_push (self, NULL, 0);
  g_thread_join (self->thread);
  g_async_queue_unref (self->queue);
  order_stream_clear (&self->stream);
}

static void
tee (OrderRun *run, gconstpointer data)
{
  SourceKind kind = GPOINTER_TO_UINT (data);
  guint steps = order_steps (run, USUAL_STEPS);
  Branch branches[N_BRANCHES];
  Desk desk;

  desk_init (&desk, run, kind);
  for (guint i = 0; i < N_BRANCHES; i++)
    branch_init (&branches[i], &desk);
  for (guint step = 0; step < steps; step++) {
    guint8 value = order_new_value (run);
    GstBuffer *buffer =
        desk_new (&desk, order_random (run, 2) ? USER_FRAME : USER_BRIDGE,
            order_random (run, 2) ? &desk.a : &desk.b, value);

    for (guint i = 0; i < N_BRANCHES; i++)
      branch_push (&branches[i], gst_buffer_ref (buffer), value);
    gst_buffer_unref (buffer);
  }
  for (guint i = 0; i < N_BRANCHES; i++)
    branch_clear (&branches[i]);
  desk_clear (&desk);
}

const OrderCase tee_cases[] = {
  { "tee/pool", tee, GUINT_TO_POINTER (SOURCE_POOL) },
  { "tee/foreign-pool", tee, GUINT_TO_POINTER (SOURCE_FOREIGN) },
  { "tee/wrapped", tee, GUINT_TO_POINTER (SOURCE_WRAPPED) },
  { NULL },
};
