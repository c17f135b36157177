/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* One direction for the whole of a query: GstBaseTransform turns caps twice for
 * one, there and back, and another thread may change the direction between. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct _ZcFlipAsk ZcFlipAsk;

struct _ZcFlipAsk
{
  gconstpointer element;
  GstVideoOrientationMethod active;
  ZcFlipAsk *outer; /* of another element, whose peer asks this one */
};

/* From here to the end caps of @element are turned by @active in this thread.
 * @self is on the stack; what begins last ends first. */
void zc_flip_ask_begin (ZcFlipAsk *self, gconstpointer element,
    GstVideoOrientationMethod active);
void zc_flip_ask_end (ZcFlipAsk *self);

/* What @element turns by in this thread, or @active where nobody asks. */
GstVideoOrientationMethod zc_flip_ask_get (gconstpointer element,
    GstVideoOrientationMethod active);

G_END_DECLS
