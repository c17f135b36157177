/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcallocator.h"

#include "gstzcaccess.h"
#include "gstzcbarrier.h"
#include "gstzccapture.h"
#include "gstzclayout.h"
#include "gstzcreservation.h"

/* Bytes of the widest access that kernels make, for the driver's pitch. */
#define ROW_ALIGNMENT 16

struct _ZcAllocator
{
  GstCudaAllocator parent;

  GstMemoryMapFunction parent_map;
  GstMemoryCopyFunction parent_copy;
};

G_DEFINE_FINAL_TYPE (ZcAllocator, zc_allocator, GST_TYPE_CUDA_ALLOCATOR)

/* The device memory behind a GstCudaMemory. */
typedef struct
{
  ZcContext *context;           /* owned */
  CUdeviceptr address;
} Block;

static void
block_free (gpointer data)
{
  Block *block = data;
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  g_autoptr (GError) error = NULL;

  if (!zc_context_push (block->context, &guard, &error) ||
      !ZC_CU (&error, cuMemFree, block->address))
    GST_WARNING ("Device memory was lost: %s", error->message);
  zc_context_guard_clear (&guard);
  zc_context_unref (block->context);
  g_free (block);
}

static Block *
block_new (ZcContext *context, CUdeviceptr address)
{
  Block *block = g_new (Block, 1);

  block->context = zc_context_ref (context);
  block->address = address;
  return block;
}

static gboolean
alloc_bytes (ZcContext *context, gsize size, CUdeviceptr *address,
    GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;

  return zc_context_push (context, &guard, error) &&
      ZC_CU (error, cuMemAlloc, address, size);
}

static gboolean
alloc_packed (ZcContext *context, const GstVideoInfo *info,
    CUdeviceptr *address, GstVideoInfo *layout, GError **error)
{
  return zc_layout_packed (layout, info, error) &&
      alloc_bytes (context, layout->size, address, error);
}

static gboolean
alloc_pitched (ZcContext *context, const GstVideoInfo *info,
    CUdeviceptr *address, GstVideoInfo *layout, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  gsize row_bytes, rows, pitch;

  if (!zc_layout_measure (info, &row_bytes, &rows, error) ||
      !zc_context_push (context, &guard, error) ||
      !ZC_CU (error, cuMemAllocPitch, address, &pitch, row_bytes, rows,
          ROW_ALIGNMENT))
    return FALSE;
  zc_layout_pitched (layout, info, pitch);
  return TRUE;
}

static void
note_foreign_read (ZcReservation *reservation)
{
  g_autoptr (ZcContext) reader = zc_context_find_current ();

  zc_reservation_note_foreign_read (reservation, reader);
}

static gboolean
note_use (ZcReservation *reservation, GstMapFlags flags, gboolean uploads,
    GError **error)
{
  gboolean cuda = (flags & GST_MAP_CUDA) != 0;
  gboolean writes = (flags & GST_MAP_WRITE) != 0;

  if (!zc_reservation_settle_unknown_write (reservation, error))
    return FALSE;
  if (uploads)
    zc_reservation_note_upload (reservation);
  if (!cuda && writes && !zc_reservation_finish_upload (reservation, error))
    return FALSE;
  if ((uploads || writes) &&
      !zc_reservation_begin_foreign_write (reservation, error))
    return FALSE;
  /* Who writes works on the bridge, or waits on the host. */
  if (cuda && !writes && !(flags & ZC_MAP_OWN))
    note_foreign_read (reservation);
  return TRUE;
}

static gboolean
note_map (GstMemory *memory, GstMapFlags flags)
{
  /* gst-cuda uploads what the CPU wrote, inside any CUDA map. */
  gboolean uploads = (flags & GST_MAP_CUDA) &&
      zc_barrier_holds (ZC_BARRIER_NEEDS_UPLOAD) &&
      GST_MEMORY_FLAG_IS_SET (memory, GST_CUDA_MEMORY_TRANSFER_NEED_UPLOAD);
  g_autoptr (GError) error = NULL;
  ZcReservation *reservation;

  if ((flags & ZC_MAP_OWN) && !uploads)
    return TRUE;

  reservation = zc_reservation_get (memory, &error);
  if (reservation && note_use (reservation, flags, uploads, &error))
    return TRUE;
  GST_ERROR ("CUDA memory can't be mapped in order: %s", error->message);
  return FALSE;
}

