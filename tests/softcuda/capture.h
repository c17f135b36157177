/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Captures: streams whose work goes into a graph instead of running, and which
 * calls of whom end that: all rules as measured. */

#pragma once

#include "op.h"

typedef struct _ScCapture ScCapture;

struct _ScCapture
{
  unsigned refs; /* of events that were recorded in it, and until it ends */
  uint64_t id;
  bool ended, invalid, unjoined;
  CUstreamCaptureMode mode;
  unsigned thread; /* that began it */
  ScStream *origin;
  ScOpList ops; /* held; what the graph will do */
  ScCapture *next; /* link in the list of those not ended */
};

/* With the lock held, all of them. */
CUresult sc_capture_begin (ScStream *stream, CUstreamCaptureMode mode);
/* Moves what was recorded to @ops. */
CUresult sc_capture_end (ScStream *stream, ScOpList *ops);
/* @op goes to the graph; it is not submitted. */
void sc_capture_add (ScStream *stream, ScOp *op);
/* @stream takes part in @capture after what @clock covers there. */
CUresult sc_capture_join (ScStream *stream, ScCapture *capture,
    const ScClock *clock);
/* @stream is destroyed. */
void sc_capture_forget (ScStream *stream);
void sc_capture_invalidate (ScCapture *capture);
void sc_capture_unref (ScCapture *capture);

/* What a call may not do now: each returns an error after it has invalidated
 * the captures in its way, or success. */
/* Potentially unsafe calls, by the mode of this thread. */
CUresult sc_capture_check_unsafe (void);
/* What uses the legacy stream of @ctx, which waits for blocking ones. */
CUresult sc_capture_check_legacy (const ScContext *ctx);
/* What is about all streams of @ctx. */
CUresult sc_capture_check_context (const ScContext *ctx);
/* New work for @stream. */
CUresult sc_capture_check_work (const ScStream *stream);
/* A question or a wait for @stream. */
CUresult sc_capture_check_wait (const ScStream *stream);

/* What a stream is, which one that is captured does not say. */
CUresult sc_capture_check_question (const ScStream *stream);

/* TRUE if a blocking stream of @ctx is being captured. Harmless. */
bool sc_capture_of_blocking (const ScContext *ctx);
CUstreamCaptureStatus sc_capture_status (const ScStream *stream);
