/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Frames mapped, written and read in tests that expect no error. */
#pragma once

#include "cudatest.h"

G_BEGIN_DECLS

/* A new stream of the library's. */
GstZcStream *frame_test_stream (GstCudaContext *context);
void frame_test_synchronize (GstZcStream *stream);
/* The one that elements work on which know nothing of the library: that of the
 * first memory of @buffer. Borrowed, in that memory's context. */
GstZcStream *frame_test_bridge (GstBuffer *buffer);

void frame_test_map (GstZcFrame *frame, GstBuffer *buffer,
    const GstVideoInfo *info, GstMapFlags flags, GstZcStream *stream);
void frame_test_unmap (GstZcFrame *frame);

/* Queues the writing of @value to all samples, in a map. */
void frame_test_write (GstBuffer *buffer, const GstVideoInfo *info,
    GstZcStream *stream, guint8 value);
/* Queues the reading of the first @size bytes, in a map; for
 * frame_test_expect(). */
guint8 *frame_test_read (GstBuffer *buffer, const GstVideoInfo *info,
    GstZcStream *stream, gsize size);
/* The same as somebody does who knows nothing of the library: on a stream that
 * nobody tells. The stream's context is current meanwhile. */
guint8 *frame_test_read_untold (GstBuffer *buffer, GstZcStream *stream,
    gsize size);

/* That all bytes, which have been read by now, are @value; frees them. */
void frame_test_expect (guint8 *bytes, gsize size, guint8 value);
/* The same of bytes whose reading is queued on @stream, which is waited for. */
void frame_test_expect_on (GstZcStream *stream, guint8 *bytes, gsize size,
    guint8 value);

/* That @error is there and has @code; clears it. */
void frame_test_expect_error (GError **error, GstZcError code);
/* That @error is there, has @code and says @word; leaves it. */
void frame_test_assert_refused (const GError *error, GstZcError code,
    const gchar *word);

G_END_DECLS
