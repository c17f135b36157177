/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcarraylayout.h"

#include "gstzcarray-private.h"

/* An array, and which dimensions of it are looked at: those of 1 around a
 * picture say nothing. */
typedef struct
{
  const GstZcArray *array;
  guint index; /* for messages */
  guint first;
  guint n_dims;
} View;

static gint64
shape_of (const View *view, guint dim)
{
  return view->array->shape[view->first + dim];
}

static gint64
stride_of (const View *view, guint dim)
{
  return view->array->strides[view->first + dim];
}

/* TRUE if @view is, or can be seen as, one of these shapes. */
static gboolean
has_shape (View *view, guint n_dims, const gint64 *shape)
{
  guint extra = view->n_dims - n_dims;
  guint i;

  if (view->n_dims < n_dims)
    return FALSE;
  for (i = 0; i < extra; i++) {
    if (shape_of (view, i) != 1)
      return FALSE;
  }
  for (i = 0; i < n_dims; i++) {
    if (shape_of (view, extra + i) != shape[i])
      return FALSE;
  }
  view->first += extra;
  view->n_dims = n_dims;
  return TRUE;
}

/* The same for one channel, for which a dimension may stand behind. */
static gboolean
has_shape_of_one (View *view, guint n_dims, const gint64 *shape)
{
  gint64 with_channel[GST_ZC_ARRAY_MAX_DIMS];

  if (has_shape (view, n_dims, shape))
    return TRUE;
  memcpy (with_channel, shape, n_dims * sizeof (*shape));
  with_channel[n_dims] = 1;
  if (n_dims == GST_ZC_ARRAY_MAX_DIMS ||
      !has_shape (view, n_dims + 1, with_channel))
    return FALSE;
  view->n_dims--;
  return TRUE;
}

static gboolean
check_stride (const View *view, guint dim, gint64 expected, GError **error)
{
  /* Where there is but one, none has a distance from it. */
  if (shape_of (view, dim) == 1 || stride_of (view, dim) == expected)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "Array %u: strides[%u] is %" G_GINT64_FORMAT " bytes where the elements "
      "of a row are %" G_GINT64_FORMAT " bytes apart; copy it so that they are",
      view->index, view->first + dim, stride_of (view, dim), expected);
  return FALSE;
}

/* A GPU reads 16 bits at even addresses only. */
static gboolean
check_alignment (const View *view, guint dim, GError **error)
{
  gint64 bytes = zc_array_item_size (view->array->typestr);
  gint64 stride = shape_of (view, dim) == 1 ? 0 : stride_of (view, dim);

  if (stride % bytes == 0 && view->array->data % bytes == 0)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "Array %u: strides[%u] is %" G_GINT64_FORMAT " bytes and data "
      "0x%" G_GINT64_MODIFIER
      "x, where elements have %d bytes; copy it so that each begins at a "
      "multiple of that",
      view->index, view->first + dim, stride, view->array->data, (gint) bytes);
  return FALSE;
}

static gboolean
check_row_stride (const View *view, guint dim, gsize row_bytes, GError **error)
{
  gint64 stride = stride_of (view, dim);

  if (!check_alignment (view, dim, error))
    return FALSE;

  if (shape_of (view, dim) == 1 || stride >= (gint64) row_bytes ||
      stride <= -(gint64) row_bytes)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "Array %u: strides[%u] is %" G_GINT64_FORMAT " bytes, but rows have "
      "%" G_GSIZE_FORMAT
      " bytes and would overlap; copy it so that they do not",
      view->index, view->first + dim, stride, row_bytes);
  return FALSE;
}

