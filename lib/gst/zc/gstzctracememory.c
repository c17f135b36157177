/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What buffers are made of, and who maps CUDA memory, of whatever allocator. */

#include <gst/cuda/gstcudamemory.h>
#include <gst/cuda/gstcudastream.h>

#include "gstzcallocator.h"
#include "gstzcpinned.h"
#include "gstzctrace-private.h"

/* An allocator's own functions. */
typedef struct
{
  GstMemoryMapFunction map;
  GstMemoryCopyFunction copy;
} Functions;

static GQuark
functions_quark (void)
{
  return g_quark_from_static_string ("zc-trace-functions");
}

/* Set on memory that a CPU has mapped once. */
static GQuark
staged_quark (void)
{
  return g_quark_from_static_string ("zc-trace-staged");
}

static const Functions *
functions_of (GstMemory *memory)
{
  return g_object_get_qdata (G_OBJECT (memory->allocator), functions_quark ());
}

/* TRUE the first time. */
static gboolean
is_first_cpu_map (GstMemory *memory)
{
  GstMiniObject *object = GST_MINI_OBJECT_CAST (memory);

  if (gst_mini_object_get_qdata (object, staged_quark ()))
    return FALSE;
  gst_mini_object_set_qdata (object, staged_quark (), memory, NULL);
  return TRUE;
}

/* By what gst-cuda will do in the map. */
static void
describe_map (GstMemory *memory, GstMapFlags flags, GstZcTraceMap *map)
{
  *map = (GstZcTraceMap) {
    .memory = memory,
    .flags = flags,
    .cuda = (flags & GST_MAP_CUDA) == GST_MAP_CUDA,
    .bytes = memory->size,
  };
  if (map->cuda)
    map->uploads =
        GST_MEMORY_FLAG_IS_SET (memory, GST_CUDA_MEMORY_TRANSFER_NEED_UPLOAD);
  else
    map->downloads = is_first_cpu_map (memory) |
        GST_MEMORY_FLAG_IS_SET (memory, GST_CUDA_MEMORY_TRANSFER_NEED_DOWNLOAD);
}

static gpointer
traced_map (GstMemory *memory, gsize maxsize, GstMapFlags flags)
{
  const GstZcTraceFuncs *funcs = zc_trace_funcs ();
  const Functions *own = functions_of (memory);
  GstZcTraceMap map;
  gpointer data;

  if (!funcs)
    return own->map (memory, maxsize, flags);
  describe_map (memory, flags, &map);
  data = own->map (memory, maxsize, flags);
  if (data)
    funcs->map (&map);
  return data;
}

static GstMemory *
traced_copy (GstMemory *memory, gssize offset, gssize size)
{
  const GstZcTraceFuncs *funcs = zc_trace_funcs ();
  GstMemory *copy = functions_of (memory)->copy (memory, offset, size);
  GstZcTraceMap map = { .memory = memory, .cuda = TRUE, .copied = TRUE };

  if (funcs && copy) {
    map.bytes = copy->size;
    funcs->map (&map);
  }
  return copy;
}

static void
watch_allocator (GstAllocator *allocator)
{
  static GMutex lock;
  Functions *own;

  if (g_object_get_qdata (G_OBJECT (allocator), functions_quark ()))
    return;
  g_mutex_lock (&lock);
  if (!g_object_get_qdata (G_OBJECT (allocator), functions_quark ())) {
    own = g_new (Functions, 1);
    *own = (Functions) { allocator->mem_map, allocator->mem_copy };
    g_object_set_qdata_full (G_OBJECT (allocator), functions_quark (), own,
        g_free);
    /* Others may map memory of it at this moment, by either. */
    __atomic_store_n (&allocator->mem_map, traced_map, __ATOMIC_RELEASE);
    __atomic_store_n (&allocator->mem_copy, traced_copy, __ATOMIC_RELEASE);
  }
  g_mutex_unlock (&lock);
}

void
zc_trace_memory_watch_allocators (void)
{
  GstAllocator *allocator;

  watch_allocator (GST_ALLOCATOR (zc_allocator_get ()));
  gst_cuda_memory_init_once ();
  allocator = gst_allocator_find (GST_CUDA_MEMORY_TYPE_NAME);
  if (allocator)
    watch_allocator (allocator);
  gst_clear_object (&allocator);
}

static GstZcTraceMemoryKind
kind_of (GstMemory *memory)
{
  if (gst_is_cuda_memory (memory))
    return GST_ZC_TRACE_MEMORY_CUDA;
  if (gst_memory_is_type (memory, GST_ZC_PINNED_MEMORY_TYPE))
    return GST_ZC_TRACE_MEMORY_PINNED;
  if (!memory->allocator || gst_memory_is_type (memory, GST_ALLOCATOR_SYSMEM))
    return GST_ZC_TRACE_MEMORY_SYSTEM;
  return GST_ZC_TRACE_MEMORY_OTHER;
}

static void
describe_cuda (GstMemory *memory, GstZcTraceMemory *told)
{
  GstCudaMemory *cuda = GST_CUDA_MEMORY_CAST (memory);
  GstCudaStream *stream = gst_cuda_memory_get_stream (cuda);
  guint device;

  g_object_get (cuda->context, "cuda-device-id", &device, NULL);
  told->device = device;
  told->context = gst_cuda_context_get_handle (cuda->context);
  told->stream = stream ? gst_cuda_stream_get_handle (stream) : NULL;
  told->need_upload |=
      GST_MEMORY_FLAG_IS_SET (memory, GST_CUDA_MEMORY_TRANSFER_NEED_UPLOAD);
  told->need_download |=
      GST_MEMORY_FLAG_IS_SET (memory, GST_CUDA_MEMORY_TRANSFER_NEED_DOWNLOAD);
  watch_allocator (memory->allocator);
}

static const gchar *
type_of (GstMemory *memory)
{
  return g_intern_string (memory->allocator && memory->allocator->mem_type
          ? memory->allocator->mem_type
          : "unknown");
}

void
gst_zc_trace_look_at (GstBuffer *buffer, GstZcTraceMemory *told)
{
  *told = (GstZcTraceMemory) { .type = "none", .device = -1 };

  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);
    GstZcTraceMemoryKind kind = kind_of (memory);

    if (i > 0 && kind != told->kind) {
      told->kind = GST_ZC_TRACE_MEMORY_MIXED;
      told->type = "mixed";
      continue;
    }
    told->kind = kind;
    told->type = type_of (memory);
    if (kind == GST_ZC_TRACE_MEMORY_CUDA)
      describe_cuda (memory, told);
  }
}
