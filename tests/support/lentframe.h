/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A frame of a pool of the library's that is mapped, on one stream, to be lent
 * to others. */
#pragma once

#include "cudatest.h"

G_BEGIN_DECLS

typedef struct
{
  GstCudaContext *context;
  GstZcStream *stream;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstZcFrame frame; /* of the buffer, while it is mapped */
} LentFrame;

/* FALSE after g_test_skip(). All samples will be 1; it is not mapped. */
gboolean lent_frame_init (LentFrame *self, guint device, GstVideoFormat format,
    gint width, gint height);
/* The buffer may be gone. */
void lent_frame_clear (LentFrame *self);

void lent_frame_map (LentFrame *self, GstMapFlags flags);
void lent_frame_unmap (LentFrame *self);

/* Queues the writing of @value, in a map, @delay_ms late. */
void lent_frame_write (LentFrame *self, guint delay_ms, guint8 value);

G_END_DECLS
