/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcmark.h"

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

  if (!use_context (mark, stream->context, error) ||
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
zc_mark_record_whole_context (ZcMark *mark, ZcContext *context)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;

  if (!zc_cu.cuCtxRecordEvent || !use_context (mark, context, NULL) ||
      !zc_context_push (context, &guard, NULL) ||
      !ZC_CU (NULL, cuCtxRecordEvent, context->handle, mark->event))
    return FALSE;
  mark->stream_id = ZC_NO_STREAM;
  mark->pending = TRUE;
  return TRUE;
}

gboolean
zc_mark_record_context_or_legacy (ZcMark *mark, ZcContext *context,
    GError **error)
{
  const ZcStreamKey legacy = {
    .context = context, .handle = CU_STREAM_LEGACY, .id = ZC_NO_STREAM
  };

  return zc_mark_record_whole_context (mark, context) ||
      zc_mark_record (mark, &legacy, error);
}