static gpointer
zc_allocator_map (GstMemory *memory, gsize maxsize, GstMapFlags flags)
{
  /* gst-cuda allocates, waits and copies. */
  g_auto (ZcRelaxed) relaxed = zc_relaxed_begin ();

  if (!note_map (memory, flags))
    return NULL;
  return ZC_ALLOCATOR (memory->allocator)->parent_map (memory, maxsize, flags);
}

/* On the bridge, like all work of those who know nothing of us; nobody waits on
 * the host. */
static gboolean
copy_on_bridge (GstMemory *dst, GstMemory *src, GError **error)
{
  ZcReservation *from = zc_reservation_get (src, error);
  ZcReservation *to = zc_reservation_get (dst, error);
  const ZcStreamKey *bridge;
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  GstMapInfo in, out;
  gboolean ok;

  if (!from || !to)
    return FALSE;
  if (!gst_memory_map (src, &in, GST_MAP_READ | GST_MAP_CUDA | ZC_MAP_OWN))
    return FALSE;
  if (!gst_memory_map (dst, &out, GST_MAP_WRITE | GST_MAP_CUDA | ZC_MAP_OWN)) {
    gst_memory_unmap (src, &in);
    return FALSE;
  }

  bridge = zc_reservation_get_bridge (from);
  ok = zc_reservation_acquire (from, GST_MAP_READ, bridge, error) &&
      zc_reservation_acquire (to, GST_MAP_WRITE, bridge, error) &&
      zc_context_push (bridge->context, &guard, error) &&
      ZC_CU (error, cuMemcpyDtoDAsync, (CUdeviceptr) (guintptr) out.data,
          (CUdeviceptr) (guintptr) in.data, in.size, bridge->handle) &&
      zc_reservation_release (to, GST_MAP_WRITE, bridge, error) &&
      zc_reservation_release (from, GST_MAP_READ, bridge, error);

  gst_memory_unmap (dst, &out);
  gst_memory_unmap (src, &in);
  return ok;
}

/* gst-cuda copies wrapped memory to and from its staging memory by pitch and
 * width of plane 0 alone, which loses bytes of other planes. So it is told of
 * one plane of bytes; the true layout stands in the memory's info afterwards. */
static void
bytes_info (GstVideoInfo *info, const ZcMemoryRows *rows)
{
  gst_video_info_init (info);
  gst_video_info_set_format (info, GST_VIDEO_FORMAT_GRAY8, 4, 1);
  info->width = rows->width;
  info->height = rows->height;
  info->stride[0] = rows->pitch;
  info->size = rows->pitch * rows->height;
}

GstMemory *
zc_allocator_wrap (ZcAllocator *self, GstCudaContext *context,
    GstCudaStream *bridge, const GstVideoInfo *info, const ZcMemoryRows *rows,
    guint64 address, gpointer data, GDestroyNotify notify)
{
  GstVideoInfo bytes;
  GstMemory *memory;

  bytes_info (&bytes, rows);
  memory = gst_cuda_allocator_alloc_wrapped (GST_CUDA_ALLOCATOR (self), context,
      bridge, &bytes, address, data, notify);
  memory->size = memory->maxsize = info->size;
  ((GstCudaMemory *) memory)->info = *info;
  return memory;
}

/* Rows as wide as their stride lose no byte, or one row of all. */
static ZcMemoryRows
all_bytes (const GstVideoInfo *layout)
{
  gsize stride = GST_VIDEO_INFO_PLANE_STRIDE (layout, 0);

  if (layout->size % stride != 0)
    return zc_memory_rows_of_bytes (layout->size);
  return (ZcMemoryRows) { stride, stride, layout->size / stride };
}

/* Takes @block. */
static GstMemory *
memory_new (ZcAllocator *self, GstCudaContext *context, GstCudaStream *bridge,
    const GstVideoInfo *layout, Block *block)
{
  ZcMemoryRows rows = all_bytes (layout);

  return zc_allocator_wrap (self, context, bridge, layout, &rows,
      block->address, block, block_free);
}

