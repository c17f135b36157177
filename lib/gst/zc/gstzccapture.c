/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzccapture.h"

void
zc_capture_lock (ZcContext *context)
{
  g_mutex_lock (&context->capture_lock);
}

void
zc_capture_unlock (ZcContext *context)
{
  g_mutex_unlock (&context->capture_lock);
}

gboolean
gst_zc_context_begin_capture (GstCudaContext *context, GError **error)
{
  ZcContext *state;

  g_return_val_if_fail (context != NULL, FALSE);

  /* Kept until the end, or the count would be forgotten. */
  state = zc_context_get (context, error);
  if (!state)
    return FALSE;
  zc_capture_lock (state);
  g_atomic_int_inc (&state->captures);
  zc_capture_unlock (state);
  return TRUE;
}

void
gst_zc_context_end_capture (GstCudaContext *context)
{
  g_autoptr (ZcContext) state = NULL;

  g_return_if_fail (context != NULL);

  state = zc_context_get (context, NULL);
  g_return_if_fail (state != NULL);
  g_return_if_fail (g_atomic_int_get (&state->captures) > 0);
  g_atomic_int_add (&state->captures, -1);
  zc_context_unref (state);
}

ZcCapture
zc_capture_ask (ZcContext *context)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  CUstreamCaptureStatus status;

  if (zc_context_push (context, &guard, NULL) &&
      zc_cu.cuStreamIsCapturing (CU_STREAM_LEGACY, &status) ==
          CUDA_ERROR_STREAM_CAPTURE_IMPLICIT)
    return ZC_CAPTURE_BLOCKING;
  return g_atomic_int_get (&context->captures) > 0 ? ZC_CAPTURE_DECLARED
                                                   : ZC_CAPTURE_NONE;
}

gboolean
zc_capture_check_legacy (const ZcStreamKey *stream, GError **error)
{
  if (stream->id != ZC_LEGACY_STREAM ||
      zc_capture_ask (stream->context) != ZC_CAPTURE_BLOCKING)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE,
      "The legacy stream of a CUDA context can't be used while a blocking "
      "stream of it is captured into a graph: give the memory a stream of its "
      "own, or capture a non-blocking stream");
  return FALSE;
}

static gboolean
is_captured (const ZcStreamKey *stream)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;

  return zc_context_push (stream->context, &guard, NULL) &&
      ZC_CU (NULL, cuStreamIsCapturing, stream->handle, &status) &&
      status != CU_STREAM_CAPTURE_STATUS_NONE;
}

gboolean
zc_capture_check_stream (const ZcStreamKey *stream, GError **error)
{
  if (stream->id == ZC_LEGACY_STREAM)
    return zc_capture_check_legacy (stream, error);
  if (!is_captured (stream))
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE,
      "A stream that is captured into a graph can't be given frames: its work "
      "runs when the graph is launched. Map on the stream that launches it");
  return FALSE;
}

void
zc_capture_note_broken (ZcContext *context)
{
  if (!g_atomic_int_compare_and_exchange (&context->broke_capture, FALSE, TRUE))
    return;
  GST_WARNING ("A capture of a stream into a CUDA graph was broken: it can't "
               "be "
               "seen from outside. Say so with gst_zc_context_begin_capture() "
               "and it will be spared");
}

ZcRelaxed
zc_relaxed_begin (void)
{
  ZcRelaxed self = { .mode = CU_STREAM_CAPTURE_MODE_RELAXED };

  if (!zc_context_guard_is_held ())
    self.changed = ZC_CU (NULL, cuThreadExchangeStreamCaptureMode, &self.mode);
  return self;
}

void
zc_relaxed_clear (ZcRelaxed *self)
{
  if (self->changed)
    zc_cu.cuThreadExchangeStreamCaptureMode (&self->mode);
  self->changed = FALSE;
}
