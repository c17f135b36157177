/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The source of such a pipeline: frames of known pixels. */
#pragma once

#include <gst/app/gstappsrc.h>
#include <gst/check/gstharness.h>

#include "faultpipe.h"
#include "foreignpicture.h"

G_BEGIN_DECLS

typedef struct
{
  const FaultPipe *pipe;
  GstHarness *upload; /* for FEED_CUDA */
  ForeignPicture picture[FAULT_FRAMES]; /* for FEED_WRAPPED */
  guint n_pictures;
  guint n_wraps[FAULT_FRAMES]; /* how often each was wrapped */
  GstBuffer *whole; /* for FEED_AGAIN: all frames */
  GQueue samples; /* of GstSample: for appsrc */
  gint broken; /* atomic: a frame of videotestsrc could not be written */
} FaultSource;

void fault_source_init (FaultSource *self, const FaultPipe *pipe);
/* @lost: a context is, so that nothing can be freed. */
void fault_source_clear (FaultSource *self, gboolean lost);

/* Makes what the "src" of @pipeline will give; before each start. */
void fault_source_fill (FaultSource *self, GstElement *pipeline);

/* NULL, or what is wrong: wrapped pictures must have come back. */
const gchar *fault_source_check (FaultSource *self);

G_END_DECLS
