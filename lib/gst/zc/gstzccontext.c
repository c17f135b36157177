/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <gst/cuda/gstcudacontext.h>
#include <gst/cuda/gstcudaloader.h>

#include "gstzcbarrier.h"
#include "gstzccontext-private.h"
#include "gstzcflipkernel.h"
#include "gstzcmodule.h"
#include "gstzcreaper.h"
#include "gstzctrace-private.h"

/* Events made at once when there is none. */
#define EVENT_BATCH 16

/* All live states, by CUcontext. */
static GMutex table_lock;
static GHashTable *table;

static ZcContext *
zc_context_new (GstCudaContext *wrapper, GError **error)
{
  CUcontext handle = gst_cuda_context_get_handle (wrapper);
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  CUdevice device;
  ZcContext *self;

  if (!zc_context_guard_push (&guard, handle, error) ||
      !ZC_CU (error, cuCtxGetDevice, &device))
    return NULL;

  self = g_new0 (ZcContext, 1);
  g_atomic_ref_count_init (&self->refcount);
  self->wrapper = wrapper;
  if (zc_barrier_holds (ZC_BARRIER_CONTEXT_HOLD))
    gst_object_ref (wrapper);
  self->handle = handle;
  self->device = device;
  g_mutex_init (&self->lock);
  g_mutex_init (&self->capture_lock);
  self->events = g_ptr_array_new ();
  self->host_events = g_ptr_array_new ();
  self->streams = g_ptr_array_new ();
  return self;
}

ZcContext *
zc_context_get (GstCudaContext *wrapper, GError **error)
{
  ZcContext *self;

  if (!zc_cuda_init (error))
    return NULL;

  g_mutex_lock (&table_lock);
  if (!table)
    table = g_hash_table_new (NULL, NULL);
  self = g_hash_table_lookup (table, gst_cuda_context_get_handle (wrapper));
  if (self) {
    zc_context_ref (self);
  } else if ((self = zc_context_new (wrapper, error))) {
    g_hash_table_insert (table, self->handle, self);
  }
  g_mutex_unlock (&table_lock);
  return self;
}

ZcContext *
zc_context_find (CUcontext handle)
{
  ZcContext *self = NULL;

  g_mutex_lock (&table_lock);
  if (table && (self = g_hash_table_lookup (table, handle)))
    zc_context_ref (self);
  g_mutex_unlock (&table_lock);
  return self;
}

ZcContext *
zc_context_ref (ZcContext *self)
{
  g_atomic_ref_count_inc (&self->refcount);
  return self;
}

static void
destroy_events (GPtrArray *events)
{
  for (guint i = 0; i < events->len; i++)
    zc_cu.cuEventDestroy (g_ptr_array_index (events, i));
}

static void
forget_modules (ZcContext *self, gboolean unload)
{
  if (self->modules)
    zc_modules_free (self->modules, unload);
  self->modules = NULL;
}

static void
destroy_driver_objects (ZcContext *self)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;

  if (!zc_context_push (self, &guard, NULL)) {
    /* The modules went with the context. */
    g_clear_pointer (&self->kernels, g_free);
    forget_modules (self, FALSE);
    return;
  }
  zc_trace_context_ends (self->handle);
  destroy_events (self->events);
  destroy_events (self->host_events);
  g_clear_pointer (&self->kernels, zc_kernels_free);
  forget_modules (self, TRUE);
}

void
zc_context_unref (ZcContext *self)
{
  gboolean last;

  if (!self)
    return;

  /* Under the table's lock, so that zc_context_get() never revives a state
   * whose last reference is gone. */
  g_mutex_lock (&table_lock);
  last = g_atomic_ref_count_dec (&self->refcount);
  if (last)
    g_hash_table_remove (table, self->handle);
  g_mutex_unlock (&table_lock);
  if (!last)
    return;

  g_clear_pointer (&self->reaper, zc_reaper_free);
  gst_clear_cuda_stream (&self->bridge);
  destroy_driver_objects (self);
  g_ptr_array_unref (self->events);
  g_ptr_array_unref (self->host_events);
  g_ptr_array_unref (self->streams);
  g_mutex_clear (&self->lock);
  g_mutex_clear (&self->capture_lock);
  if (zc_barrier_holds (ZC_BARRIER_CONTEXT_HOLD))
    gst_object_unref (self->wrapper);
  g_free (self);
}

static CUevent
take_idle (ZcContext *self, GPtrArray *events)
{
  CUevent event = NULL;

  g_mutex_lock (&self->lock);
  if (events->len > 0)
    event = g_ptr_array_steal_index_fast (events, events->len - 1);
  g_mutex_unlock (&self->lock);
  return event;
}

