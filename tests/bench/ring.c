/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "ring.h"

#include "driver.h"

#include <gst/cuda/gstcudacontext.h>
#include <stdlib.h>

#define ALIGNMENT 512
#define REPEATS 7
#define PATIENCE_SECONDS 3

struct _Ring
{
  GstCudaContext *context;
  GstZcStream *stream;
  CUdeviceptr from, to;
  gsize area;
  gboolean soft;
  CUevent start, end;
  GMutex lock;
  GCond opens;
  gboolean closed; /* under lock: the stream is held up */
};

/* Only what can't be done without is asked: all else shows in the times. */
static gboolean
check (CUresult result, const gchar *what, GError **error)
{
  if (result == CUDA_SUCCESS)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_DRIVER, "%s failed: error %d",
      what, result);
  return FALSE;
}

#define CU(call) check (cu.call, #call, error)

static void
enter (Ring *self)
{
  cu.cuCtxPushCurrent (gst_cuda_context_get_handle (self->context));
}

static void
leave (void)
{
  CUcontext old;

  cu.cuCtxPopCurrent (&old);
}

static gboolean
ring_alloc (Ring *self, GError **error)
{
  CUstream stream = gst_zc_stream_get_handle (self->stream);

  return CU (cuMemAlloc (&self->from, self->area)) &&
      CU (cuMemAlloc (&self->to, self->area)) &&
      CU (cuMemsetD8Async (self->from, 0x5a, self->area, stream)) &&
      CU (cuMemsetD8Async (self->to, 0xa5, self->area, stream)) &&
      CU (cuEventCreate (&self->start, CU_EVENT_DEFAULT)) &&
      CU (cuEventCreate (&self->end, CU_EVENT_DEFAULT));
}

Ring *
ring_new (gsize area, gboolean soft, GError **error)
{
  g_autoptr (Ring) self = g_new0 (Ring, 1);
  gboolean ok;

  g_mutex_init (&self->lock);
  g_cond_init (&self->opens);
  self->area = area;
  self->soft = soft;
  self->context = gst_zc_context_new (0, error);
  if (self->context)
    self->stream = gst_zc_stream_new (self->context, error);
  if (!self->stream)
    return NULL;
  enter (self);
  ok = ring_alloc (self, error);
  leave ();
  return ok ? g_steal_pointer (&self) : NULL;
}

static void
ring_free_memory (Ring *self)
{
  enter (self);
  if (self->from)
    cu.cuMemFree (self->from);
  if (self->to)
    cu.cuMemFree (self->to);
  if (self->start)
    cu.cuEventDestroy (self->start);
  if (self->end)
    cu.cuEventDestroy (self->end);
  leave ();
}

void
ring_free (Ring *self)
{
  if (self->context)
    ring_free_memory (self);
  g_clear_pointer (&self->stream, gst_zc_stream_unref);
  gst_clear_object (&self->context);
  g_mutex_clear (&self->lock);
  g_cond_clear (&self->opens);
  g_free (self);
}

/* On the stream. Not for ever: a call that waits for the device, as some do
 * that look harmless, would never come back. */
static void
wait_until_open (void *data)
{
  Ring *self = data;
  gint64 end = g_get_monotonic_time () + PATIENCE_SECONDS * G_USEC_PER_SEC;

  g_mutex_lock (&self->lock);
  while (self->closed && g_cond_wait_until (&self->opens, &self->lock, end)) {
  }
  g_mutex_unlock (&self->lock);
}

static void
set_closed (Ring *self, gboolean closed)
{
  g_mutex_lock (&self->lock);
  self->closed = closed;
  g_cond_broadcast (&self->opens);
  g_mutex_unlock (&self->lock);
}

static gboolean
queue_frames (Ring *self, gsize frame_bytes, guint n_frames, RingJob job,
    gpointer data, gdouble *cpu_us, GError **error)
{
  gsize step = (frame_bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  gsize n_slots = MAX (self->area / step, 1);
  gint64 began = g_get_monotonic_time ();

  for (guint i = 0; i < n_frames; i++) {
    gsize at = i % n_slots * step;

    if (!job (self->from + at, self->to + at, self->stream, data, error))
      return FALSE;
  }
  *cpu_us = (gdouble) (g_get_monotonic_time () - began) / n_frames;
  return TRUE;
}

static gboolean
time_once (Ring *self, gsize frame_bytes, guint n_frames, RingJob job,
    gpointer data, gboolean held_up, RingTime *time, GError **error)
{
  CUstream stream = gst_zc_stream_get_handle (self->stream);
  gboolean ok;
  float ms;

  set_closed (self, held_up);
  ok = CU (cuLaunchHostFunc (stream, wait_until_open, self)) &&
      CU (cuEventRecord (self->start, stream)) &&
      queue_frames (self, frame_bytes, n_frames, job, data, &time->cpu_us,
          error) &&
      CU (cuEventRecord (self->end, stream));
  set_closed (self, FALSE);
  ok = gst_zc_stream_synchronize (self->stream, ok ? error : NULL) && ok &&
      CU (elapsed_time (&ms, self->start, self->end));
  if (ok)
    time->us = ms * 1000.0 / n_frames;
  return ok;
}

static int
compare (const void *a, const void *b)
{
  gdouble x = ((const RingTime *) a)->us, y = ((const RingTime *) b)->us;

  return (x > y) - (x < y);
}

/* In the current context. The first run is to warm up: drivers load kernels,
 * their own ones too, when they are first used, and wait for the device. */
static gboolean
time_all (Ring *self, gsize frame_bytes, guint n_frames, RingJob job,
    gpointer data, RingTime *times, GError **error)
{
  for (gint i = -1; i < REPEATS; i++) {
    if (!time_once (self, frame_bytes, n_frames, job, data,
            i >= 0 && !self->soft, &times[MAX (i, 0)], error))
      return FALSE;
  }
  return TRUE;
}

gboolean
ring_time (Ring *self, gsize frame_bytes, guint n_frames, RingJob job,
    gpointer data, RingTime *time, GError **error)
{
  RingTime times[REPEATS];
  gboolean ok;

  if (frame_bytes > self->area) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "a frame of %" G_GSIZE_FORMAT " bytes does not fit into the ring",
        frame_bytes);
    return FALSE;
  }
  enter (self);
  ok = time_all (self, frame_bytes, n_frames, job, data, times, error);
  leave ();
  if (!ok)
    return FALSE;
  qsort (times, REPEATS, sizeof times[0], compare);
  *time = times[REPEATS / 2];
  return TRUE;
}
