/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "hostpicture.h"

#include <string.h>

#define PAD 13
#define PREFIX 96

static void
measure (HostPicture *self, const GstVideoInfo *info)
{
  GstZcImage image;

  g_assert_true (gst_zc_image_init_packed (&image, GST_VIDEO_INFO_FORMAT (info),
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info), 0, 1, NULL,
      NULL));
  self->n_planes = image.n_planes;
  for (guint i = 0; i < image.n_planes; i++) {
    self->row_bytes[i] = gst_zc_plane_row_bytes (&image.plane[i]);
    self->rows[i] = image.plane[i].height;
  }
}

static void
lay_out_memories (HostPicture *self, const GstVideoInfo *info)
{
  self->size = 0;
  for (guint i = 0; i < self->n_planes; i++) {
    self->stride[i] = GST_VIDEO_INFO_PLANE_STRIDE (info, i);
    self->offset[i] = self->size;
    self->size += (gsize) self->stride[i] * self->rows[i] + PAD;
  }
}

static void
lay_out (HostPicture *self, const GstVideoInfo *info, HostLayout layout)
{
  gboolean padded = layout == HOST_PADDED || layout == HOST_SPLIT;

  if (layout == HOST_MEMORIES) {
    lay_out_memories (self, info);
    return;
  }
  self->size = padded ? 0 : GST_VIDEO_INFO_SIZE (info);
  for (guint i = 0; i < self->n_planes; i++) {
    self->stride[i] = padded ? (gint) self->row_bytes[i] + PAD
                             : GST_VIDEO_INFO_PLANE_STRIDE (info, i);
    self->offset[i] =
        padded ? self->size + PAD : GST_VIDEO_INFO_PLANE_OFFSET (info, i);
    if (padded)
      self->size = self->offset[i] + (gsize) self->stride[i] * self->rows[i];
  }
}

static void
append_memory (HostPicture *self, gsize size, HostLayout layout,
    GstAllocator *allocator)
{
  GstAllocationParams params = { 0 };
  GstMemory *memory;
  GstMapInfo map;

  params.prefix = layout == HOST_PREFIXED ? PREFIX : 0;
  memory = gst_allocator_alloc (allocator, size, &params);
  gst_memory_resize (memory, -(gssize) params.prefix, size + params.prefix);
  g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
  memset (map.data, HOST_CANARY, map.size);
  gst_memory_unmap (memory, &map);
  gst_memory_resize (memory, params.prefix, size);
  gst_buffer_append_memory (self->buffer, memory);
}

static void
append_memories (HostPicture *self, HostLayout layout, GstAllocator *allocator)
{
  gboolean split = layout == HOST_SPLIT || layout == HOST_MEMORIES;
  gsize start = 0;

  for (guint i = 0; split && i + 1 < self->n_planes; i++) {
    gsize end = self->offset[i] + (gsize) self->stride[i] * self->rows[i];

    if (layout == HOST_MEMORIES)
      end += PAD;
    append_memory (self, end - start, layout, allocator);
    start = end;
  }
  append_memory (self, self->size - start, layout, allocator);
}

void
host_picture_init (HostPicture *self, const GstVideoInfo *info,
    HostLayout layout, GstAllocator *allocator)
{
  *self = (HostPicture) { .buffer = gst_buffer_new () };
  measure (self, info);
  lay_out (self, info, layout);
  append_memories (self, layout, allocator);
  if (layout == HOST_PADDED || layout == HOST_SPLIT)
    gst_buffer_add_video_meta_full (self->buffer, GST_VIDEO_FRAME_FLAG_NONE,
        GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info), self->n_planes, self->offset,
        self->stride);
}

void
host_picture_clear (HostPicture *self)
{
  gst_clear_buffer (&self->buffer);
  g_clear_pointer (&self->bytes, g_free);
}

void
host_picture_fill (HostPicture *self, GRand *random)
{
  g_free (self->bytes);
  self->bytes = g_malloc (self->size);
  memset (self->bytes, HOST_CANARY, self->size);
  for (guint i = 0; i < self->n_planes; i++)
    for (gint y = 0; y < self->rows[i]; y++)
      for (gsize x = 0; x < self->row_bytes[i]; x++)
        self->bytes[self->offset[i] + (gsize) y * self->stride[i] + x] =
            g_rand_int (random);
  g_assert_cmpuint (gst_buffer_fill (self->buffer, 0, self->bytes, self->size),
      ==, self->size);
}

static void
assert_no_prefix_touched (GstMemory *memory)
{
  gsize offset, maxsize,
      size = gst_memory_get_sizes (memory, &offset, &maxsize);
  GstMapInfo map;

  gst_memory_resize (memory, -(gssize) offset, size + offset);
  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ));
  for (gsize i = 0; i < offset; i++)
    g_assert_cmphex (map.data[i], ==, HOST_CANARY);
  gst_memory_unmap (memory, &map);
  gst_memory_resize (memory, offset, size);
}

void
host_picture_assert_copied (const HostPicture *self, const HostPicture *src)
{
  g_autofree guint8 *expected = g_malloc (self->size);
  g_autofree guint8 *got = g_malloc (self->size);

  memset (expected, HOST_CANARY, self->size);
  for (guint i = 0; i < self->n_planes; i++)
    for (gint y = 0; y < self->rows[i]; y++)
      memcpy (expected + self->offset[i] + (gsize) y * self->stride[i],
          src->bytes + src->offset[i] + (gsize) y * src->stride[i],
          self->row_bytes[i]);
  gst_buffer_extract (self->buffer, 0, got, self->size);
  g_assert_cmpmem (got, self->size, expected, self->size);
  for (guint i = 0; i < gst_buffer_n_memory (self->buffer); i++)
    assert_no_prefix_touched (gst_buffer_peek_memory (self->buffer, i));
}

gsize
host_picture_end (const HostPicture *self)
{
  guint last = self->n_planes - 1;

  return self->offset[last] +
      (gsize) self->stride[last] * (self->rows[last] - 1) +
      self->row_bytes[last];
}
