/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/* Memory for the reference's planes: layouts, canary, random fill, comparison */
#include <string.h>

#include "reference.h"

#define MARGIN 256 /* canary before and after the rows, bytes */

const gchar *
ref_layout_name (RefLayout layout)
{
  static const gchar *const names[REF_N_LAYOUTS] = {
    [REF_TIGHT] = "tight",
    [REF_PADDED] = "padded",
    [REF_ODD] = "odd",
    [REF_ODD_OFFSET] = "odd-offset",
    [REF_NEGATIVE] = "negative",
  };

  return names[layout];
}

const gchar *
ref_orientation_name (GstVideoOrientationMethod orientation)
{
  static const gchar *const names[] = {
    [GST_VIDEO_ORIENTATION_IDENTITY] = "identity",
    [GST_VIDEO_ORIENTATION_90R] = "90r",
    [GST_VIDEO_ORIENTATION_180] = "180",
    [GST_VIDEO_ORIENTATION_90L] = "90l",
    [GST_VIDEO_ORIENTATION_HORIZ] = "horiz",
    [GST_VIDEO_ORIENTATION_VERT] = "vert",
    [GST_VIDEO_ORIENTATION_UL_LR] = "ul-lr",
    [GST_VIDEO_ORIENTATION_UR_LL] = "ur-ll",
  };

  return names[orientation];
}

gsize
ref_plane_row_bytes (const RefPlane *plane)
{
  gint width = plane->width;

  if (plane->packing != REF_PLAIN)
    width = (width + 1) / 2 * 2;
  return (gsize) width * plane->bytes;
}

static gsize
stride_of (gsize row, RefLayout layout)
{
  switch (layout) {
    case REF_PADDED:
    case REF_ODD_OFFSET:
      return (row / 256 + 1) * 256;
    case REF_ODD:
      return (row + 6) | 1;
    case REF_NEGATIVE:
      return (row + 19) / 4 * 4;
    default:
      return row;
  }
}

void
ref_plane_alloc (RefPlane *plane, RefLayout layout)
{
  gsize stride = stride_of (ref_plane_row_bytes (plane), layout);
  gsize offset = layout == REF_ODD ? 3 : layout == REF_ODD_OFFSET ? 1 : 0;
  gsize rows = stride * plane->height;

  plane->size = MARGIN + offset + rows + MARGIN;
  plane->memory = g_aligned_alloc (1, plane->size, 256);
  memset (plane->memory, REF_CANARY, plane->size);
  plane->data = plane->memory + MARGIN + offset;
  plane->stride = (gssize) stride;
  if (layout == REF_NEGATIVE) {
    plane->data += rows - stride;
    plane->stride = -plane->stride;
  }
}

void
ref_plane_clear (RefPlane *plane)
{
  g_aligned_free (plane->memory);
  plane->memory = plane->data = NULL;
}

void
ref_plane_fill_random (RefPlane *plane, GRand *random)
{
  gsize row = ref_plane_row_bytes (plane);

  for (gint y = 0; y < plane->height; y++) {
    guint8 *bytes = plane->data + y * plane->stride;

    for (gsize i = 0; i < row; i += 4) {
      guint32 four = g_rand_int (random);

      memcpy (bytes + i, &four, MIN (4, row - i));
    }
  }
}

static gchar *
compare_rows (const RefPlane *expected, const RefPlane *got)
{
  gsize row = ref_plane_row_bytes (expected);

  for (gint y = 0; y < expected->height; y++) {
    const guint8 *e = expected->data + y * expected->stride;
    const guint8 *g = got->data + y * got->stride;

    for (gsize i = 0; i < row; i++) {
      if (e[i] != g[i])
        return g_strdup_printf ("x %d, y %d, byte %d of the element: expected "
                                "0x%02x, got 0x%02x",
            (gint) i / expected->bytes, y, (gint) i % expected->bytes, e[i],
            g[i]);
    }
  }
  return NULL;
}

/* Marks the bytes of memory that are pixels. */
static guint8 *
pixel_mask (const RefPlane *plane)
{
  guint8 *mask = g_malloc0 (plane->size);
  gsize row = ref_plane_row_bytes (plane);

  for (gint y = 0; y < plane->height; y++)
    memset (mask + (plane->data - plane->memory) + y * plane->stride, 1, row);
  return mask;
}

static gchar *
compare_canary (const RefPlane *plane)
{
  g_autofree guint8 *mask = pixel_mask (plane);

  for (gsize i = 0; i < plane->size; i++) {
    if (!mask[i] && plane->memory[i] != REF_CANARY)
      return g_strdup_printf ("stray write at byte %" G_GSSIZE_FORMAT
                              " of the first row, stride %" G_GSSIZE_FORMAT
                              ": 0x%02x",
          (gssize) (plane->memory + i - plane->data), plane->stride,
          plane->memory[i]);
  }
  return NULL;
}

gchar *
ref_plane_compare (const RefPlane *expected, const RefPlane *got)
{
  gchar *message;

  g_assert_cmpint (expected->width, ==, got->width);
  g_assert_cmpint (expected->height, ==, got->height);
  message = compare_rows (expected, got);
  return message ? message : compare_canary (got);
}
