/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Exported for the tracer of the plugin, not installed: what the library asks
 * of the driver, and who maps CUDA memory. It costs nothing while nobody
 * traces: the driver's entry points are replaced when it is loaded, if somebody
 * does by then, and the map functions of CUDA allocators when they are seen. */

#include <gst/gst.h>
#include <gst/zc/gstzcdefs.h>

G_BEGIN_DECLS

typedef enum
{
  GST_ZC_TRACE_UPLOAD,
  GST_ZC_TRACE_DOWNLOAD,
  GST_ZC_TRACE_DEVICE_COPY,
  GST_ZC_TRACE_KERNEL,
  GST_ZC_TRACE_HOST_WAIT,
  GST_ZC_TRACE_EVENT_WAIT,      /* of a stream: no CPU waits */
  GST_ZC_TRACE_EVENT_RECORD,
  GST_ZC_TRACE_DEVICE_ALLOC,
  GST_ZC_TRACE_HOST_ALLOC,      /* of page-locked memory */
  GST_ZC_TRACE_OTHER,           /* frees, modules, what is made once */
} GstZcTraceDeed;

/* One call of the driver that did what it was asked to. */
typedef struct
{
  const gchar *name;
  GstZcTraceDeed deed;
  gboolean ours;                /* of this library; else of another one */
  gint64 start;                 /* ns, as gst_util_get_timestamp() */
  gint64 end;
  gsize bytes;
  gpointer context;             /* CUcontext, or NULL: unknown */
  gpointer stream;              /* CUstream */
  guint64 work;                 /* the number of its GstZcTraceWork, or 0 */
} GstZcTraceCall;

/* When the GPU did what a call had queued. */
typedef struct
{
  guint64 number;               /* from 1 */
  const gchar *name;
  GstZcTraceDeed deed;
  gint64 start;                 /* ns, in the host's time */
  gint64 end;
  gsize bytes;
  gpointer context;
  gpointer stream;
} GstZcTraceWork;

/* A map, or a copy, of CUDA memory. */
typedef struct
{
  GstMemory *memory;
  GstMapFlags flags;
  gboolean cuda;                /* mapped for the GPU; else for a CPU */
  gboolean copied;              /* gst_memory_copy() */
  gboolean uploads;             /* what a CPU wrote went up in this map */
  gboolean downloads;           /* the picture came down in this map */
  gsize bytes;                  /* of the memory */
} GstZcTraceMap;

/* Called by the threads that do it; may be called at any time, by several
 * threads at once, and must not call the library. */
typedef struct
{
  void (*call) (const GstZcTraceCall *call);
  void (*work) (const GstZcTraceWork *work); /* NULL: not asked for */
  void (*map) (const GstZcTraceMap *map);
} GstZcTraceFuncs;

/* From now on @funcs, which is static, is told. Before the driver is loaded, or
 * its calls are not seen. FALSE if somebody else traces. */
GST_ZC_API
gboolean gst_zc_trace_start (const GstZcTraceFuncs *funcs);
GST_ZC_API
void gst_zc_trace_stop (void);
/* Loads the driver, if there is one: for elements that use it without this
 * library, whose calls would not be seen. */
GST_ZC_API
void gst_zc_trace_load_driver (void);

/* What can be seen of the driver's calls. */
GST_ZC_API
gboolean gst_zc_trace_sees_own (void);
GST_ZC_API
gboolean gst_zc_trace_sees_others (void);

/* Waits for the work that is queued and tells of it. */
GST_ZC_API
void gst_zc_trace_finish_work (void);

typedef enum
{
  GST_ZC_TRACE_MEMORY_NONE, /* an empty buffer */
  GST_ZC_TRACE_MEMORY_SYSTEM,
  GST_ZC_TRACE_MEMORY_PINNED,
  GST_ZC_TRACE_MEMORY_CUDA,
  GST_ZC_TRACE_MEMORY_OTHER,
  GST_ZC_TRACE_MEMORY_MIXED,
} GstZcTraceMemoryKind;

typedef struct
{
  GstZcTraceMemoryKind kind;
  const gchar *type; /* of the allocator; interned */
  gint device; /* of CUDA memory, as the next ones */
  gpointer context;
  gpointer stream; /* the memory's own CUstream */
  gboolean need_upload;
  gboolean need_download;
} GstZcTraceMemory;

/* What @buffer is made of. Its CUDA memories are watched from now on. */
GST_ZC_API
void gst_zc_trace_look_at (GstBuffer *buffer, GstZcTraceMemory *memory);

G_END_DECLS
