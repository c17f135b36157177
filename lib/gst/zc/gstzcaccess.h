/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: one memory of a buffer, to be read or written on a stream: what
 * mapping a frame does to each, and what those do who map no frame. */

#include <gst/gst.h>
#include <gst/zc/gstzcstream.h>

G_BEGIN_DECLS

/* TRUE if @buffer holds a picture's number of memories, all of them CUDA. */
gboolean zc_access_check_memories (GstBuffer *buffer, GError **error);

/* TRUE if, besides, all memories of @buffer may be used on @stream as @flags
 * say. */
gboolean zc_access_check (GstBuffer *buffer, GstMapFlags flags,
    GstZcStream *stream, GError **error);

/* TRUE if all memories of @buffer are CUDA memory of one device. */
gboolean zc_access_check_one_device (GstBuffer *buffer, gint *device,
    GError **error);

/* Maps @memory, which makes @stream wait for whom it must come after. To be
 * unmapped with gst_memory_unmap (). */
gboolean zc_access_begin (GstMemory *memory, GstMapInfo *map, GstMapFlags flags,
    GstZcStream *stream, GError **error);
/* Records what was queued on @stream, for those who come next. Before the
 * unmap. */
gboolean zc_access_end (GstMemory *memory, GstMapFlags flags,
    GstZcStream *stream, GError **error);

G_END_DECLS
