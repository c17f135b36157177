/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What tests of device memory need: a context or a reason to skip, streams held
 * up on purpose, pixels filled and read. By the driver's own functions, found at
 * run time, so that the same program runs on softcuda and on a GPU. */
#pragma once

#include <gst/zc/zc.h>

G_BEGIN_DECLS

/* The primary context of @device, or NULL after g_test_skip(). */
GstCudaContext *cuda_test_context (guint device);

/* Holds @stream up for @ms milliseconds, before all that is queued next: a
 * missing barrier then shows every time. */
void cuda_test_delay (GstZcStream *stream, guint ms);

/* The same for a CUstream of the current context. */
void cuda_test_hold (gpointer handle, guint ms);

/* From now on calls of this thread break no capture of another one, as those of
 * a program should that shares the process with somebody who captures. */
void cuda_test_relax (void);

/* What is queued on @stream goes into a graph, which is dropped at the end. FALSE
 * if the capture was broken. */
void cuda_test_begin_capture (GstZcStream *stream);
gboolean cuda_test_end_capture (GstZcStream *stream);

/* Makes @waiter come after what is queued on @other now, on the GPU. */
void cuda_test_wait_for (GstZcStream *waiter, GstZcStream *other);

/* A stream as nvcodec makes them: the legacy default stream is a barrier over
 * it. Wrapped; the CUstream lives as long as the process. */
GstZcStream *cuda_test_blocking_stream (GstCudaContext *context);

/* Queues the writing of @value to all bytes of @image's samples. */
void cuda_test_fill (GstZcStream *stream, const GstZcImage *image,
    guint8 value);

/* Queues the reading of the first @size bytes of plane 0 into page-locked
 * memory, which cuda_test_free_pinned() frees. */
guint8 *cuda_test_read (GstZcStream *stream, const GstZcImage *image,
    gsize size);
void cuda_test_free_pinned (gpointer memory);

/* Queues the reading of all rows of a plane, without what is between them. */
void cuda_test_read_rows (GstZcStream *stream, const GstZcPlane *plane,
    gpointer to);
/* The same from plane to plane. */
void cuda_test_copy_rows (GstZcStream *stream, const GstZcPlane *to,
    const GstZcPlane *from);
/* Page-locked memory; cuda_test_free_pinned(). */
gpointer cuda_test_alloc_pinned (GstCudaContext *context, gsize size);
/* Waits for all work of @context. */
void cuda_test_synchronize (GstCudaContext *context);

/* Device memory as other software has it: not from GStreamer. */
guint64 cuda_test_alloc (GstCudaContext *context, gsize size);
void cuda_test_free (GstCudaContext *context, guint64 address);
/* Copies on the legacy stream and waits for it. */
void cuda_test_copy_in (GstCudaContext *context, guint64 to, gconstpointer from,
    gsize size);
void cuda_test_copy_out (GstCudaContext *context, gpointer to, guint64 from,
    gsize size);

/* Queues a copy from device to device. */
void cuda_test_copy (GstZcStream *stream, guint64 to, guint64 from, gsize size);

/* A CUevent, recorded on @stream. */
gpointer cuda_test_event_new (GstZcStream *stream);
void cuda_test_event_record (gpointer event, GstZcStream *stream);
void cuda_test_event_free (GstCudaContext *context, gpointer event);
/* Ends a stream of cuda_test_blocking_stream (), or any. */
void cuda_test_stream_destroy (GstCudaContext *context, gpointer handle);

/* Makes @context current on this thread, or what was before if NULL. */
void cuda_test_push (GstCudaContext *context);
void cuda_test_pop (void);
/* The CUcontext that is current on this thread. */
gpointer cuda_test_current (void);
/* That it is the one from before the first cuda_test_context(): plugins that are
 * loaded in this process may leave one. */
void cuda_test_assert_none_pushed (void);

/* A pool of ours for frames of @format and @width x @height, active. */
GstBufferPool *cuda_test_pool (GstCudaContext *context, GstVideoFormat format,
    gint width, gint height, GstVideoInfo *info);
/* Ends such a pool, or any. */
void cuda_test_pool_free (GstBufferPool *pool);
GstBuffer *cuda_test_acquire (GstBufferPool *pool);
/* Drops @buffer in a thread of its own, which has no context, and waits for the
 * thread. */
void cuda_test_unref_on_thread (GstBuffer *buffer);

G_END_DECLS
