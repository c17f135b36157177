/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The application's end of a pipeline: buffers with known pictures. */
#pragma once

#include "pipe.h"

G_BEGIN_DECLS

typedef struct
{
  OrderRun *run;
  PipeSource kind;
  GstVideoInfo info;
  GstBufferPool *host; /* owned; for host memory */
  GstAllocator *pinned; /* owned */
  Source source; /* for device memory */
  OrderStream stream; /* where it writes that */
} Feed;

void feed_init (Feed *self, OrderRun *run, PipeSource kind, guint width,
    guint height);
/* @drained: nobody but the pipeline had buffers, and it has let go of them. A
 * fault of the run if not. */
void feed_clear (Feed *self, gboolean drained);
/* A buffer for frame @index. NULL, and a fault, if none comes back. */
GstBuffer *feed_next (Feed *self, guint index);
/* All buffers of host memory are here. */
gboolean feed_is_whole (Feed *self);

G_END_DECLS
