/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcwraplayout.h"

/* What may lie between two planes, or two rows, of one picture and still be
 * nobody else's: decoders align heights to 64 rows, rows to 512 bytes. A CPU
 * that writes to the memory writes back all of its bytes. */
#define MAX_GAP_ROWS 64
#define MAX_PADDING 1024

static guint64
plane_end (const GstZcPlane *plane)
{
  return plane->data + gst_zc_plane_extent (plane);
}

/* Planes @first to before @end of an image, as one memory. */
typedef struct
{
  const GstZcPlane *first;
  guint n_planes;
  guint64 start;                /* lowest address */
  guint64 end;
} Group;

static Group
group_of (const GstZcPlane *first, guint n_planes)
{
  Group group = { first, n_planes, G_MAXUINT64, 0 };

  for (guint i = 0; i < n_planes; i++) {
    group.start = MIN (group.start, first[i].data);
    group.end = MAX (group.end, plane_end (&first[i]));
  }
  return group;
}

/* TRUE if all planes are rows of one grid, which begins with the lowest of them
 * and stays in its allocation. */
static gboolean
as_one_grid (const Group *group, const ZcAllocation *allocation,
    ZcMemoryRows *rows)
{
  gint64 pitch = group->first->row_stride;

  *rows = (ZcMemoryRows) { .pitch = pitch };
  for (guint i = 0; i < group->n_planes; i++) {
    const GstZcPlane *plane = &group->first[i];
    guint64 skip = plane->data - group->start;

    if (plane->row_stride != pitch || skip % pitch != 0)
      return FALSE;
    rows->width = MAX (rows->width, gst_zc_plane_row_bytes (plane));
    rows->height = MAX (rows->height, skip / pitch + plane->height);
  }
  return group->start + zc_memory_rows_size (rows) <= allocation->end;
}

static ZcMemoryRows
rows_of (const Group *group, const ZcAllocation *allocation)
{
  ZcMemoryRows rows;

  if (!as_one_grid (group, allocation, &rows))
    rows = zc_memory_rows_of_bytes (group->end - group->start);
  return rows;
}

/* The plane that follows @plane in memory, or NULL. */
static const GstZcPlane *
next_in_memory (const GstZcImage *image, const GstZcPlane *plane)
{
  const GstZcPlane *next = NULL;

  for (guint i = 0; i < image->n_planes; i++) {
    const GstZcPlane *other = &image->plane[i];

    if (other->data > plane->data && (!next || other->data < next->data))
      next = other;
  }
  return next;
}

/* One row may have a stride of any size: it is not multiplied. */
static gboolean
gap_is_small (const GstZcImage *image, const GstZcPlane *plane)
{
  const GstZcPlane *next = next_in_memory (image, plane);
  guint64 end = plane_end (plane);

  return !next || next->data <= end ||
      (next->data - end - 1) / MAX_GAP_ROWS < (guint64) plane->row_stride;
}

static gboolean
padding_is_small (const GstZcPlane *plane)
{
  return plane->row_stride <
      (gint64) gst_zc_plane_row_bytes (plane) + MAX_PADDING;
}

/* gst-cuda counts rows and their bytes as int. */
static gboolean
can_be_copied (const Group *group, const ZcAllocation *allocation)
{
  ZcMemoryRows rows = rows_of (group, allocation);

  return rows.width <= G_MAXINT && rows.height <= G_MAXINT;
}

static gboolean
is_one_memory (const GstZcImage *image, const ZcAllocation *allocation)
{
  Group all = group_of (image->plane, image->n_planes);
  gboolean padded = FALSE;
  ZcMemoryRows rows;

  for (guint i = 0; i < image->n_planes; i++) {
    if (allocation[i].start != allocation[0].start ||
        !gap_is_small (image, &image->plane[i]))
      return FALSE;
    padded |= !padding_is_small (&image->plane[i]);
  }
  return can_be_copied (&all, &allocation[0]) &&
      (!padded || as_one_grid (&all, &allocation[0], &rows));
}

static void
add_memory (ZcWrapLayout *self, const Group *group,
    const ZcAllocation *allocation)
{
  ZcWrapMemory *memory = &self->memory[self->n_memory++];

  memory->address = group->start;
  memory->rows = rows_of (group, allocation);
}

static gsize
memory_size (const ZcWrapMemory *memory)
{
  return zc_memory_rows_size (&memory->rows);
}

static void
init_one_memory (ZcWrapLayout *self, const GstZcImage *image,
    const ZcAllocation *allocation)
{
  Group all = group_of (image->plane, image->n_planes);
  GstVideoInfo *info = &self->memory[0].info;

  add_memory (self, &all, allocation);
  gst_video_info_set_format (info, image->format, image->width, image->height);
  for (guint i = 0; i < image->n_planes; i++) {
    self->offset[i] = info->offset[i] = image->plane[i].data - all.start;
    info->stride[i] = self->stride[i];
  }
  info->size = memory_size (&self->memory[0]);
}

static void
init_memory_a_plane (ZcWrapLayout *self, const GstZcImage *image,
    const ZcAllocation *allocation)
{
  gsize offset = 0;

  for (guint i = 0; i < image->n_planes; i++) {
    const GstZcPlane *plane = &image->plane[i];
    Group one = group_of (plane, 1);
    GstVideoInfo *info = &self->memory[i].info;

    add_memory (self, &one, &allocation[i]);
    gst_video_info_set_format (info, GST_VIDEO_FORMAT_GRAY8,
        gst_zc_plane_row_bytes (plane), plane->height);
    info->stride[0] = self->stride[i];
    info->size = memory_size (&self->memory[i]);
    self->offset[i] = offset;
    offset += info->size;
  }
}

static gboolean
check_stride (const GstZcPlane *plane, guint index, GError **error)
{
  if (plane->row_stride > 0 && plane->row_stride <= G_MAXINT)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "Plane %u has a stride of %" G_GINT64_FORMAT
      " bytes; a buffer can hold 1 to %d: copy the picture closer together",
      index, plane->row_stride, G_MAXINT);
  return FALSE;
}

static gboolean
check_size (const GstZcImage *image, GError **error)
{
  GstVideoInfo info;

  if (gst_video_info_set_format (&info, image->format, image->width,
          image->height))
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "A picture of %dx%d is too large for GStreamer, whose frames are smaller "
      "than 4 GiB: divide it",
      image->width, image->height);
  return FALSE;
}

gboolean
zc_wrap_layout_init (ZcWrapLayout *self, const GstZcImage *image,
    const ZcAllocation *allocation, GError **error)
{
  memset (self, 0, sizeof (*self));
  if (!check_size (image, error))
    return FALSE;
  for (guint i = 0; i < image->n_planes; i++) {
    if (!check_stride (&image->plane[i], i, error))
      return FALSE;
    self->stride[i] = image->plane[i].row_stride;
  }
  if (is_one_memory (image, allocation))
    init_one_memory (self, image, allocation);
  else
    init_memory_a_plane (self, image, allocation);
  return TRUE;
}
