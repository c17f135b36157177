/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: what the library keeps for each CUcontext, whatever GstCudaContext
 * wraps it: pooled events, the reaper, the kernels. Refcounted; holds the
 * GstCudaContext, so that the CUcontext outlives all that was made in it. */

#include <gst/cuda/gstcudastream.h>
#include <gst/zc/gstzccontext.h>
#include <gst/zc/gstzccuda.h>

G_BEGIN_DECLS

typedef struct _ZcContext ZcContext;
typedef struct _ZcReaper ZcReaper;
typedef struct _ZcKernels ZcKernels;
typedef struct _ZcModules ZcModules;

struct _ZcContext
{
  gatomicrefcount refcount;
  GstCudaContext *wrapper;      /* owned */
  CUcontext handle;
  gint device;                  /* CUDA ordinal */

  GMutex capture_lock;          /* held while events for all are recorded */
  gint64 quiet_at;              /* monotonic; under that lock */
  gint captures;                /* atomic; declared, each holds a reference */
  gint broke_capture;           /* atomic; and said so */

  GMutex lock;                  /* for what follows */
  GPtrArray *events;            /* idle CUevents, to be recorded again */
  GPtrArray *host_events;       /* the same of those that a CPU waits for */
  ZcReaper *reaper;             /* owned; made on first use */
  ZcKernels *kernels;           /* owned; made by zc_kernels_load () */
  ZcModules *modules;           /* owned; made by zc_modules_load () */
  GstCudaStream *bridge;        /* owned; made by zc_context_get_bridge () */
  GPtrArray *streams;           /* not owned; GstZcStreams that live */
};

/* The state of the CUcontext in @wrapper, made on first use. */
ZcContext *zc_context_get (GstCudaContext *wrapper, GError **error);
/* That of @handle, or NULL if nobody has told the library of it. */
ZcContext *zc_context_find (CUcontext handle);
/* That of the context which is current on this thread, if there is one and it
 * is known or a device's primary one; else NULL. */
ZcContext *zc_context_find_current (void);
ZcContext *zc_context_ref (ZcContext *self);
/* Any thread, the reaper's own included. */
void zc_context_unref (ZcContext *self);

/* An event without timing of this context; from the pool when there is one.
 * Given back, it may still be pending: recording it again is allowed. */
CUevent zc_context_take_event (ZcContext *self, GError **error);
void zc_context_give_event (ZcContext *self, CUevent event);
/* The same for events that a CPU waits for: it sleeps, where with others it
 * would look again and again. */
CUevent zc_context_take_host_event (ZcContext *self, GError **error);
void zc_context_give_host_event (ZcContext *self, CUevent event);

typedef enum
{
  ZC_EVENT_PENDING,
  ZC_EVENT_OVER, /* done, or nothing runs any more */
  ZC_EVENT_UNKNOWN /* the driver does not say; to be asked again */
} ZcEventState;

/* Asks the driver, does not wait. */
ZcEventState zc_context_ask_event (ZcContext *self, CUevent event);

/* The bridge of memory that comes without one, made on first use. (transfer
 * none) */
GstCudaStream *zc_context_get_bridge (ZcContext *self, GError **error);

static inline gboolean
zc_context_push (ZcContext *self, ZcContextGuard *guard, GError **error)
{
  return zc_context_guard_push (guard, self->handle, error);
}

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ZcContext, zc_context_unref)

G_END_DECLS
