/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Arrays of our pixels, for software that knows nothing of GStreamer. */

#include "gstzcarray-private.h"

static GstZcArray *
array_init (const GstZcImage *image, guint64 data, gint channel_bytes)
{
  const GstZcFormat *format = gst_zc_format_get (image->format);
  GstZcArray *array = g_new0 (GstZcArray, 1);

  array->data = data;
  g_snprintf (array->typestr, sizeof (array->typestr), "%cu%d",
      channel_bytes > 1 ? '<' : '|', channel_bytes);
  array->n_dims = 3;
  array->depth = format->depth;
  array->shift = format->shift;
  array->device = image->device;
  array->cai_stream = GST_ZC_CAI_NO_STREAM;
  return array;
}

static void
set_dim (GstZcArray *array, guint dim, gint64 shape, gint64 stride)
{
  array->shape[dim] = shape;
  array->strides[dim] = stride;
}

static GstZcArray *
plane_array (const GstZcImage *image, guint index)
{
  const GstZcPlane *plane = &image->plane[index];
  GstZcArray *array = array_init (image, plane->data, plane->channel_bytes);

  set_dim (array, 0, plane->height, plane->row_stride);
  set_dim (array, 1, plane->width, plane->pixel_stride);
  set_dim (array, 2, plane->n_channels, plane->channel_bytes);
  return array;
}

/* TRUE if @next begins where @plane ends, a whole row ended. */
static gboolean
follows (const GstZcPlane *next, const GstZcPlane *plane)
{
  return next->data == plane->data + plane->row_stride * plane->height;
}

static gboolean
is_tight (const GstZcPlane *plane)
{
  return plane->row_stride == (gint64) gst_zc_plane_row_bytes (plane);
}

/* One grid of rows: the chroma of two pixels takes what their luma takes. */
static gboolean
is_stacked_semi_planar (const GstZcImage *image)
{
  const GstZcPlane *plane = image->plane;

  return image->n_planes == 2 && plane[1].row_stride == plane[0].row_stride &&
      plane[0].row_stride > 0 && follows (&plane[1], &plane[0]);
}

/* Two rows of chroma make one of the grid's, if nothing is between them. */
static gboolean
is_stacked_planar (const GstZcImage *image)
{
  const GstZcPlane *plane = image->plane;

  for (guint i = 0; i < image->n_planes; i++) {
    if (!is_tight (&plane[i]) || (i > 0 && !follows (&plane[i], &plane[i - 1])))
      return FALSE;
  }
  return image->n_planes == 3;
}

static gboolean
is_420 (const GstZcImage *image)
{
  const GstZcFormatPlane *chroma = &gst_zc_format_get (image->format)->plane[1];

  return image->n_planes > 1 && chroma->w_sub == 1 && chroma->h_sub == 1;
}

static GstZcArray *
stacked_array (const GstZcImage *image, GError **error)
{
  const GstZcPlane *luma = &image->plane[0];
  GstZcArray *array;

  if (!is_420 (image) || image->width % 2 || image->height % 2 ||
      (!is_stacked_semi_planar (image) && !is_stacked_planar (image))) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "%s %dx%d can't be had as one array here: that takes 4:2:0, an even "
        "width and height, and planes of one stride without a gap between "
        "them; "
        "ask for each plane, or for packed memory",
        gst_video_format_to_string (image->format), image->width,
        image->height);
    return NULL;
  }
  array = array_init (image, luma->data, luma->channel_bytes);
  set_dim (array, 0, (gint64) image->height / 2 * 3, luma->row_stride);
  set_dim (array, 1, luma->width, luma->pixel_stride);
  set_dim (array, 2, 1, luma->channel_bytes);
  return array;
}

GstZcArray *
gst_zc_image_get_array (const GstZcImage *image, gint plane, GError **error)
{
  g_return_val_if_fail (image != NULL, NULL);

  if (plane == GST_ZC_ARRAY_STACKED)
    return stacked_array (image, error);
  if (plane >= 0 && (guint) plane < image->n_planes)
    return plane_array (image, plane);
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
      "There is no plane %d: %s has %u, numbered from 0", plane,
      gst_video_format_to_string (image->format), image->n_planes);
  return NULL;
}

