/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcmemoryhold.h"

#include "gstzcallocator.h"
#include "gstzcbarrier.h"
#include "gstzcreaper.h"
#include "gstzcreservation.h"

static ZcMemoryHold *
hold_of (GstMiniObject *object)
{
  return zc_reservation_get_hold (
      zc_reservation_peek (GST_MEMORY_CAST (object)));
}

static gboolean
is_idle (gpointer memory)
{
  return zc_reservation_is_idle (zc_reservation_peek (memory));
}

static void
unref_memory (gpointer memory)
{
  gst_memory_unref (memory);
}

static gboolean
owes_upload (GstMiniObject *object)
{
  return hold_of (object)->keep_cpu_writes &&
      GST_MINI_OBJECT_FLAG_IS_SET (object,
          GST_CUDA_MEMORY_TRANSFER_NEED_UPLOAD);
}

/* Any CUDA map has gst-cuda upload what a CPU wrote. */
static void
upload (GstMiniObject *object)
{
  GstMapInfo map;

  if (gst_memory_map (GST_MEMORY_CAST (object), &map,
          GST_MAP_READ | GST_MAP_CUDA | ZC_MAP_OWN))
    gst_memory_unmap (GST_MEMORY_CAST (object), &map);
  else
    GST_MINI_OBJECT_FLAG_UNSET (object, GST_CUDA_MEMORY_TRANSFER_NEED_UPLOAD);
}

static gboolean
dispose (GstMiniObject *object)
{
  ZcMemoryHold *hold = hold_of (object);

  /* Else gst-cuda waits on the host for the bridge, which has nothing more to
   * do with this memory. */
  if (zc_is_own_memory (GST_MEMORY_CAST (object)))
    GST_MINI_OBJECT_FLAG_UNSET (object, GST_CUDA_MEMORY_TRANSFER_NEED_SYNC);
  object->dispose = hold->dispose;
  return object->dispose ? object->dispose (object) : TRUE;
}

static gboolean
dispose_when_idle (GstMiniObject *object)
{
  ZcReservation *reservation = zc_reservation_peek (GST_MEMORY_CAST (object));
  gboolean owes = owes_upload (object);

  if ((!owes && zc_reservation_is_idle (reservation)) ||
      !zc_barrier_holds (ZC_BARRIER_DISPOSE_HOLD))
    return dispose (object);
  gst_mini_object_ref (object);
  if (owes)
    upload (object);
  zc_reaper_add_polled (zc_reservation_get_bridge (reservation)->context,
      is_idle, unref_memory, object);
  return FALSE;
}

void
zc_memory_hold (GstMemory *memory)
{
  GstMiniObject *object = GST_MINI_OBJECT_CAST (memory);

  if (object->dispose == dispose_when_idle)
    return;
  hold_of (object)->dispose = object->dispose;
  object->dispose = dispose_when_idle;
}
