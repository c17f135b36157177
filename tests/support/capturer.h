/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Somebody else in the process who captures a stream into a CUDA graph, in a
 * thread of its own. */
#pragma once

#include <gst/zc/zc.h>

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;
  gboolean blocking; /* the stream */
  gboolean declared; /* by gst_zc_context_begin_capture () */
  guint mode; /* a CUstreamCaptureMode */
} Capturer;

/* Both kinds of streams in all modes, told of where that is needed. */
extern const Capturer capturers[];
extern const guint n_capturers;

typedef struct _CapturerRun CapturerRun;

/* Begins, in @context, and queues some work. */
CapturerRun *capturer_begin (const Capturer *self, GstCudaContext *context);
/* Ends: TRUE if the capture was not broken, and its graph does that work. */
gboolean capturer_end (CapturerRun *capture);

G_END_DECLS
