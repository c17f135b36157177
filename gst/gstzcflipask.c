/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcflipask.h"

static GPrivate innermost;

void
zc_flip_ask_begin (ZcFlipAsk *self, gconstpointer element,
    GstVideoOrientationMethod active)
{
  *self = (ZcFlipAsk) { element, active, g_private_get (&innermost) };
  g_private_set (&innermost, self);
}

void
zc_flip_ask_end (ZcFlipAsk *self)
{
  g_private_set (&innermost, self->outer);
}

GstVideoOrientationMethod
zc_flip_ask_get (gconstpointer element, GstVideoOrientationMethod active)
{
  ZcFlipAsk *ask = g_private_get (&innermost);

  while (ask != NULL && ask->element != element)
    ask = ask->outer;
  return ask != NULL ? ask->active : active;
}