GstZcArray *
gst_zc_frame_get_array (const GstZcFrame *frame, gint plane, GError **error)
{
  GstZcArray *array;

  g_return_val_if_fail (frame != NULL, NULL);

  if (!frame->buffer) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE,
        "A frame that is not mapped has no arrays; call gst_zc_frame_map() "
        "first");
    return NULL;
  }
  array = gst_zc_image_get_array (&frame->image, plane, error);
  if (array) {
    array->read_only = !(frame->flags & GST_MAP_WRITE);
    zc_array_take_stream (array, gst_zc_stream_ref (frame->stream));
  }
  return array;
}

/* A stream of the primary context of @device that has nothing to do but to wait
 * for others. Made on first use and kept, as the context is. */
static GstZcStream *
guest_stream (GstCudaContext *primary, gint device, GError **error)
{
  static GMutex lock;
  static GHashTable *streams;
  GstZcStream *stream;

  g_mutex_lock (&lock);
  if (!streams)
    streams = g_hash_table_new (NULL, NULL);
  stream = g_hash_table_lookup (streams, GINT_TO_POINTER (device));
  if (!stream && (stream = gst_zc_stream_new (primary, error)))
    g_hash_table_insert (streams, GINT_TO_POINTER (device), stream);
  if (stream)
    gst_zc_stream_ref (stream);
  g_mutex_unlock (&lock);
  return stream;
}

/* The true writer where the consumer may wait for it. */
static GstZcStream *
choose_stream (GstBuffer *buffer, GstMapFlags flags, GstZcArraySync sync,
    GError **error)
{
  GstZcStream *stream = NULL;
  GstCudaContext *primary;
  gint device;

  if (!gst_zc_buffer_get_device (buffer, &device, error) ||
      !(primary = gst_zc_context_new (device, error)))
    return NULL;
  if (!(flags & GST_MAP_WRITE) && sync == GST_ZC_ARRAY_SYNC_NONE)
    stream = gst_zc_buffer_get_writer_stream (buffer, NULL);
  if (!stream ||
      !gst_zc_context_same (gst_zc_stream_get_context (stream), primary)) {
    g_clear_pointer (&stream, gst_zc_stream_unref);
    stream = guest_stream (primary, device, error);
  }
  gst_object_unref (primary);
  return stream;
}

/* The map has the stream wait. What the consumer does it tells by itself. */
static GstZcArray *
array_on_stream (GstBuffer *buffer, const GstVideoInfo *info, gint plane,
    GstMapFlags flags, GstZcStream *stream, GError **error)
{
  GstZcArray *array;
  GstZcFrame frame;

  if (!gst_zc_frame_map (&frame, buffer, info, flags, stream, error))
    return NULL;
  array = gst_zc_frame_get_array (&frame, plane, error);
  if (!gst_zc_frame_unmap (&frame, array ? error : NULL))
    g_clear_pointer (&array, gst_zc_array_free);
  return array;
}

/* A host wait, asked for by name. */
static gboolean
finish (GstZcArray *array, GError **error)
{
  if (!gst_zc_stream_synchronize (array->stream, error))
    return FALSE;
  g_clear_pointer (&array->stream, gst_zc_stream_unref);
  array->cai_stream = GST_ZC_CAI_NONE;
  return TRUE;
}

GstZcArray *
gst_zc_buffer_get_array (GstBuffer *buffer, const GstVideoInfo *info,
    gint plane, GstMapFlags flags, GstZcArraySync sync, GError **error)
{
  g_autoptr (GstZcStream) stream = NULL;
  GstZcArray *array = NULL;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), NULL);
  g_return_val_if_fail (info != NULL, NULL);
  g_return_val_if_fail (flags & GST_MAP_READWRITE, NULL);

  stream = choose_stream (buffer, flags, sync, error);
  if (stream)
    array = array_on_stream (buffer, info, plane, flags, stream, error);
  if (array && sync == GST_ZC_ARRAY_SYNC_HOST && !finish (array, error))
    g_clear_pointer (&array, gst_zc_array_free);
  return array;
}
