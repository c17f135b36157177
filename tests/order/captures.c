/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Small programs that share the context with somebody who now and then captures
 * a stream into a CUDA graph: no capture may break, and pictures stay right. */

#include "cases.h"
#include "desk.h"
#include "capturer.h"

#define USUAL_STEPS 6

/* Relaxed, since these programs allocate and free as they like; and told of,
 * since one that begins just then can't be seen in time. */
static const Capturer kinds[] = {
  { "blocking", TRUE, TRUE, 2 },
  { "non-blocking", FALSE, TRUE, 2 },
};

typedef struct
{
  Desk desk;
  CapturerRun *capture; /* under way, or NULL */
} Scene;

/* A capture of a blocking stream leaves nobody the legacy one. */
static void
replace_legacy (OrderRun *run, OrderStream *stream)
{
  if (gst_zc_stream_get_handle (stream->zc))
    return;
  order_stream_clear (stream);
  order_stream_init (stream, run->context, ORDER_STREAM_OWN);
}

static void
scene_init (Scene *self, OrderRun *run, SourceKind kind)
{
  *self = (Scene) { 0 };
  desk_init (&self->desk, run, kind);
  replace_legacy (run, &self->desk.a);
  replace_legacy (run, &self->desk.b);
}

static void
end_capture (Scene *self)
{
  if (self->capture && !capturer_end (self->capture))
    order_fault (self->desk.run, ORDER_ERROR, "a capture was broken");
  self->capture = NULL;
}

static void
begin_capture (Scene *self)
{
  OrderRun *run = self->desk.run;

  if (!self->capture)
    self->capture =
        capturer_begin (&kinds[order_random (run, G_N_ELEMENTS (kinds))],
            run->context);
}

static void
scene_clear (Scene *self)
{
  end_capture (self);
  desk_clear (&self->desk);
}

/* Between any two things that a program does. */
static void
maybe_toggle (Scene *self)
{
  if (order_random (self->desk.run, 3) > 0)
    return;
  if (self->capture)
    end_capture (self);
  else
    begin_capture (self);
}

/* Readers of all kinds, and the next writer gets the buffer from the pool. */
static void
readers (OrderRun *run, gconstpointer data)
{
  static const User users[] = { USER_OTHER, USER_OTHER, USER_LENT, USER_FRAME,
    USER_MARK, USER_HOST, USER_BRIDGE };
  guint steps = order_steps (run, USUAL_STEPS);
  Scene self;

  scene_init (&self, run, SOURCE_POOL);
  for (guint i = 0; i < steps; i++) {
    guint8 value = order_new_value (run);
    GstBuffer *buffer;

    maybe_toggle (&self);
    buffer = desk_new (&self.desk, USER_FRAME, &self.desk.a, value);
    maybe_toggle (&self);
    desk_read (&self.desk, users[order_random (run, G_N_ELEMENTS (users))],
        &self.desk.b, buffer, value);
    maybe_toggle (&self);
    gst_buffer_unref (buffer);
  }
  scene_clear (&self);
}

/* A wrapped picture goes back to its owner, who uses its memory again at once. */
static void
owners (OrderRun *run, gconstpointer data)
{
  static const User users[] = { USER_OTHER, USER_LENT, USER_FRAME };
  guint steps = order_steps (run, USUAL_STEPS);
  Scene self;

  scene_init (&self, run, SOURCE_WRAPPED);
  for (guint i = 0; i < steps; i++) {
    guint8 value = order_new_value (run);
    /* Its producer may use the legacy stream. */
    GstBuffer *buffer = desk_new (&self.desk, USER_FRAME, &self.desk.a, value);

    begin_capture (&self);
    desk_read (&self.desk, users[order_random (run, G_N_ELEMENTS (users))],
        &self.desk.b, buffer, value);
    if (order_random (run, 2))
      end_capture (&self);
    gst_buffer_unref (buffer);
    end_capture (&self);
  }
  scene_clear (&self);
}

const OrderCase capture_cases[] = {
  { "capture/readers", readers },
  { "capture/owners", owners },
  { NULL },
};
