/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "zctracerthread.h"

#include <sys/syscall.h>
#include <unistd.h>

typedef struct
{
  ZcElement *element; /* owned */
  gint64 since;
  gboolean is_state;
} Frame;

typedef struct
{
  GArray *frames; /* of Frame */
  ZcElement *loop; /* owned */
  ZcPad *pushing; /* owned */
  guint number;
} Thread;

static void
thread_free (gpointer data)
{
  Thread *self = data;

  for (guint i = 0; i < self->frames->len; i++)
    zc_element_unref (g_array_index (self->frames, Frame, i).element);
  g_array_unref (self->frames);
  zc_element_unref (self->loop);
  zc_pad_unref (self->pushing);
  g_free (self);
}

static GPrivate key = G_PRIVATE_INIT (thread_free);

static Thread *
get (void)
{
  Thread *self = g_private_get (&key);

  if (self != NULL)
    return self;
  self = g_new0 (Thread, 1);
  self->frames = g_array_new (FALSE, FALSE, sizeof (Frame));
  self->number = syscall (SYS_gettid);
  g_private_set (&key, self);
  return self;
}

static void
enter (ZcElement *element, gboolean is_state)
{
  Frame frame = { element, gst_util_get_timestamp (), is_state };

  if (element != NULL)
    zc_element_ref (element);
  g_array_append_val (get ()->frames, frame);
}

void
zc_thread_enter (ZcElement *element)
{
  enter (element ? element : zc_thread_in (), FALSE);
}

void
zc_thread_enter_state (ZcElement *element)
{
  enter (element, TRUE);
}

gboolean
zc_thread_leave (ZcElement **element, gint64 *since)
{
  GArray *frames = get ()->frames;
  const Frame *frame;

  if (frames->len == 0)
    return FALSE;
  frame = &g_array_index (frames, Frame, frames->len - 1);
  *element = frame->element;
  *since = frame->since;
  g_array_set_size (frames, frames->len - 1);
  return TRUE;
}

void
zc_thread_set_loop (ZcElement *element)
{
  Thread *self = get ();

  if (self->frames->len > 0 || self->loop == element)
    return;
  zc_element_unref (self->loop);
  self->loop = zc_element_ref (element);
}

static const Frame *
top (void)
{
  GArray *frames = get ()->frames;

  return frames->len > 0 ? &g_array_index (frames, Frame, frames->len - 1)
                         : NULL;
}

ZcElement *
zc_thread_in (void)
{
  const Frame *frame = top ();

  return frame ? frame->element : NULL;
}

gboolean
zc_thread_in_state (void)
{
  const Frame *frame = top ();

  return frame != NULL && frame->is_state;
}

ZcElement *
zc_thread_loop (void)
{
  return get ()->loop;
}

void
zc_thread_set_pushing (ZcPad *pad)
{
  Thread *self = get ();

  zc_pad_unref (self->pushing);
  self->pushing = pad ? zc_pad_ref (pad) : NULL;
}

ZcPad *
zc_thread_take_pushing (void)
{
  return g_steal_pointer (&get ()->pushing);
}

guint
zc_thread_number (void)
{
  return get ()->number;
}
