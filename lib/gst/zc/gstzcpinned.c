/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcpinned-private.h"

#include <string.h>
#include <unistd.h>

#include "gstzccontext-private.h"

/* Sizes whose blocks are kept: that of the caps, of the ones before, and of
 * another picture beside. A stream that changes its size all the time must not
 * lock ever more pages. */
#define N_SIZES 3

/* What cuMemHostAlloc returned. */
typedef struct _Block Block;
struct _Block
{
  gpointer data;
  gsize size;
  Block *next;                  /* of the idle ones of this size */
};

/* Idle blocks of one size. */
typedef struct
{
  gsize size;
  Block *first;                 /* owned, with those after it */
  guint used;                   /* when: counts up */
} Shelf;

typedef struct
{
  GstMemory mem;
  guint8 *data;                 /* aligned, in the block */
  Block *block;                 /* NULL for a share: its parent has it */
} PinnedMemory;

#define ZC_TYPE_PINNED_ALLOCATOR (zc_pinned_allocator_get_type ())
G_DECLARE_FINAL_TYPE (ZcPinnedAllocator, zc_pinned_allocator, ZC,
    PINNED_ALLOCATOR, GstAllocator)

struct _ZcPinnedAllocator
{
  GstAllocator parent;
  ZcContext *context;           /* NULL if the wrapper was of no use */
  gint allow_plain;             /* atomic */
  gsize bytes;                  /* atomic; of all blocks */

  GMutex lock;                  /* for what follows */
  Shelf shelf[N_SIZES];
  guint n_uses;
};

G_DEFINE_FINAL_TYPE (ZcPinnedAllocator, zc_pinned_allocator, GST_TYPE_ALLOCATOR)

static Block *
block_new (ZcPinnedAllocator *self, gsize size, GError **error)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  gpointer data = NULL;
  Block *block;

  if (!zc_context_push (self->context, &guard, error) ||
      !ZC_CU (error, cuMemHostAlloc, &data, size, CU_MEMHOSTALLOC_PORTABLE))
    return NULL;
  __atomic_fetch_add (&self->bytes, size, __ATOMIC_RELAXED);
  /* What was there before is not to go out with the padding. */
  memset (data, 0, size);
  block = g_new (Block, 1);
  *block = (Block) { data, size, NULL };
  return block;
}

static void
block_free (ZcPinnedAllocator *self, Block *block)
{
  g_autoptr (GError) error = NULL;

  if (!ZC_CU (&error, cuMemFreeHost, block->data))
    GST_WARNING_OBJECT (self, "%s", error->message);
  __atomic_fetch_sub (&self->bytes, block->size, __ATOMIC_RELAXED);
  g_free (block);
}

static void
free_blocks (ZcPinnedAllocator *self, Block *first)
{
  g_auto (ZcContextGuard) guard = ZC_CONTEXT_GUARD_INIT;
  g_autoptr (GError) error = NULL;

  if (first != NULL && !zc_context_push (self->context, &guard, &error))
    GST_WARNING_OBJECT (self, "%s", error->message);
  for (Block *next; first != NULL; first = next) {
    next = first->next;
    block_free (self, first);
  }
}

/* With the lock: the shelf of @size, or else the one to clear for it. */
static Shelf *
find_shelf (ZcPinnedAllocator *self, gsize size)
{
  Shelf *oldest = &self->shelf[0];

  for (guint i = 0; i < N_SIZES; i++) {
    Shelf *shelf = &self->shelf[i];

    if (shelf->size == size)
      return shelf;
    if (shelf->used < oldest->used)
      oldest = shelf;
  }
  return oldest;
}

static Block *
take_idle (ZcPinnedAllocator *self, gsize size)
{
  Block *block = NULL;
  Shelf *shelf;

  g_mutex_lock (&self->lock);
  shelf = find_shelf (self, size);
  if (shelf->size == size && (block = shelf->first) != NULL) {
    shelf->first = block->next;
    shelf->used = ++self->n_uses;
  }
  g_mutex_unlock (&self->lock);
  return block;
}

