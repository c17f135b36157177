/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Programs made up by the seed: pictures are written, read, turned, shared,
 * dropped and taken again by users of all kinds. On the CPU's side all is in
 * one order, so each picture's value is known. */

#include "random.h"

#include <gst/cuda/gstcudacontext.h>

#include "dropper.h"
#include "sources.h"

#define N_PICTURES 4
#define N_STREAMS 3
#define USUAL_STEPS 24

typedef struct
{
  GstBuffer *buffer; /* owned, or NULL */
  GstBuffer *other; /* owned, or NULL: somebody else's reference */
  guint source;
  guint8 value; /* 0: none yet */
} Picture;

typedef struct
{
  OrderRun *run;
  const RandomProgram *program;
  GstCudaContext *context; /* owned */
  GstCudaContext *stream_context; /* not owned */
  GstAllocator *pinned;
  Source sources[2];
  guint n_sources;
  OrderStream streams[N_STREAMS];
  Picture pictures[N_PICTURES];
  Dropper *dropper;
} World;

static User
pick_user (World *self, guint users)
{
  User user;

  do
    user = order_random (self->run, N_USERS);
  while (!(users & (1u << user)));
  return user;
}

static Access
pick_access (World *self)
{
  Access access = { .run = self->run,
    .user = pick_user (self, self->program->users),
    .stream = self->streams[order_random (self->run, N_STREAMS)].zc,
    .pinned = order_random (self->run, 4) ? self->pinned : NULL };

  return access;
}

static const GstVideoInfo *
info_of (World *self, const Picture *picture)
{
  return &self->sources[picture->source].info;
}

static void
drop (World *self, GstBuffer **buffer)
{
  if (*buffer)
    order_trace (self->run, "drop %p", gst_buffer_peek_memory (*buffer, 0));
  if (*buffer && order_random (self->run, 2))
    dropper_push (self->dropper, g_steal_pointer (buffer));
  else
    gst_clear_buffer (buffer);
}

static void
take (World *self, Picture *picture)
{
  guint8 value = order_new_value (self->run);

  drop (self, &picture->other);
  drop (self, &picture->buffer);
  picture->source = order_random (self->run, self->n_sources);
  picture->value =
      source_take (&self->sources[picture->source], &picture->buffer, value)
      ? value
      : 0;
}

static gboolean
is_writable (const Picture *picture)
{
  return gst_buffer_is_writable (picture->buffer) &&
      gst_buffer_is_all_memory_writable (picture->buffer);
}

static void
write_picture (World *self, Picture *picture)
{
  Access access = pick_access (self);

  drop (self, &picture->other);
  /* The dropper may have it still. */
  if (!is_writable (picture))
    take (self, picture);
  access.fresh = picture->value == 0;
  picture->value = order_new_value (self->run);
  user_write (&access, picture->buffer, info_of (self, picture),
      picture->value);
}

static void
read_picture (World *self, Picture *picture)
{
  Access access = pick_access (self);

  user_read (&access, picture->buffer, info_of (self, picture), picture->value);
}

static void
change_picture (World *self, Picture *picture)
{
  Access access = pick_access (self);
  guint8 value = order_new_value (self->run);

  if (is_writable (picture) &&
      user_change (&access, picture->buffer, info_of (self, picture),
          picture->value, value))
    picture->value = value;
}

static void
flip_picture (World *self, Picture *from)
{
  Access access = pick_access (self);
  Picture *to = &self->pictures[order_random (self->run, N_PICTURES)];

  if (to == from)
    return;
  if (!to->buffer || !is_writable (to))
    take (self, to);
  if (to->source != from->source)
    return;
  if (user_flip (&access, to->buffer, from->buffer, info_of (self, from)))
    to->value = from->value;
}

static void
share_picture (World *self, Picture *picture)
{
  drop (self, &picture->other);
  if (order_random (self->run, 2))
    picture->other = gst_buffer_ref (picture->buffer);
  else
    /* Another buffer of the same memory. */
    picture->other = gst_buffer_copy (picture->buffer);
}

