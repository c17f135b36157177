/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "capture.h"

#include <stdlib.h>

#include "context.h"
#include "stream.h"
#include "thread.h"

static ScCapture *captures;
static uint64_t last_id;

void
sc_capture_invalidate (ScCapture *capture)
{
  capture->invalid = true;
}

void
sc_capture_unref (ScCapture *capture)
{
  if (!capture || --capture->refs > 0)
    return;
  free (capture->ops.items);
  free (capture);
}

CUresult
sc_capture_begin (ScStream *stream, CUstreamCaptureMode mode)
{
  ScCapture *capture;

  if ((unsigned) mode > CU_STREAM_CAPTURE_MODE_RELAXED)
    return CUDA_ERROR_INVALID_VALUE;
  if (stream->capture)
    return CUDA_ERROR_ILLEGAL_STATE;
  capture = calloc (1, sizeof *capture);
  if (!capture)
    return CUDA_ERROR_OUT_OF_MEMORY;
  capture->refs = 1;
  capture->id = ++last_id;
  capture->mode = mode;
  capture->thread = sc_thread ()->id;
  capture->origin = stream;
  capture->next = captures;
  captures = capture;
  stream->capture = capture;
  return CUDA_SUCCESS;
}

static void
leave (ScStream *stream)
{
  stream->capture = NULL;
  sc_clock_clear (&stream->recorded);
}

static void
leave_all (ScContext *ctx, ScCapture *capture)
{
  for (ScStream *stream = ctx->streams; stream; stream = stream->next)
    if (stream->capture == capture)
      leave (stream);
}

static void
finish (ScCapture *capture)
{
  ScCapture **link = &captures;

  while (*link != capture)
    link = &(*link)->next;
  *link = capture->next;
  sc_context_for_each (leave_all, capture);
  for (unsigned i = 0; i < capture->ops.n; i++)
    sc_op_unref (capture->ops.items[i]);
  capture->ops.n = 0;
  capture->ended = true;
  sc_capture_unref (capture);
}

/* What a stream of the capture did must come before the end of its origin. */
static void
check_joined (ScContext *ctx, ScCapture *capture)
{
  const ScStream *origin = capture->origin;

  for (const ScStream *s = ctx->streams; s; s = s->next)
    if (s->capture == capture &&
        !sc_clock_covers (&origin->recorded, s->actor,
            sc_clock_get (&s->recorded, s->actor)))
      capture->unjoined = true;
}

CUresult
sc_capture_end (ScStream *stream, ScOpList *ops)
{
  ScCapture *capture = stream->capture;
  CUresult result = CUDA_SUCCESS;

  if (!capture)
    return CUDA_ERROR_ILLEGAL_STATE;
  if (capture->origin != stream) {
    sc_capture_invalidate (capture);
    return CUDA_ERROR_STREAM_CAPTURE_UNMATCHED;
  }
  sc_context_for_each (check_joined, capture);
  if (capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED &&
      capture->thread != sc_thread ()->id) {
    result = CUDA_ERROR_STREAM_CAPTURE_WRONG_THREAD;
  } else if (capture->invalid) {
    result = CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  } else if (capture->unjoined) {
    result = CUDA_ERROR_STREAM_CAPTURE_UNJOINED;
  } else {
    *ops = capture->ops;
    capture->ops = (ScOpList) { 0 };
  }
  finish (capture);
  return result;
}

void
sc_capture_add (ScStream *stream, ScOp *op)
{
  sc_clock_tick (&stream->recorded, stream->actor);
  sc_op_list_add (&stream->capture->ops, sc_op_ref (op));
}

CUresult
sc_capture_join (ScStream *stream, ScCapture *capture, const ScClock *clock)
{
  if (capture->invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  if (stream->capture && stream->capture != capture) {
    capture->invalid = stream->capture->invalid = true;
    return CUDA_ERROR_STREAM_CAPTURE_MERGE;
  }
  stream->capture = capture;
  sc_clock_join (&stream->recorded, clock);
  return CUDA_SUCCESS;
}

void
sc_capture_forget (ScStream *stream)
{
  ScCapture *capture = stream->capture;

  if (!capture)
    return;
  if (capture->origin == stream) {
    finish (capture);
    return;
  }
  check_joined (stream->ctx, capture);
  leave (stream);
}

static bool
prohibits (const ScCapture *capture, const ScThread *thread)
{
  bool own = capture->thread == thread->id;

  if (thread->capture_mode == CU_STREAM_CAPTURE_MODE_RELAXED)
    return false;
  if (own)
    return capture->mode != CU_STREAM_CAPTURE_MODE_RELAXED;
  return thread->capture_mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
      capture->mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

CUresult
sc_capture_check_unsafe (void)
{
  const ScThread *thread = sc_thread ();
  CUresult result = CUDA_SUCCESS;

  for (ScCapture *capture = captures; capture; capture = capture->next)
    if (prohibits (capture, thread)) {
      sc_capture_invalidate (capture);
      result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
    }
  return result;
}

static bool
is_blocking (const ScStream *stream)
{
  return !(stream->flags & CU_STREAM_NON_BLOCKING);
}

bool
sc_capture_of_blocking (const ScContext *ctx)
{
  for (const ScStream *s = ctx->streams; s; s = s->next)
    if (s->capture && is_blocking (s))
      return true;
  return false;
}

/* Those of blocking streams, or all. */
static bool
invalidate_in (const ScContext *ctx, bool all)
{
  bool found = false;

  for (const ScStream *s = ctx->streams; s; s = s->next)
    if (s->capture && (all || is_blocking (s))) {
      sc_capture_invalidate (s->capture);
      found = true;
    }
  return found;
}

CUresult
sc_capture_check_legacy (const ScContext *ctx)
{
  return invalidate_in (ctx, false) ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT
                                    : CUDA_SUCCESS;
}

CUresult
sc_capture_check_context (const ScContext *ctx)
{
  return invalidate_in (ctx, true) ? CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED
                                   : CUDA_SUCCESS;
}

CUresult
sc_capture_check_work (const ScStream *stream)
{
  if (stream->legacy)
    return sc_capture_check_legacy (stream->ctx);
  return stream->capture && stream->capture->invalid
      ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED
      : CUDA_SUCCESS;
}

CUresult
sc_capture_check_question (const ScStream *stream)
{
  if (stream->legacy)
    return sc_capture_check_legacy (stream->ctx);
  if (!stream->capture)
    return CUDA_SUCCESS;
  if (stream->capture->invalid)
    return CUDA_ERROR_STREAM_CAPTURE_INVALIDATED;
  sc_capture_invalidate (stream->capture);
  return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
}

CUresult
sc_capture_check_wait (const ScStream *stream)
{
  CUresult result = sc_capture_check_question (stream);

  return result == CUDA_SUCCESS ? sc_capture_check_unsafe () : result;
}

CUstreamCaptureStatus
sc_capture_status (const ScStream *stream)
{
  if (!stream->capture)
    return CU_STREAM_CAPTURE_STATUS_NONE;
  return stream->capture->invalid ? CU_STREAM_CAPTURE_STATUS_INVALIDATED
                                  : CU_STREAM_CAPTURE_STATUS_ACTIVE;
}
