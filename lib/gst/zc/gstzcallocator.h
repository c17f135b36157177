/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: the allocator of our device memory, a GstCudaAllocator whose map,
 * copy and free are ours, so that elements that know nothing of this library
 * still leave their marks in the reservation. */

#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/gstzcdefs.h>
#include <gst/zc/gstzcstream.h>

G_BEGIN_DECLS

/* Says to the map hook that the reservation is taken care of. Above GStreamer's
 * and gst-cuda's own map flags. */
#define ZC_MAP_OWN ((GstMapFlags) (GST_MAP_FLAG_LAST << 7))

#define ZC_TYPE_ALLOCATOR (zc_allocator_get_type ())
#define ZC_ALLOCATOR(object) ((ZcAllocator *) (object))
#define ZC_IS_ALLOCATOR(object)                                                \
  (G_TYPE_CHECK_INSTANCE_TYPE ((object), ZC_TYPE_ALLOCATOR))

/* By hand: G_DECLARE_FINAL_TYPE needs the autoptr that GstCudaAllocator lacks. */
typedef struct _ZcAllocator ZcAllocator;
typedef struct
{
  GstCudaAllocatorClass parent_class;
} ZcAllocatorClass;
GType zc_allocator_get_type (void);

/* The one of this process. (transfer none) */
ZcAllocator *zc_allocator_get (void);

/* One frame of device memory; @bridge is the stream that GStreamer's own rule
 * works on, never NULL. With @packed, rows and planes without padding. The
 * layout stands in the memory's own info. */
GstMemory *zc_allocator_alloc (ZcAllocator *self, GstCudaContext *context,
    GstCudaStream *bridge, const GstVideoInfo *info, gboolean packed,
    GError **error);

/* Queues the writing of 0 to all bytes of @memory on @stream, so that what was
 * there before does not go out with the padding, which nobody writes afterwards. */
gboolean zc_allocator_clear (GstMemory *memory, GstZcStream *stream,
    GError **error);

/* The bytes of a memory that may be read and written as a whole: gst-cuda copies
 * them to and from its staging memory when a CPU maps it. */
typedef struct
{
  gsize pitch; /* bytes from a row to the next */
  gsize width; /* bytes */
  gsize height;
} ZcMemoryRows;

static inline gsize
zc_memory_rows_size (const ZcMemoryRows *rows)
{
  return rows->pitch * (rows->height - 1) + rows->width;
}

static inline ZcMemoryRows
zc_memory_rows_of_bytes (gsize size)
{
  return (ZcMemoryRows) { size, size, 1 };
}

/* Memory at @address, that somebody else owns; its layout is @info, whose size
 * is that of @rows. @notify (@data) when nobody uses it any more. */
GstMemory *zc_allocator_wrap (ZcAllocator *self, GstCudaContext *context,
    GstCudaStream *bridge, const GstVideoInfo *info, const ZcMemoryRows *rows,
    guint64 address, gpointer data, GDestroyNotify notify);

gboolean zc_is_own_memory (GstMemory *memory);

G_END_DECLS