/* The last dimensions of @view, from @dim on, are rows of elements of @plane. */
static gboolean
check_rows (const View *view, guint dim, const GstZcPlane *plane,
    GError **error)
{
  gsize row_bytes = gst_zc_plane_row_bytes (plane);
  gboolean by_channel = view->n_dims - dim == 3;

  if (by_channel &&
      (!check_stride (view, dim + 1, plane->pixel_stride, error) ||
          !check_stride (view, dim + 2, plane->channel_bytes, error)))
    return FALSE;
  if (!by_channel && !check_stride (view, dim + 1, plane->channel_bytes, error))
    return FALSE;
  return check_row_stride (view, dim, row_bytes, error);
}

/* Of one row, any will do. */
static gint64
row_stride (const View *view, guint dim, const GstZcPlane *plane)
{
  return shape_of (view, dim) == 1 ? (gint64) gst_zc_plane_row_bytes (plane)
                                   : stride_of (view, dim);
}

static gboolean
fail_shape (const View *view, const GstZcImage *image, guint index,
    GError **error)
{
  g_autoptr (GString) text = g_string_new (NULL);
  const GstZcPlane *plane = &image->plane[index];
  guint i;

  for (i = 0; i < view->array->n_dims; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i ? ", " : "",
        view->array->shape[i]);
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "Array %u: shape is (%s), plane %u of %s %dx%d is (%d, %d, %d)",
      view->index, text->str, index, gst_video_format_to_string (image->format),
      image->width, image->height, plane->height, plane->width,
      plane->n_channels);
  return FALSE;
}

static gboolean
take_plane (GstZcImage *image, guint index, View *view, GError **error)
{
  GstZcPlane *plane = &image->plane[index];
  const gint64 by_channel[] = { plane->height, plane->width,
    plane->n_channels };
  const gint64 by_row[] = { plane->height,
    (gint64) plane->width * plane->n_channels };

  if (!has_shape (view, 3, by_channel) && !has_shape (view, 2, by_row))
    return fail_shape (view, image, index, error);
  if (!check_rows (view, 0, plane, error))
    return FALSE;
  plane->data = view->array->data;
  plane->row_stride = row_stride (view, 0, plane);
  return TRUE;
}

/* All planes, one behind the other, as planes of one size. */
static gboolean
take_equal_planes (GstZcImage *image, const View *view, GError **error)
{
  if (!check_rows (view, 1, &image->plane[0], error))
    return FALSE;
  for (guint i = 0; i < image->n_planes; i++) {
    image->plane[i].data =
        view->array->data + i * (guint64) stride_of (view, 0);
    image->plane[i].row_stride = row_stride (view, 1, &image->plane[0]);
  }
  return TRUE;
}

static gboolean
check_stacked (const GstZcImage *image, const View *view, GError **error)
{
  gsize row_bytes = gst_zc_plane_row_bytes (&image->plane[0]);
  gint64 stride = stride_of (view, 0);

  if (!check_stride (view, 1, image->plane[0].channel_bytes, error) ||
      !check_row_stride (view, 0, row_bytes, error))
    return FALSE;
  if (stride > 0 && (image->n_planes == 2 || stride == (gint64) row_bytes))
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "Array %u: strides[%u] is %" G_GINT64_FORMAT
      " bytes; planes of %s in one "
      "array stand top-down%s: give each plane an array of its own",
      view->index, view->first, stride,
      gst_video_format_to_string (image->format),
      image->n_planes == 2 ? "" : " without padding");
  return FALSE;
}

/* As gst_zc_image_get_array() has them. */
static gboolean
take_stacked (GstZcImage *image, const View *view, GError **error)
{
  guint64 next = view->array->data;

  if (!check_stacked (image, view, error))
    return FALSE;
  for (guint i = 0; i < image->n_planes; i++) {
    GstZcPlane *plane = &image->plane[i];

    plane->data = next;
    plane->row_stride = image->n_planes == 2
        ? stride_of (view, 0)
        : (gint64) gst_zc_plane_row_bytes (plane);
    next += (guint64) plane->row_stride * plane->height;
  }
  return TRUE;
}

