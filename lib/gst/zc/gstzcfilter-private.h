/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: what the files of the base class share. */

#include <gst/zc/gstzcfiltertransfer.h>
#include <gst/zc/gstzcpeer.h>
#include <gst/zc/gstzctransfer-private.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 frames;
  guint64 bytes;
  guint64 route[ZC_N_ROUTES];   /* frames */
  guint64 peer;                 /* frames that came from another device */
  guint64 host_waits;
  guint64 event_waits;          /* of streams that are gone */
  guint64 pool_misses;
} ZcFilterStats;

typedef struct
{
  /* Under the object lock. */
  gint device_id;               /* the property: what was asked for */
  guint64 max_pinned_bytes;     /* the property */
  GstCudaContext *context;      /* owned; from NULL->READY on */
  ZcFilterStats stats;
  gboolean said_slow;           /* since the start */
  gboolean failing;             /* said so, and no frame went through since */
  gboolean packed;              /* what comes out has no padding */
  GstZcArraySync array_sync;

  /* From start to stop; only the streaming thread and state changes look, and
   * who asks for the stats, with the lock. */
  GstZcStream *stream; /* owned */
  GstAllocator *pinned; /* owned; made on first use */
  ZcTransferState transfer;
  ZcPeer peer;
  GstVideoInfo in_info;
  GstVideoInfo out_info;
  gboolean in_cuda;
  gboolean out_cuda;
  gboolean negotiated;
  guint pool_min; /* buffers that the pool in use began with */
  guint pool_seen; /* different buffers that came from it */
} ZcFilter;

/* The private part of @self. */
ZcFilter *zc_filter (GstZcFilter *self);
/* gstzcfilteroutput.c: puts on @out, a frame that is filled, what we know of it. */
void zc_filter_describe_output (GstZcFilter *self, GstBuffer *out);
/* gstzcfiltererror.c: posts what @error holds and clears it. */
void zc_filter_report (GstZcFilter *self, GError **error);
/* TRUE if that is news. */
gboolean zc_filter_set_failing (GstZcFilter *self, gboolean failing);

/* gstzcfilterproperties.c: also the vfuncs for them. */
void zc_filter_install_properties (GObjectClass *object_class);

/* gstzcfiltercontext.c: NULL->READY and READY->NULL. */
gboolean zc_filter_open_context (GstZcFilter *self, GError **error);
void zc_filter_close_context (GstZcFilter *self);
/* FALSE with GST_ZC_ERROR_CONTEXT_LOST if nothing works any more. */
gboolean zc_filter_check_context (GstZcFilter *self, GError **error);
/* GstElementClass.set_context, without its chaining up. */
void zc_filter_take_context (GstZcFilter *self, GstContext *context);
gboolean zc_filter_answer_context (GstZcFilter *self, GstQuery *query);

/* gstzcfilter.c: what lives from start to stop, on the device of the context. */
gboolean zc_filter_open_stream (GstZcFilter *self, GError **error);
void zc_filter_close_stream (GstZcFilter *self);

/* gstzcfiltertransfer.c: what copies from and to host memory need, as long as
 * the stream. */
void zc_filter_open_transfer (GstZcFilter *self);
void zc_filter_close_transfer (GstZcFilter *self);

/* gstzcfilterdevice.c: the vfunc of GstBaseTransform. */
void zc_filter_before_transform (GstBaseTransform *trans, GstBuffer *in);
/* Number of the device of @context. */
guint zc_device_of (GstCudaContext *context);

/* gstzcfilterpool.c: what GstBaseTransform asks. */
gboolean zc_filter_decide_allocation (GstZcFilter *self, GstQuery *query,
    GError **error);
void zc_filter_propose_allocation (GstZcFilter *self, GstQuery *query);
/* Of page-locked memory, made on first use. (transfer none) */
GstAllocator *zc_filter_get_pinned (GstZcFilter *self);
/* No memory for an output frame, unless something worse is behind it. */
void zc_filter_set_memory_error (GstZcFilter *self, GError **error);

/* gstzcfilterframe.c: the vfuncs of GstBaseTransform and GstZcFilter. */
GstFlowReturn zc_filter_prepare_output_buffer (GstBaseTransform *trans,
    GstBuffer *in, GstBuffer **out);
GstFlowReturn zc_filter_transform (GstBaseTransform *trans, GstBuffer *in,
    GstBuffer *out);
gboolean zc_filter_process (GstZcFilter *self, GstBuffer *in, GstBuffer *out,
    GError **error);

G_END_DECLS
