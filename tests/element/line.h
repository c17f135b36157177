/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A pipeline that turns frames by 90 degrees somewhere between an appsrc and an
 * appsink, fed and read at its own pace by a thread of its own. */
#pragma once

#include <gst/gst.h>
#include <gst/zc/zc.h>

G_BEGIN_DECLS

typedef struct
{
  GstElement *pipeline, *in, *out;
  gint device; /* that all frames in CUDA memory must be on */
  guint n_frames; /* to be sent */
  gint n_seen; /* buffers in CUDA memory that were looked at, atomic */
  guint32 seed;
  GThread *thread;
} Line;

/* @chain: with zcupload first and zcdownload last. @context: for all elements,
 * as an application gives it, or NULL. Starts it. */
void line_start (Line *self, const gchar *chain, GstCudaContext *context,
    gint device, guint n_frames);
/* Waits for its end: each frame was right, where it should be. */
void line_finish (Line *self);

G_END_DECLS
