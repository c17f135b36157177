/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcuntold.h"

#include "gstzccapture.h"

#define QUIET_US (20 * G_TIME_SPAN_MILLISECOND)

/* What comes of one event. */
typedef enum
{
  RECORDED,
  FAILED,
  IN_THE_WAY, /* is a capture */
  NOT_SUPPORTED
} Outcome;

static Outcome
outcome_of (CUresult result)
{
  switch (result) {
    case CUDA_SUCCESS:
      return RECORDED;
    case CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED:
    case CUDA_ERROR_STREAM_CAPTURE_IMPLICIT:
      return IN_THE_WAY;
    case CUDA_ERROR_NOT_SUPPORTED:
      return NOT_SUPPORTED;
    default:
      return FAILED;
  }
}

static Outcome
record (ZcContext *context, guint64 id, ZcMarkFinder find, gpointer data,
    GError **error)
{
  const ZcStreamKey untold = { .context = context, .id = id };
  g_autoptr (GError) own = NULL;
  Outcome outcome =
      outcome_of (zc_mark_record_untold (find (data, &untold), &untold, &own));

  if (outcome == IN_THE_WAY)
    zc_capture_note_broken (context);
  if (outcome == FAILED)
    g_propagate_error (error, g_steal_pointer (&own));
  return outcome;
}

static Outcome
record_all (ZcContext *context, ZcCapture capture, ZcMarkFinder find,
    gpointer data, GError **error)
{
  if (!zc_cu.cuCtxRecordEvent)
    return NOT_SUPPORTED;
  if (capture != ZC_CAPTURE_NONE)
    return IN_THE_WAY;
  return record (context, ZC_NO_STREAM, find, data, error);
}

static gboolean
may_be_partly (Outcome outcome, ZcCapture capture, ZcUntoldFlags flags)
{
  if (capture == ZC_CAPTURE_BLOCKING)
    return FALSE;
  if (outcome == NOT_SUPPORTED && (flags & ZC_UNTOLD_PARTLY))
    return TRUE;
  return (flags & ZC_UNTOLD_NOW) &&
      (outcome == IN_THE_WAY || capture != ZC_CAPTURE_NONE);
}

static ZcUntold
wait_on_host (ZcContext *context, ZcDeviceSync *sync, GError **error)
{
  g_autoptr (ZcDeviceSync) used =
      sync ? zc_device_sync_ref (sync) : zc_device_sync_new (context);

  return zc_device_sync_once (used, error) ? ZC_UNTOLD_WAITED
                                           : ZC_UNTOLD_FAILED;
}

/* With the lock. Who captures one stream often captures the next at once, and
 * may begin between our look and our event. Who asks often does without until
 * there has been none for a while. */
static ZcCapture
ask (ZcContext *context, ZcUntoldFlags flags)
{
  ZcCapture capture = zc_capture_ask (context);

  if (capture == ZC_CAPTURE_BLOCKING)
    context->quiet_at = g_get_monotonic_time () + QUIET_US;
  else if ((flags & ZC_UNTOLD_AGAIN) && context->quiet_at > 0 &&
      g_get_monotonic_time () < context->quiet_at)
    return ZC_CAPTURE_BLOCKING;
  return capture;
}

ZcUntold
zc_untold_record (ZcContext *context, ZcUntoldFlags flags, ZcDeviceSync *sync,
    ZcMarkFinder find, gpointer data, GError **error)
{
  ZcCapture capture;
  Outcome outcome;

  zc_capture_lock (context);
  capture = ask (context, flags);
  outcome = record_all (context, capture, find, data, error);
  if (may_be_partly (outcome, capture, flags))
    outcome = record (context, ZC_BLOCKING_STREAMS, find, data, error);
  zc_capture_unlock (context);

  if (outcome == NOT_SUPPORTED && capture == ZC_CAPTURE_NONE &&
      (flags & ZC_UNTOLD_MAY_WAIT))
    return wait_on_host (context, sync, error);
  if (outcome == FAILED)
    return ZC_UNTOLD_FAILED;
  return outcome == RECORDED ? ZC_UNTOLD_RECORDED : ZC_UNTOLD_OWED;
}

gboolean
zc_untold_check (ZcUntold result, GError **error)
{
  if (result == ZC_UNTOLD_OWED)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE,
        "Memory is used on streams that nobody tells, which can't be waited "
        "for "
        "while a blocking stream of the CUDA context is captured into a graph: "
        "end that first, capture a non-blocking stream, or tell the streams "
        "with "
        "gst_zc_buffer_mark_read() or a GstZcProducer");
  return result == ZC_UNTOLD_RECORDED || result == ZC_UNTOLD_WAITED;
}

GPtrArray *
zc_untold_contexts_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify) zc_context_unref);
}

void
zc_untold_contexts_add (GPtrArray *contexts, ZcContext *context)
{
  if (!g_ptr_array_find (contexts, context, NULL))
    g_ptr_array_add (contexts, zc_context_ref (context));
}