gboolean
zc_allocator_clear (GstMemory *memory, GstZcStream *stream, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  const ZcStreamKey *key = &stream->key;
  GstMapInfo map;
  gboolean ok;

  if (!zc_access_begin (memory, &map, GST_MAP_WRITE, stream, error))
    return FALSE;
  ok = zc_context_push (key->context, &guard, error) &&
      ZC_CU (error, cuMemsetD8Async, (CUdeviceptr) (guintptr) map.data, 0,
          map.size, key->handle);
  zc_context_guard_clear (&guard);
  ok = ok && zc_access_end (memory, GST_MAP_WRITE, stream, error);
  gst_memory_unmap (memory, &map);
  return ok;
}

GstMemory *
zc_allocator_alloc (ZcAllocator *self, GstCudaContext *wrapper,
    GstCudaStream *bridge, const GstVideoInfo *info, gboolean packed,
    GError **error)
{
  g_autoptr (ZcContext) context = zc_context_get (wrapper, error);
  CUdeviceptr address;
  GstVideoInfo layout;
  Block *block;

  if (!context ||
      !(packed ? alloc_packed (context, info, &address, &layout, error)
               : alloc_pitched (context, info, &address, &layout, error)))
    return NULL;
  block = block_new (context, address);
  return memory_new (self, wrapper, bridge, &layout, block);
}

/* Like @memory, with pixels of its own. */
static GstMemory *
alloc_like (ZcAllocator *self, GstCudaMemory *memory, GError **error)
{
  g_autoptr (ZcContext) context = zc_context_get (memory->context, error);
  CUdeviceptr address;

  if (!context || !alloc_bytes (context, memory->info.size, &address, error))
    return NULL;
  return memory_new (self, memory->context, gst_cuda_memory_get_stream (memory),
      &memory->info, block_new (context, address));
}

static GstMemory *
copy_part (GstMemory *memory, gssize offset, gssize size)
{
  g_auto (ZcRelaxed) relaxed = zc_relaxed_begin ();

  return ZC_ALLOCATOR (memory->allocator)->parent_copy (memory, offset, size);
}

static GstMemory *
zc_allocator_copy (GstMemory *memory, gssize offset, gssize size)
{
  ZcAllocator *self = ZC_ALLOCATOR (memory->allocator);
  GstCudaMemory *source = (GstCudaMemory *) memory;
  g_autoptr (GError) error = NULL;
  GstMemory *copy;

  if (offset != 0 || (size != -1 && (gsize) size != memory->size))
    return copy_part (memory, offset, size);

  copy = alloc_like (self, source, &error);
  if (copy && !copy_on_bridge (copy, memory, &error))
    g_clear_pointer (&copy, gst_memory_unref);
  if (!copy)
    GST_ERROR ("CUDA memory can't be copied: %s",
        error ? error->message : "it could not be mapped");
  return copy;
}

static void
zc_allocator_free (GstAllocator *allocator, GstMemory *memory)
{
  g_auto (ZcRelaxed) relaxed = zc_relaxed_begin ();

  GST_ALLOCATOR_CLASS (zc_allocator_parent_class)->free (allocator, memory);
}

static void
zc_allocator_class_init (ZcAllocatorClass *klass)
{
  GST_ALLOCATOR_CLASS (klass)->free = zc_allocator_free;
}

static void
zc_allocator_init (ZcAllocator *self)
{
  GstAllocator *allocator = GST_ALLOCATOR (self);

  self->parent_map = allocator->mem_map;
  self->parent_copy = allocator->mem_copy;
  allocator->mem_map = zc_allocator_map;
  allocator->mem_copy = zc_allocator_copy;
}

ZcAllocator *
zc_allocator_get (void)
{
  static gsize once = 0;

  if (g_once_init_enter (&once)) {
    ZcAllocator *self = g_object_new (ZC_TYPE_ALLOCATOR, NULL);

    gst_object_ref_sink (self);
    GST_OBJECT_FLAG_SET (self, GST_OBJECT_FLAG_MAY_BE_LEAKED);
    g_once_init_leave (&once, (gsize) self);
  }
  return (ZcAllocator *) once;
}

gboolean
zc_is_own_memory (GstMemory *memory)
{
  return G_TYPE_CHECK_INSTANCE_TYPE (memory->allocator, ZC_TYPE_ALLOCATOR);
}
