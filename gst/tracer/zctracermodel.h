/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the tracer has seen: elements, links between them, and what was done
 * where. All of it is guarded by one lock, under which nothing of GStreamer's
 * with a lock of its own is called. */

#pragma once

#include <gst/zc/gstzctrace.h>

G_BEGIN_DECLS

typedef struct
{
  guint64 count;
  guint64 bytes;
} ZcTally;

#define ZC_N_DEEDS (GST_ZC_TRACE_OTHER + 1)
#define ZC_N_KINDS (GST_ZC_TRACE_MEMORY_MIXED + 1)

/* What an element did, or a thread that works for none. */
typedef struct
{
  ZcTally deeds[ZC_N_DEEDS];    /* by driver calls */
  guint64 gpu_maps;
  guint64 cpu_maps;             /* of CUDA memory */
  ZcTally map_uploads;          /* copies that those maps started */
  ZcTally map_downloads;
  ZcTally map_copies;           /* gst_memory_copy() of CUDA memory */
  guint64 memories;             /* that it was the first to push */
  guint64 state_waits;          /* host waits while its state was changed */
} ZcCounts;

typedef struct _ZcRun ZcRun;

typedef struct
{
  gint refs;
  gchar *name;
  gchar *factory;
  gboolean is_own; /* all its driver calls are this library's */
  ZcRun *run; /* not owned; NULL: no data has come yet */
  ZcCounts counts;
} ZcElement;

typedef struct
{
  gint refs;
  ZcRun *run; /* not owned; NULL: it is over */
  ZcElement *src; /* owned, as sink */
  ZcElement *sink;
  gchar *src_pad;
  gchar *sink_pad;
  gboolean is_video; /* raw video; else whatever */
  guint64 buffers;
  guint64 bytes;
  guint64 kinds[ZC_N_KINDS]; /* buffers of each kind of memory */
  const gchar *type; /* of the last one's allocator */
  gint device;
  guint context; /* numbers from 1; 0: none */
  guint stream;
  guint n_contexts; /* changes of it, and 1 */
  guint64 need_upload; /* buffers that had the flag */
  guint64 need_download;
  guint64 pooled; /* buffers of a pool */
  guint64 memories; /* seen nowhere before */
} ZcLink;

/* One pipeline from its first buffer to its end, or several alike. */
struct _ZcRun
{
  gchar *name;
  guint times;
  gboolean ended;
  GPtrArray *elements; /* of ZcElement, owned */
  GPtrArray *links; /* of ZcLink, owned, in the order of first use */
};

extern GMutex zc_tracer_lock;

/* Without the lock. */
void zc_tracer_model_start (void);
void zc_tracer_model_stop (void);

/* The rest with it. FALSE before start and after stop. */
gboolean zc_tracer_model_runs (void);
/* Of ZcRun: ended ones that are alike are one. */
GPtrArray *zc_tracer_model_get_runs (void);
ZcCounts *zc_tracer_model_elsewhere (void);

/* (transfer full) */
ZcElement *zc_element_new (const gchar *name, const gchar *factory);
ZcElement *zc_element_ref (ZcElement *self);
void zc_element_unref (ZcElement *self);

/* @name is of the pipeline. Lives until the model does. */
ZcRun *zc_run_new (const gchar *name);
/* Nothing more comes; folds it into one that is alike. */
void zc_run_end (ZcRun *self);

/* The link of @run from one pad to the other, which is new or is known. */
ZcLink *zc_run_link (ZcRun *self, ZcElement *src, const gchar *src_pad,
    ZcElement *sink, const gchar *sink_pad, gboolean is_video);
ZcLink *zc_link_ref (ZcLink *self);
void zc_link_unref (ZcLink *self);
/* Counts a buffer with @memory; TRUE in @fresh for each memory seen first. */
void zc_link_count (ZcLink *self, const GstZcTraceMemory *memory, gsize bytes,
    guint fresh, gboolean pooled);

/* The kind of memory of most buffers. */
GstZcTraceMemoryKind zc_link_kind (const ZcLink *self);

/* @is_state: while a state was changed, when a wait holds no picture up. */
void zc_counts_add_call (ZcCounts *self, const GstZcTraceCall *call,
    gboolean is_state);
void zc_counts_add_map (ZcCounts *self, const GstZcTraceMap *map);

G_END_DECLS
