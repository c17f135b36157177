/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Whole pipelines between an application that pushes pictures and sinks that
 * look at them. */
#pragma once

#include "elements.h"
#include "sources.h"

G_BEGIN_DECLS

/* What the application pushes. */
typedef enum
{
  PIPE_HOST, /* page-locked buffers of a pool of few, filled at once again */
  PIPE_PAGEABLE, /* the same in ordinary memory */
  PIPE_DEVICE, /* memory of our pool, written by GStreamer's rule */
  PIPE_FOREIGN, /* memory of GstCudaBufferPool */
  PIPE_WRAPPED /* memory of its own */
} PipeSource;

/* What somebody does meanwhile, at a moment that the seed picks. */
typedef enum
{
  PIPE_NOTHING,
  PIPE_FLUSH,
  PIPE_SEEK,
  PIPE_STATES, /* down to PAUSED or READY and up again */
  PIPE_STOP, /* down to NULL */
  PIPE_CAPS, /* another size */
  PIPE_DRAIN,
  PIPE_TURN /* video-direction, again and again */
} PipeAction;

typedef struct
{
  const gchar *launch; /* appsrc name=src ..., sinks called s0, p1, ... */
  PipeSource source;
  PipeAction action;
} Pipe;

void pipe_run (OrderRun *run, gconstpointer pipe);

G_END_DECLS
