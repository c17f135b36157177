/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcstream-private.h"

#include "gstzcbarrier.h"
#include "gstzccapture.h"
#include "gstzchostwait.h"

G_DEFINE_BOXED_TYPE (GstZcStream, gst_zc_stream, gst_zc_stream_ref,
    gst_zc_stream_unref)

static gboolean
ask_id (const ZcStreamKey *key, guint64 *id, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  unsigned long long answer;

  /* The question would break a capture. */
  if (!zc_capture_check_stream (key, error) ||
      !zc_context_push (key->context, &guard, error) ||
      !ZC_CU (error, cuStreamGetId, key->handle, &answer))
    return FALSE;
  *id = answer;
  return TRUE;
}

gboolean
zc_stream_key_init (ZcStreamKey *key, ZcContext *context, CUstream handle,
    GError **error)
{
  gboolean legacy = handle == NULL || handle == CU_STREAM_LEGACY;

  *key = (ZcStreamKey) { .context = context, .handle = handle };
  if (!legacy)
    return ask_id (key, &key->id, error);
  key->id = ZC_LEGACY_STREAM;
  return TRUE;
}

gboolean
zc_stream_key_wait (const ZcStreamKey *waiter, CUevent event, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;

  if (!zc_capture_check_legacy (waiter, error) ||
      !zc_context_push (waiter->context, &guard, error) ||
      !ZC_CU (error, cuStreamWaitEvent, waiter->handle, event, 0))
    return FALSE;
  if (waiter->event_waits)
    __atomic_fetch_add (waiter->event_waits, 1, __ATOMIC_RELAXED);
  return TRUE;
}

gboolean
zc_stream_key_wait_tail (const ZcStreamKey *waiter, const ZcStreamKey *other,
    GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  gboolean ok = FALSE;
  CUevent event;

  if (zc_stream_key_equal (waiter, other))
    return TRUE;

  if (!zc_capture_check_legacy (other, error))
    return FALSE;
  event = zc_context_take_event (other->context, error);
  if (!event)
    return FALSE;
  ok = zc_context_push (other->context, &guard, error) &&
      ZC_CU (error, cuEventRecord, event, other->handle);
  zc_context_guard_clear (&guard);
  ok = ok && zc_stream_key_wait (waiter, event, error);
  /* A wait takes the event's state when it is queued, so the event is free. */
  zc_context_give_event (other->context, event);
  return ok;
}

gboolean
zc_stream_key_finish (const ZcStreamKey *stream, GError **error)
{
  ZcHostWait wait;

  if (zc_host_wait_begin (&wait, stream, error))
    return zc_host_wait_end (&wait, NULL, error);
  zc_host_wait_clear (&wait);
  return FALSE;
}

gboolean
zc_stream_key_wait_on_host (const ZcStreamKey *stream)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  g_autoptr (GError) error = NULL;

  if (!zc_barrier_holds (ZC_BARRIER_NO_EVENT) ||
      (zc_capture_check_legacy (stream, &error) &&
          zc_context_push (stream->context, &guard, &error) &&
          ZC_CU (&error, cuStreamSynchronize, stream->handle)) ||
      zc_cuda_error_is_over (error))
    return TRUE;
  GST_WARNING ("Nothing tells when a stream is done: %s", error->message);
  return FALSE;
}

/* The calling thread's own default stream is another one on another thread. */
static gboolean
can_be_found (const GstZcStream *self)
{
  return self->key.handle != CU_STREAM_PER_THREAD;
}

GstZcStream *
zc_stream_find (ZcContext *context, guint64 id)
{
  GstZcStream *found = NULL;
  guint i;

  g_mutex_lock (&context->lock);
  for (i = 0; !found && i < context->streams->len; i++) {
    GstZcStream *stream = g_ptr_array_index (context->streams, i);

    if (stream->key.id == id && can_be_found (stream))
      found = gst_zc_stream_ref (stream);
  }
  g_mutex_unlock (&context->lock);
  return found;
}