/* What a CPU-side queue would do with a picture it wants to keep. */
static void
copy_picture (World *self, Picture *picture)
{
  GstBuffer *copy = gst_buffer_copy_deep (picture->buffer);

  order_trace (self->run, "copy %p",
      gst_buffer_peek_memory (picture->buffer, 0));

  drop (self, &picture->other);
  drop (self, &picture->buffer);
  if (!order_check (self->run, copy != NULL, "copy", NULL))
    take (self, picture);
  else
    picture->buffer = copy;
}

static void
change_stream (World *self)
{
  OrderStream *stream = &self->streams[order_random (self->run, N_STREAMS)];

  order_stream_clear (stream);
  order_stream_init (stream, self->stream_context,
      order_stream_kind (self->run));
}

static void
step (World *self)
{
  Picture *picture = &self->pictures[order_random (self->run, N_PICTURES)];

  if (!picture->buffer)
    take (self, picture);
  if (picture->value == 0) {
    write_picture (self, picture);
    return;
  }
  switch (order_random (self->run, 13)) {
    case 0:
    case 1:
      write_picture (self, picture);
      break;
    case 2:
    case 3:
      flip_picture (self, picture);
      break;
    case 4:
    case 5:
      take (self, picture);
      break;
    case 6:
      share_picture (self, picture);
      break;
    case 7:
      if (self->program->copies)
        copy_picture (self, picture);
      break;
    case 8:
      change_stream (self);
      break;
    case 9:
      change_picture (self, picture);
      break;
    default:
      read_picture (self, picture);
      break;
  }
}

static GstCudaContext *
new_context (OrderRun *run, gboolean private)
{
  GstCudaContext *context =
      private ? gst_cuda_context_new (0) : gst_object_ref (run->context);

  g_assert_nonnull (context);
  return context;
}

static void
world_init (World *self, OrderRun *run, const RandomProgram *program)
{
  *self = (World) { .run = run, .program = program };
  self->context = new_context (run, program->private_context);
  self->stream_context =
      program->primary_streams ? run->context : self->context;
  self->pinned = gst_zc_pinned_allocator_new (self->context);
  self->n_sources = program->sources[1] == program->sources[0] ? 1 : 2;
  for (guint i = 0; i < self->n_sources; i++)
    source_init (&self->sources[i], run, program->sources[i], self->context,
        source_format (run));
  for (guint i = 0; i < N_STREAMS; i++)
    order_stream_init (&self->streams[i], self->stream_context,
        order_stream_kind (run));
  self->dropper = dropper_new ();
}

/* With work in flight on all sides. */
static void
world_clear (World *self)
{
  for (guint i = 0; i < N_PICTURES; i++) {
    drop (self, &self->pictures[i].other);
    drop (self, &self->pictures[i].buffer);
  }
  for (guint i = 0; i < N_STREAMS; i++)
    order_stream_clear (&self->streams[i]);
  gst_object_unref (self->pinned);
  dropper_free (self->dropper);
  for (guint i = 0; i < self->n_sources; i++)
    source_clear (&self->sources[i]);
  order_settle (self->run, self->context);
  gst_object_unref (self->context);
}

void
random_program_run (OrderRun *run, gconstpointer data)
{
  guint steps = order_steps (run, USUAL_STEPS);
  World world;

  world_init (&world, run, data);
  for (guint i = 0; i < steps; i++)
    step (&world);
  world_clear (&world);
}

typedef struct
{
  OrderRun *run;
  gconstpointer program;
} Pair;

static gpointer
pair_main (gpointer data)
{
  Pair *pair = data;

  random_program_run (pair->run, pair->program);
  return NULL;
}

void
random_pair_run (OrderRun *run, gconstpointer data)
{
  Pair pair = { run, data };
  GThread *other = g_thread_new ("pair", pair_main, &pair);

  random_program_run (run, data);
  g_thread_join (other);
}