static void
give_idle (ZcPinnedAllocator *self, Block *block)
{
  Block *cleared = NULL;
  Shelf *shelf;

  g_mutex_lock (&self->lock);
  shelf = find_shelf (self, block->size);
  if (shelf->size != block->size)
    cleared = g_steal_pointer (&shelf->first);
  shelf->size = block->size;
  shelf->used = ++self->n_uses;
  block->next = shelf->first;
  shelf->first = block;
  g_mutex_unlock (&self->lock);
  free_blocks (self, cleared);
}

static Block *
take_block (ZcPinnedAllocator *self, gsize size)
{
  g_autoptr (GError) error = NULL;
  Block *block = take_idle (self, size);

  if (block != NULL)
    return block;
  if (self->context == NULL)
    return NULL;
  block = block_new (self, size, &error);
  if (block == NULL)
    GST_ERROR_OBJECT (self, "No %" G_GSIZE_FORMAT " bytes of pinned memory: %s",
        size, error->message);
  else
    GST_DEBUG_OBJECT (self, "Pinned %" G_GSIZE_FORMAT " bytes", size);
  return block;
}

/* Bytes of the block that holds all of it, in whole pages; 0 if too many. */
static gsize
block_size (gsize size, gsize align, const GstAllocationParams *params)
{
  gsize page = sysconf (_SC_PAGESIZE);
  gsize total = size;

  if (!g_size_checked_add (&total, total, params->prefix) ||
      !g_size_checked_add (&total, total, params->padding) ||
      /* A block starts at a page: only more than that needs room to move. */
      !g_size_checked_add (&total, total, align < page ? 0 : align) ||
      !g_size_checked_add (&total, MAX (total, 1), page - 1))
    return 0;
  return total & ~(page - 1);
}

static GstMemory *
alloc_plain (ZcPinnedAllocator *self, gsize size, GstAllocationParams *params)
{
  if (!g_atomic_int_get (&self->allow_plain))
    return NULL;
  GST_WARNING_OBJECT (self,
      "Plain memory instead, which is copied more slowly");
  return gst_allocator_alloc (NULL, size, params);
}

static void
clear_margins (PinnedMemory *self, GstMemoryFlags flags)
{
  gsize end = self->mem.offset + self->mem.size;

  if (flags & GST_MEMORY_FLAG_ZERO_PREFIXED)
    memset (self->data, 0, self->mem.offset);
  if (flags & GST_MEMORY_FLAG_ZERO_PADDED)
    memset (self->data + end, 0, self->mem.maxsize - end);
}

static GstMemory *
zc_pinned_allocator_alloc (GstAllocator *allocator, gsize size,
    GstAllocationParams *params)
{
  ZcPinnedAllocator *self = ZC_PINNED_ALLOCATOR (allocator);
  gsize align = params->align | gst_memory_alignment;
  gsize total = block_size (size, align, params);
  PinnedMemory *memory;
  Block *block;
  gsize shift;

  if (total == 0)
    return NULL;
  block = take_block (self, total);
  if (block == NULL)
    return alloc_plain (self, size, params);
  shift = -(guintptr) block->data & align;
  memory = g_new0 (PinnedMemory, 1);
  memory->block = block;
  memory->data = (guint8 *) block->data + shift;
  gst_memory_init (&memory->mem, params->flags, allocator, NULL, total - shift,
      align, params->prefix, size);
  clear_margins (memory, params->flags);
  return &memory->mem;
}

static void
zc_pinned_allocator_free (GstAllocator *allocator, GstMemory *mem)
{
  PinnedMemory *memory = (PinnedMemory *) mem;

  if (memory->block != NULL)
    give_idle (ZC_PINNED_ALLOCATOR (allocator), memory->block);
  g_free (memory);
}

static gpointer
pinned_map (GstMemory *mem, gsize maxsize, GstMapFlags flags)
{
  return ((PinnedMemory *) mem)->data;
}

static void
pinned_unmap (GstMemory *mem)
{
}

