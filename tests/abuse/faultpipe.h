/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The pipelines that faults are put into, one for each element and path. */
#pragma once

#include <gst/video/video.h>

#include "reference.h"

G_BEGIN_DECLS

#define FAULT_FRAMES 5
#define FAULT_SINKS 2
/* From this frame on it is another size and direction. */
#define FAULT_CHANGE 3

/* Where frames come from. */
typedef enum
{
  FEED_POOL, /* videotestsrc, in buffers of the pool that it is offered */
  FEED_PAGEABLE,
  FEED_SHARED, /* pieces of a memory that nobody else holds */
  FEED_AGAIN, /* pieces of one memory of all frames, which is there for ever */
  FEED_CUDA, /* of another zcupload's pool */
  FEED_WRAPPED /* gst_zc_buffer_new_wrapped () */
} FaultFeed;

typedef struct
{
  const gchar *name;
  const gchar *launch; /* a source "src", sinks "s0" and "s1" */
  FaultFeed feed;
  GstVideoOrientationMethod turn[FAULT_SINKS]; /* what a sink sees */
  guint threads; /* that stream */
  gboolean foreign; /* elements of nvcodec, with a context of their own */
  gboolean contexts; /* each element has one of its own */
  gboolean changes; /* size and direction */
  gboolean seeks;
} FaultPipe;

extern const FaultPipe fault_pipes[];
extern const guint fault_n_pipes;

const FaultPipe *fault_pipe_find (const gchar *name);

/* The frame with that number as the source gives it, and as @sink sees it. */
void fault_pipe_frame (const FaultPipe *self, guint number, RefFrame *frame);
void fault_pipe_expect (const FaultPipe *self, guint sink, guint number,
    RefFrame *frame);
GstCaps *fault_pipe_caps (const FaultPipe *self, guint number, gboolean cuda);

GstClockTime fault_time_of (guint number);
guint fault_number_of (GstClockTime time);

G_END_DECLS
