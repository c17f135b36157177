/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcmark.h"

#include "gstzccapture.h"

void
zc_mark_clear (gpointer data)
{
  ZcMark *mark = data;

  if (mark->context)
    zc_context_give_event (mark->context, mark->event);
  g_clear_pointer (&mark->context, zc_context_unref);
  mark->event = NULL;
}

/* An event can be recorded only on streams of its own context. */
static gboolean
use_context (ZcMark *mark, ZcContext *context, GError **error)
{
  CUevent event;

  if (mark->context == context)
    return TRUE;
  event = zc_context_take_event (context, error);
  if (!event)
    return FALSE;
  zc_mark_clear (mark);
  mark->context = zc_context_ref (context);
  mark->event = event;
  return TRUE;
}

gboolean
zc_mark_record (ZcMark *mark, const ZcStreamKey *stream, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;

  if (!zc_capture_check_legacy (stream, error) ||
      !use_context (mark, stream->context, error) ||
      !zc_context_push (stream->context, &guard, error) ||
      !ZC_CU (error, cuEventRecord, mark->event, stream->handle))
    return FALSE;
  mark->stream_id = stream->id;
  mark->pending = TRUE;
  return TRUE;
}

gboolean
zc_mark_is_of (const ZcMark *mark, const ZcStreamKey *stream)
{
  return mark->context == stream->context && mark->stream_id == stream->id;
}

gboolean
zc_mark_wait (const ZcMark *mark, const ZcStreamKey *stream, GError **error)
{
  /* One stream keeps its own order. */
  if (!mark->pending || zc_mark_is_of (mark, stream))
    return TRUE;
  return zc_stream_key_wait (stream, mark->event, error);
}

gboolean
zc_mark_is_done (const ZcMark *mark)
{
  return !mark->pending ||
      zc_context_ask_event (mark->context, mark->event) == ZC_EVENT_OVER;
}

gboolean
zc_mark_barrier (const ZcMark *mark, ZcBarrier which, const ZcStreamKey *stream,
    GError **error)
{
  return !zc_barrier_holds (which) || zc_mark_wait (mark, stream, error);
}

gboolean
zc_mark_is_untold (const ZcMark *mark)
{
  return mark->stream_id == ZC_NO_STREAM ||
      mark->stream_id == ZC_BLOCKING_STREAMS;
}

static CUresult
record_untold (ZcMark *mark, const ZcStreamKey *untold)
{
  return untold->id == ZC_NO_STREAM
      ? zc_cu.cuCtxRecordEvent (untold->context->handle, mark->event)
      : zc_cu.cuEventRecord (mark->event, CU_STREAM_LEGACY);
}

CUresult
zc_mark_record_untold (ZcMark *mark, const ZcStreamKey *untold, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  CUresult result;

  if (!use_context (mark, untold->context, error) ||
      !zc_context_push (untold->context, &guard, error))
    return CUDA_ERROR_UNKNOWN;
  result = record_untold (mark, untold);
  if (!zc_cuda_check (result,
          untold->id == ZC_NO_STREAM ? "cuCtxRecordEvent" : "cuEventRecord",
          error))
    return result;
  mark->stream_id = untold->id;
  mark->pending = TRUE;
  return CUDA_SUCCESS;
}