static GstMemory *
pinned_share (GstMemory *mem, gssize offset, gssize size)
{
  GstMemory *root = mem->parent != NULL ? mem->parent : mem;
  PinnedMemory *share = g_new0 (PinnedMemory, 1);

  share->data = ((PinnedMemory *) mem)->data;
  /* Two writers of the same bytes would not see each other. */
  gst_memory_init (&share->mem,
      GST_MINI_OBJECT_FLAGS (root) | GST_MINI_OBJECT_FLAG_LOCK_READONLY,
      mem->allocator, root, mem->maxsize, mem->align, mem->offset + offset,
      size == -1 ? mem->size - offset : (gsize) size);
  return &share->mem;
}

/* GStreamer's own way takes for granted that an allocator has memory. */
static GstMemory *
pinned_copy (GstMemory *mem, gssize offset, gssize size)
{
  GstAllocationParams params = { .align = mem->align };
  gsize bytes = size == -1 ? mem->size - offset : (gsize) size;
  GstMemory *copy = gst_allocator_alloc (mem->allocator, bytes, &params);
  GstMapInfo map;

  if (copy == NULL)
    copy = gst_allocator_alloc (NULL, bytes, &params);
  gst_memory_map (copy, &map, GST_MAP_WRITE);
  memcpy (map.data, ((PinnedMemory *) mem)->data + mem->offset + offset, bytes);
  gst_memory_unmap (copy, &map);
  return copy;
}

static gboolean
pinned_is_span (GstMemory *first, GstMemory *second, gsize *offset)
{
  const guint8 *end =
      ((PinnedMemory *) first)->data + first->offset + first->size;

  if (offset != NULL)
    *offset = first->offset - first->parent->offset;
  return end == ((PinnedMemory *) second)->data + second->offset;
}

static void
zc_pinned_allocator_finalize (GObject *object)
{
  ZcPinnedAllocator *self = ZC_PINNED_ALLOCATOR (object);

  for (guint i = 0; i < N_SIZES; i++)
    free_blocks (self, self->shelf[i].first);
  g_mutex_clear (&self->lock);
  g_clear_pointer (&self->context, zc_context_unref);
  G_OBJECT_CLASS (zc_pinned_allocator_parent_class)->finalize (object);
}

static void
zc_pinned_allocator_class_init (ZcPinnedAllocatorClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = zc_pinned_allocator_finalize;
  GST_ALLOCATOR_CLASS (klass)->alloc = zc_pinned_allocator_alloc;
  GST_ALLOCATOR_CLASS (klass)->free = zc_pinned_allocator_free;
}

static void
zc_pinned_allocator_init (ZcPinnedAllocator *self)
{
  GstAllocator *allocator = GST_ALLOCATOR (self);

  /* The base class copies into memory of this allocator. */
  allocator->mem_type = GST_ZC_PINNED_MEMORY_TYPE;
  allocator->mem_map = pinned_map;
  allocator->mem_unmap = pinned_unmap;
  allocator->mem_share = pinned_share;
  allocator->mem_copy = pinned_copy;
  allocator->mem_is_span = pinned_is_span;
  g_mutex_init (&self->lock);
}

GstAllocator *
gst_zc_pinned_allocator_new (GstCudaContext *context)
{
  g_autoptr (GError) error = NULL;
  ZcPinnedAllocator *self = g_object_new (ZC_TYPE_PINNED_ALLOCATOR, NULL);

  gst_object_ref_sink (self);
  self->context = zc_context_get (context, &error);
  if (self->context == NULL)
    GST_ERROR_OBJECT (self, "No pinned memory: %s", error->message);
  return GST_ALLOCATOR (self);
}

gsize
zc_pinned_allocator_get_bytes (GstAllocator *allocator)
{
  return __atomic_load_n (&ZC_PINNED_ALLOCATOR (allocator)->bytes,
      __ATOMIC_RELAXED);
}

void
zc_pinned_allocator_allow_plain (GstAllocator *allocator)
{
  g_atomic_int_set (&ZC_PINNED_ALLOCATOR (allocator)->allow_plain, TRUE);
}
