/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: a stream as the barriers see it. */

#include <gst/cuda/gstcudastream.h>
#include <gst/zc/gstzccontext-private.h>
#include <gst/zc/gstzcstream.h>

G_BEGIN_DECLS

/* The id of a context's legacy stream. The driver is not asked for that one: it
 * would break a capture of a blocking stream. */
#define ZC_LEGACY_STREAM (G_MAXUINT64 - 2)

/* A stream of a context. Streams are told apart by @id, never by @handle: the
 * driver gives the handle of a destroyed stream to the next one. A value; does
 * not hold @context. */
typedef struct
{
  ZcContext *context;
  CUstream handle;
  guint64 id;
  gsize *event_waits; /* of its GstZcStream, or NULL */
} ZcStreamKey;

struct _GstZcStream
{
  gatomicrefcount refcount;
  ZcStreamKey key; /* holds its context */
  gboolean borrowed;
  GstCudaStream *lender; /* owned; whose handle it is, or NULL */
  gsize event_waits; /* atomic; barriers queued on this stream */
  gint usual_wait_us; /* atomic; of the host for a download */
};

/* The key of any CUstream of @context, which must be current or @handle a real
 * stream; NULL means the legacy stream of @context. */
gboolean zc_stream_key_init (ZcStreamKey *key, ZcContext *context,
    CUstream handle, GError **error);

static inline gboolean
zc_stream_key_equal (const ZcStreamKey *a, const ZcStreamKey *b)
{
  return a->context == b->context && a->id == b->id;
}

/* Makes @waiter wait, on the GPU, for @event. */
gboolean zc_stream_key_wait (const ZcStreamKey *waiter, CUevent event,
    GError **error);
/* Makes @waiter wait for all that is queued on @other now. */
gboolean zc_stream_key_wait_tail (const ZcStreamKey *waiter,
    const ZcStreamKey *other, GError **error);
/* A host wait for what is queued now, by an event: not for what others queue
 * meanwhile. */
gboolean zc_stream_key_finish (const ZcStreamKey *stream, GError **error);
/* A host wait, where no event could be had: the alternative is to let go of, or
 * to hand on, what the GPU still uses. FALSE if that failed too. */
gboolean zc_stream_key_wait_on_host (const ZcStreamKey *stream);

/* A GstZcStream for the handle of @lender, which it keeps. */
GstZcStream *zc_stream_new_lent (ZcContext *context, GstCudaStream *lender,
    GError **error);

/* A reference of a GstZcStream with this key that somebody else still holds,
 * or NULL. */
GstZcStream *zc_stream_find (ZcContext *context, guint64 id);

G_END_DECLS