static void
make_findable (GstZcStream *self)
{
  ZcContext *context = self->key.context;

  g_mutex_lock (&context->lock);
  g_ptr_array_add (context->streams, self);
  g_mutex_unlock (&context->lock);
}

/* Under the lock, so that zc_stream_find() never revives a stream whose last
 * reference is gone. */
static gboolean
drop_reference (GstZcStream *self)
{
  ZcContext *context = self->key.context;
  gboolean last;

  g_mutex_lock (&context->lock);
  last = g_atomic_ref_count_dec (&self->refcount);
  if (last)
    g_ptr_array_remove_fast (context->streams, self);
  g_mutex_unlock (&context->lock);
  return last;
}

static GstZcStream *
stream_new (ZcContext *context, CUstream handle, gboolean borrowed,
    GError **error)
{
  ZcStreamKey key;
  GstZcStream *self;

  if (!zc_stream_key_init (&key, context, handle, error))
    return NULL;

  self = g_new0 (GstZcStream, 1);
  g_atomic_ref_count_init (&self->refcount);
  self->key = key;
  self->key.event_waits = &self->event_waits;
  self->borrowed = borrowed;
  zc_context_ref (context);
  make_findable (self);
  return self;
}

GstZcStream *
gst_zc_stream_new (GstCudaContext *context, GError **error)
{
  g_autoptr (ZcContext) state = NULL;
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  GstZcStream *self;
  CUstream handle;

  g_return_val_if_fail (context != NULL, NULL);

  state = zc_context_get (context, error);
  if (!state || !zc_context_push (state, &guard, error) ||
      !ZC_CU (error, cuStreamCreate, &handle, CU_STREAM_NON_BLOCKING))
    return NULL;

  self = stream_new (state, handle, FALSE, error);
  if (!self)
    zc_cu.cuStreamDestroy (handle);
  return self;
}

GstZcStream *
gst_zc_stream_new_borrowed (GstCudaContext *context, gpointer handle,
    GError **error)
{
  g_autoptr (ZcContext) state = NULL;

  g_return_val_if_fail (context != NULL, NULL);

  state = zc_context_get (context, error);
  return state ? stream_new (state, handle, TRUE, error) : NULL;
}

GstZcStream *
zc_stream_new_lent (ZcContext *context, GstCudaStream *lender, GError **error)
{
  GstZcStream *self =
      stream_new (context, gst_cuda_stream_get_handle (lender), TRUE, error);

  if (self && lender)
    self->lender = gst_cuda_stream_ref (lender);
  return self;
}

GstZcStream *
gst_zc_stream_ref (GstZcStream *stream)
{
  g_atomic_ref_count_inc (&stream->refcount);
  return stream;
}

static void
destroy_handle (GstZcStream *stream)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  g_autoptr (GError) error = NULL;

  if (!zc_context_push (stream->key.context, &guard, &error) ||
      !ZC_CU (&error, cuStreamDestroy, stream->key.handle))
    GST_WARNING ("A CUDA stream was lost: %s", error->message);
}

void
gst_zc_stream_unref (GstZcStream *stream)
{
  if (!stream || !drop_reference (stream))
    return;
  if (!stream->borrowed)
    destroy_handle (stream);
  gst_clear_cuda_stream (&stream->lender);
  zc_context_unref (stream->key.context);
  g_free (stream);
}

gpointer
gst_zc_stream_get_handle (GstZcStream *stream)
{
  return stream->key.handle;
}

GstCudaContext *
gst_zc_stream_get_context (GstZcStream *stream)
{
  return stream->key.context->wrapper;
}

gboolean
gst_zc_stream_synchronize (GstZcStream *stream, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;

  /* A host wait, asked for by name. */
  return zc_context_push (stream->key.context, &guard, error) &&
      ZC_CU (error, cuStreamSynchronize, stream->key.handle);
}
