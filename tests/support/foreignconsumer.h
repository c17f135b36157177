/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Those who look at the pixels of a wrapped picture, each in its own way. */
#pragma once

#include "foreignpicture.h"

G_BEGIN_DECLS

typedef enum
{
  FOREIGN_FRAME, /* gst_zc_frame_map (), on a stream of its own */
  FOREIGN_BRIDGE, /* knows nothing of us, works on the memory's own stream */
  FOREIGN_SYNC, /* the same, on another one, after gst_cuda_memory_sync () */
  FOREIGN_CPU, /* gst_video_frame_map () */
  FOREIGN_WAIT, /* gst_zc_buffer_wait () */
  FOREIGN_N_CONSUMERS
} ForeignConsumer;

const gchar *foreign_consumer_name (ForeignConsumer consumer);

/* Reads @buffer, which wraps @self, on @stream where it is one's choice, and
 * fails unless all samples are @value. Waits for the device. */
void foreign_consume (ForeignConsumer consumer, ForeignPicture *self,
    GstBuffer *buffer, GstZcStream *stream, guint8 value);

/* Maps @buffer, of @self's size and format: its planes are the very ones of
 * @self. */
void foreign_assert_no_copy (ForeignPicture *self, GstBuffer *buffer,
    GstMapFlags flags);
/* A CPU finds @frame in @buffer; of the planes whose bits are set in @turned the
 * last row comes first. */
void foreign_assert_on_cpu (ForeignPicture *self, GstBuffer *buffer,
    const RefFrame *frame, guint turned);

/* The first row of each plane, in page-locked memory. */
typedef struct
{
  guint n_planes;
  gsize size;
  guint8 *bytes[GST_ZC_MAX_PLANES];
} ForeignSeen;

/* Queues the reading on @stream. */
ForeignSeen foreign_read_frame (ForeignPicture *self, GstBuffer *buffer,
    GstZcStream *stream);
/* Once the reading is done; frees. */
void foreign_seen_assert (ForeignSeen *seen, guint8 value);

G_END_DECLS