static gboolean
planes_are_equal (const GstZcImage *image)
{
  for (guint i = 0; i < image->n_planes; i++) {
    if (image->plane[i].width != image->width ||
        image->plane[i].height != image->height ||
        image->plane[i].n_channels != 1)
      return FALSE;
  }
  return TRUE;
}

static gboolean
can_be_stacked (const GstZcImage *image)
{
  const GstZcFormatPlane *chroma = &gst_zc_format_get (image->format)->plane[1];

  return chroma->w_sub == 1 && chroma->h_sub == 1 && image->width % 2 == 0 &&
      image->height % 2 == 0;
}

static gboolean
take_all (GstZcImage *image, View *view, GError **error)
{
  const gint64 equal[] = { image->n_planes, image->height, image->width };
  const gint64 stacked[] = { (gint64) image->height / 2 * 3, image->width };

  if (planes_are_equal (image) && has_shape_of_one (view, 3, equal))
    return take_equal_planes (image, view, error);
  if (can_be_stacked (image) && has_shape_of_one (view, 2, stacked))
    return take_stacked (image, view, error);
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "Array 0: shape is none that all planes of %s %dx%d have in one array: "
      "give an array for each of the %u planes",
      gst_video_format_to_string (image->format), image->width, image->height,
      image->n_planes);
  return FALSE;
}

/* `|` and the machine's own order are the same for bytes. */
static gboolean
check_type (const GstZcArray *array, guint index, const GstZcImage *image,
    guint plane, GError **error)
{
  gint bytes = image->plane[plane].channel_bytes;
  const gchar *orders = bytes == 1 ? "<>|=" : "<=";

  if (strchr (orders, array->typestr[0]) && array->typestr[1] == 'u' &&
      zc_array_item_size (array->typestr) == (gsize) bytes)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_UNSUPPORTED,
      "Array %u: typestr is \"%s\", %s has \"%cu%d\"", index, array->typestr,
      gst_video_format_to_string (image->format), bytes > 1 ? '<' : '|', bytes);
  return FALSE;
}

/* Anybody may have written to the struct. */
static gboolean
check_fields (const GstZcArray *array, guint index, GError **error)
{
  if (array->n_dims > 0 && array->n_dims <= GST_ZC_ARRAY_MAX_DIMS &&
      memchr (array->typestr, 0, sizeof (array->typestr)))
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "Array %u: n_dims or typestr is none; make it with gst_zc_array_new()",
      index);
  return FALSE;
}

static gboolean
take_arrays (GstZcImage *image, GstZcArray *const *arrays, guint n_arrays,
    GError **error)
{
  for (guint i = 0; i < n_arrays; i++) {
    View view = { arrays[i], i, 0, arrays[i]->n_dims };

    if (!check_fields (arrays[i], i, error) ||
        !check_type (arrays[i], i, image, i, error))
      return FALSE;
    if (n_arrays == 1 && image->n_planes > 1)
      return take_all (image, &view, error);
    if (!take_plane (image, i, &view, error))
      return FALSE;
  }
  return TRUE;
}

/* Sizes of planes; addresses and strides are to come. */
static gboolean
init_shape (GstZcImage *image, const GstVideoInfo *info, gint device,
    GError **error)
{
  return gst_zc_image_init_packed (image, GST_VIDEO_INFO_FORMAT (info),
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info), device, 1,
      NULL, error);
}

gboolean
zc_image_init_from_arrays (GstZcImage *image, const GstVideoInfo *info,
    GstZcArray *const *arrays, guint n_arrays, gint device, GError **error)
{
  if (!init_shape (image, info, device, error))
    return FALSE;
  if (n_arrays == 1 || n_arrays == image->n_planes)
    return take_arrays (image, arrays, n_arrays, error);
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "%u arrays were given for %s, which has %u planes: give one a plane",
      n_arrays, gst_video_format_to_string (image->format), image->n_planes);
  return FALSE;
}
