/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: what the files of the tracing share. */

#include <gst/zc/gstzccuda.h>
#include <gst/zc/gstzctrace.h>

G_BEGIN_DECLS

/* Who is told, or NULL: nobody. */
const GstZcTraceFuncs *zc_trace_funcs (void);

/* For the loader: @library is open and the table is filled. */
void zc_trace_driver_loaded (gpointer library);
/* For ZcContext: it is current and will be gone. */
void zc_trace_context_ends (CUcontext context);

/* gstzctracedriver.c: the driver's own entry points, whoever traces. */
extern ZcCuda zc_trace_real;
/* Replaces those of zc_cu. */
void zc_trace_driver_wrap (void);
/* TRUE while this thread is in a call of the library, or of the tracing. */
gboolean zc_trace_in_own_call (void);
void zc_trace_enter_own_call (void);
void zc_trace_leave_own_call (void);

/* gstzctraceothers.c: TRUE if the driver of @library tells of all calls. */
gboolean zc_trace_watch_others (gpointer library);

/* gstzctracework.c: what a call queues, between the two. */
typedef struct _ZcTraceWork ZcTraceWork;
/* NULL if its time can't be taken. */
ZcTraceWork *zc_trace_work_begin (CUcontext context, CUstream stream);
/* Takes @work; fills call->work. */
void zc_trace_work_end (ZcTraceWork *work, gboolean queued,
    GstZcTraceCall *call);
/* Tells of what is queued in @context, which is current, and drops all that was
 * made in it. */
void zc_trace_work_context_ends (CUcontext context);

/* gstzctracememory.c: the allocators that are there from the start. */
void zc_trace_memory_watch_allocators (void);

G_END_DECLS
