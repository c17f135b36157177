/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzchost-private.h"

#include "gstzcheldmap.h"
#include "gstzclayout.h"

static gboolean
map_error (guint memory, GstMapFlags flags, GError **error)
{
  if (flags & GST_MAP_WRITE)
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NOT_WRITABLE,
        "Memory %u of the host buffer can't be mapped for writing; take a "
        "fresh buffer from a pool",
        memory);
  else
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE,
        "Memory %u of the host buffer can't be mapped for reading; unmap it "
        "where it is being written first",
        memory);
  return FALSE;
}

/* Maps memory @index, if no plane before has: @slot is its member of @map. */
static gboolean
map_memory (ZcHostPicture *self, guint index, GstMapFlags flags, guint *slot,
    GError **error)
{
  GstMemory *memory = gst_buffer_peek_memory (self->buffer, index);

  for (*slot = 0; *slot < self->n_maps; (*slot)++)
    if (self->map[*slot].memory == memory)
      return TRUE;
  if (!(flags & GST_MAP_WRITE
              ? gst_memory_map (memory, &self->map[*slot], flags)
              : zc_held_map (memory, &self->map[*slot])))
    return map_error (index, flags, error);
  self->n_maps++;
  return TRUE;
}

/* Plane @plane is @skip bytes into memory @index. */
static gboolean
map_plane (ZcHostPicture *self, guint plane, guint index, gsize skip,
    GstMapFlags flags, const ZcPlaneSize *size, GError **error)
{
  guint slot;

  if (!map_memory (self, index, flags, &slot, error) ||
      !zc_plane_size_check (size, plane, self->stride[plane],
          self->map[slot].size - skip, "host buffer", error))
    return FALSE;
  self->data[plane] = self->map[slot].data + skip;
  self->map_of[plane] = slot;
  return TRUE;
}

/* Without a meta nothing but its start says where in its memory a plane is. */
static gboolean
has_memory_a_plane (GstBuffer *buffer, const GstZcFormat *format)
{
  return format->n_planes > 1 &&
      gst_buffer_n_memory (buffer) == format->n_planes &&
      gst_buffer_get_video_meta (buffer) == NULL;
}

static gboolean
locate_plane (ZcHostPicture *self, guint plane, gsize offset, GstMapFlags flags,
    const ZcPlaneSize *size, GError **error)
{
  guint index, length;
  gsize skip;

  if (!gst_buffer_find_memory (self->buffer, offset, 1, &index, &length,
          &skip)) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "Plane %u of the host buffer starts at byte %" G_GSIZE_FORMAT
        ", but the buffer has %" G_GSIZE_FORMAT
        "; correct its GstVideoMeta or its size",
        plane, offset, gst_buffer_get_size (self->buffer));
    return FALSE;
  }
  return map_plane (self, plane, index, skip, flags, size, error);
}

static gboolean
locate_planes (ZcHostPicture *self, const GstZcFormat *format,
    const GstVideoInfo *info, GstMapFlags flags, GError **error)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (self->buffer);
  const gsize *offset = meta != NULL ? meta->offset : info->offset;
  const gint *stride = meta != NULL ? meta->stride : info->stride;
  gboolean one_each = has_memory_a_plane (self->buffer, format);
  ZcPlaneSize size;
  guint x, y;

  if (!zc_layout_origin (self->buffer, info, "host buffer", &x, &y, error))
    return FALSE;
  for (guint i = 0; i < format->n_planes; i++) {
    zc_plane_size_init (&size, format, i, GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info));
    self->stride[i] = stride[i];
    if (!(one_each ? map_plane (self, i, i, 0, flags, &size, error)
                   : locate_plane (self, i,
                         zc_layout_start (info, i, x, y, offset[i], stride[i]),
                         flags, &size, error)))
      return FALSE;
  }
  return TRUE;
}

gboolean
zc_host_picture_map (ZcHostPicture *self, GstBuffer *buffer,
    const GstVideoInfo *info, GstMapFlags flags, GError **error)
{
  const GstZcFormat *format = gst_zc_format_get (GST_VIDEO_INFO_FORMAT (info));

  if (format == NULL) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
        "Format %s is not served", GST_VIDEO_INFO_NAME (info));
    return FALSE;
  }
  if ((flags & GST_MAP_WRITE) && !gst_buffer_is_all_memory_writable (buffer)) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NOT_WRITABLE,
        "The host buffer or its memory is shared and may not be written; take "
        "a fresh one from a pool");
    return FALSE;
  }
  *self = (ZcHostPicture) { .buffer = buffer, .n_planes = format->n_planes };
  if (locate_planes (self, format, info, flags, error)) {
    gst_buffer_ref (buffer);
    return TRUE;
  }
  self->buffer = NULL;
  zc_host_picture_unmap (self);
  return FALSE;
}

void
zc_host_picture_unmap (ZcHostPicture *self)
{
  while (self->n_maps > 0) {
    GstMapInfo *map = &self->map[--self->n_maps];

    if (map->flags & GST_MAP_WRITE)
      gst_memory_unmap (map->memory, map);
    else
      zc_held_unmap (map->memory);
  }
  gst_clear_buffer (&self->buffer);
}
