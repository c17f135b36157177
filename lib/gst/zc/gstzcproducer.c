/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcproducer.h"

#include "gstzcbarrier.h"
#include "gstzccapture.h"
#include "gstzcforeign.h"
#include "gstzcreservation.h"

/* When pixels are there, once what a CAI's `stream` means is known. */
typedef enum
{
  NOW,
  AFTER_STREAM,
  AFTER_EVENT,
  AFTER_CONTEXT /* all of its streams */
} When;

typedef struct
{
  When when;
  gpointer handle;
  ZcDeviceSync *sync;
} Order;

static gboolean
order_of_cai (Order *order, gint64 stream, GError **error)
{
  switch (stream) {
    case GST_ZC_CAI_NONE:
      order->when = NOW;
      return TRUE;
    case GST_ZC_CAI_NO_STREAM:
      order->when = AFTER_STREAM;
      order->handle = CU_STREAM_LEGACY;
      return TRUE;
    case 0:
    case 1:
    case 2:
      order->when = AFTER_CONTEXT;
      return TRUE;
    default:
      break;
  }
  if (stream < 0) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "The stream of a CUDA Array Interface can't be %" G_GINT64_FORMAT
        ": give -1 for None, or a handle",
        stream);
    return FALSE;
  }
  order->when = AFTER_STREAM;
  order->handle = (gpointer) (guintptr) stream;
  return TRUE;
}

static gboolean
order_of (Order *order, const GstZcProducer *producer, GError **error)
{
  order->handle = producer->handle;
  switch (producer->kind) {
    case GST_ZC_PRODUCER_NONE:
      order->when = NOW;
      return TRUE;
    case GST_ZC_PRODUCER_STREAM:
      order->when = AFTER_STREAM;
      return TRUE;
    case GST_ZC_PRODUCER_EVENT:
      order->when = AFTER_EVENT;
      return TRUE;
    case GST_ZC_PRODUCER_CAI:
      return order_of_cai (order, producer->cai_stream, error);
  }
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
      "There is no kind of producer with the number %d", producer->kind);
  return FALSE;
}

static gboolean
after_stream (ZcReservation *reservation, ZcContext *context,
    const Order *order, GError **error)
{
  ZcStreamKey stream;

  if (!zc_stream_key_init (&stream, context, order->handle, error))
    return FALSE;
  /* Later, after more, while an event there would break a capture. */
  if (!zc_capture_check_legacy (&stream, NULL))
    return zc_reservation_note_unknown_write (reservation, order->sync, error);
  return zc_reservation_release (reservation, GST_MAP_WRITE, &stream, error);
}

/* The owner may destroy the event, or record it again: the bridge's own goes
 * into the mark. */
static gboolean
after_event (ZcReservation *reservation, CUevent event, GError **error)
{
  const ZcStreamKey *bridge = zc_reservation_get_bridge (reservation);

  return zc_stream_key_wait (bridge, event, error) &&
      zc_reservation_release (reservation, GST_MAP_WRITE, bridge, error);
}

static ZcBarrier
barrier_of (When when)
{
  static const ZcBarrier barriers[] = {
    [NOW] = ZC_N_BARRIERS,
    [AFTER_STREAM] = ZC_BARRIER_PRODUCER_STREAM,
    [AFTER_EVENT] = ZC_BARRIER_PRODUCER_EVENT,
    [AFTER_CONTEXT] = ZC_BARRIER_PRODUCER_CONTEXT,
  };

  return barriers[when];
}

static gboolean
order_memory (GstMemory *memory, const Order *order, ZcContext *context,
    GError **error)
{
  ZcReservation *reservation = zc_reservation_get (memory, error);

  if (!reservation)
    return FALSE;
  zc_reservation_keep_cpu_writes (reservation);
  /* Readers who know nothing of us then come after the bridge. */
  if (order->when != NOW && zc_barrier_holds (ZC_BARRIER_PRODUCER_SYNC))
    GST_MINI_OBJECT_FLAG_SET (memory, GST_CUDA_MEMORY_TRANSFER_NEED_SYNC);
  if (!zc_barrier_holds (barrier_of (order->when)))
    return TRUE;
  switch (order->when) {
    case AFTER_STREAM:
      return after_stream (reservation, context, order, error);
    case AFTER_EVENT:
      return after_event (reservation, order->handle, error);
    case AFTER_CONTEXT:
      return zc_reservation_note_unknown_write (reservation, order->sync,
          error);
    case NOW:
      break;
  }
  return TRUE;
}

gboolean
zc_producer_order (const GstZcProducer *producer, ZcContext *context,
    GstBuffer *buffer, GError **error)
{
  g_autoptr (ZcDeviceSync) sync = zc_device_sync_new (context);
  Order order = { .sync = sync };
  guint i;

  if (!order_of (&order, producer, error))
    return FALSE;
  for (i = 0; i < gst_buffer_n_memory (buffer); i++) {
    if (!order_memory (gst_buffer_peek_memory (buffer, i), &order, context,
            error))
      return FALSE;
  }
  return TRUE;
}

static ZcMark *
take_mark (gpointer mark, const ZcStreamKey *stream)
{
  return mark;
}

static gboolean
wait_for_context (GstZcStream *stream, ZcDeviceSync *sync, GError **error)
{
  ZcMark mark = { 0 };
  ZcUntold result = zc_untold_record (stream->key.context,
      ZC_UNTOLD_MAY_WAIT | ZC_UNTOLD_NOW, sync, take_mark, &mark, error);
  gboolean ok = zc_untold_check (result, error) &&
      zc_mark_wait (&mark, &stream->key, error);

  zc_mark_clear (&mark);
  return ok;
}

gboolean
gst_zc_stream_wait_producer (GstZcStream *stream, const GstZcProducer *producer,
    GError **error)
{
  g_autoptr (ZcDeviceSync) sync = zc_device_sync_new (stream->key.context);
  Order order = { .sync = sync };
  ZcStreamKey other;

  if (!order_of (&order, producer, error))
    return FALSE;
  switch (order.when) {
    case AFTER_STREAM:
      return zc_stream_key_init (&other, stream->key.context, order.handle,
                 error) &&
          zc_stream_key_wait_tail (&stream->key, &other, error);
    case AFTER_EVENT:
      return zc_stream_key_wait (&stream->key, order.handle, error);
    case AFTER_CONTEXT:
      return wait_for_context (stream, sync, error);
    case NOW:
      break;
  }
  return TRUE;
}