static void
give (ZcContext *self, GPtrArray *events, CUevent event)
{
  if (!event)
    return;
  g_mutex_lock (&self->lock);
  g_ptr_array_add (events, event);
  g_mutex_unlock (&self->lock);
}

/* Not in the steady path: events come back and are used again. Several at once,
 * so that what is in flight may grow a little with none made. */
static CUevent
make_events (ZcContext *self, GPtrArray *events, guint flags, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  CUevent event, spare;
  guint i;

  if (!zc_context_push (self, &guard, error) ||
      !ZC_CU (error, cuEventCreate, &event, flags))
    return NULL;
  for (i = 1; i < EVENT_BATCH; i++) {
    if (ZC_CU (NULL, cuEventCreate, &spare, flags))
      give (self, events, spare);
  }
  return event;
}

CUevent
zc_context_take_event (ZcContext *self, GError **error)
{
  CUevent event = take_idle (self, self->events);

  return event
      ? event
      : make_events (self, self->events, CU_EVENT_DISABLE_TIMING, error);
}

void
zc_context_give_event (ZcContext *self, CUevent event)
{
  give (self, self->events, event);
}

CUevent
zc_context_take_host_event (ZcContext *self, GError **error)
{
  CUevent event = take_idle (self, self->host_events);

  return event ? event
               : make_events (self, self->host_events,
                     CU_EVENT_DISABLE_TIMING | CU_EVENT_BLOCKING_SYNC, error);
}

void
zc_context_give_host_event (ZcContext *self, CUevent event)
{
  give (self, self->host_events, event);
}

ZcEventState
zc_context_ask_event (ZcContext *self, CUevent event)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  CUresult result = zc_context_guard_try (&guard, self->handle);

  if (result == CUDA_SUCCESS)
    result = zc_cu.cuEventQuery (event);
  if (result == CUDA_ERROR_NOT_READY)
    return ZC_EVENT_PENDING;
  return result == CUDA_SUCCESS || zc_cuda_is_over (result) ? ZC_EVENT_OVER
                                                            : ZC_EVENT_UNKNOWN;
}

GstCudaStream *
zc_context_get_bridge (ZcContext *self, GError **error)
{
  g_mutex_lock (&self->lock);
  if (!self->bridge)
    self->bridge = gst_cuda_stream_new (self->wrapper);
  if (!self->bridge)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_DRIVER,
        "GStreamer's CUDA library could not make a stream: GST_DEBUG=cuda*:5 "
        "says why");
  g_mutex_unlock (&self->lock);
  return self->bridge;
}

static GstCudaContext *
wrap_primary (guint device_id, GError **error)
{
  GstCudaContext *wrapper;
  CUcontext handle;
  CUdevice device;
  int count = 0;

  /* gst-cuda has a loader of its own, which its constructors take as loaded. */
  if (!gst_cuda_load_library ()) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NO_DRIVER,
        "GStreamer's CUDA library can't use libcuda.so.1: GST_DEBUG=cuda*:5 "
        "says why; a newer driver helps");
    return NULL;
  }
  if (!ZC_CU (error, cuDeviceGetCount, &count))
    return NULL;
  if (device_id >= (guint) count) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_WRONG_DEVICE,
        "There is no CUDA device %u: this process sees %d, numbered from 0",
        device_id, count);
    return NULL;
  }
  if (!ZC_CU (error, cuDeviceGet, &device, device_id) ||
      !ZC_CU (error, cuDevicePrimaryCtxRetain, &handle, device))
    return NULL;

  wrapper = gst_cuda_context_new_wrapped (handle, device);
  if (!wrapper)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_DRIVER,
        "GStreamer's CUDA library refused the primary context of device %u: "
        "GST_DEBUG=cuda*:5 says why",
        device_id);
  return wrapper;
}

GstCudaContext *
gst_zc_context_new (guint device_id, GError **error)
{
  static GMutex lock;
  static GHashTable *primaries;
  GstCudaContext *wrapper;

  if (!zc_cuda_init (error))
    return NULL;

  g_mutex_lock (&lock);
  if (!primaries)
    primaries = g_hash_table_new (NULL, NULL);
  wrapper = g_hash_table_lookup (primaries, GUINT_TO_POINTER (device_id));
  if (!wrapper && (wrapper = wrap_primary (device_id, error))) {
    GST_OBJECT_FLAG_SET (wrapper, GST_OBJECT_FLAG_MAY_BE_LEAKED);
    g_hash_table_insert (primaries, GUINT_TO_POINTER (device_id), wrapper);
  }
  if (wrapper)
    gst_object_ref (wrapper);
  g_mutex_unlock (&lock);
  return wrapper;
}

gboolean
gst_zc_context_same (GstCudaContext *a, GstCudaContext *b)
{
  return a == b ||
      (a && b &&
          gst_cuda_context_get_handle (a) == gst_cuda_context_get_handle (b));
}
