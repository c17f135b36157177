/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "pixels.h"

#include <string.h>

gboolean
have_device (void)
{
  static GstCudaContext *context;
  g_autoptr (GError) error = NULL;

  if (context == NULL)
    context = gst_zc_context_new (0, &error);
  if (context != NULL)
    return TRUE;
  if (g_getenv ("ZC_DRIVER") != NULL)
    g_error ("No device, but ZC_DRIVER is %s: %s", g_getenv ("ZC_DRIVER"),
        error->message);
  g_test_skip (error->message);
  return FALSE;
}

gboolean
have_nvcodec (void)
{
  g_autoptr (GstElementFactory) factory = NULL;

  if (!have_device ())
    return FALSE;
  factory = gst_element_factory_find ("cudaupload");
  if (factory == NULL)
    g_test_skip ("no cudaupload: the nvcodec plugin offers nothing here");
  return factory != NULL;
}

guint32
pixel_seed (void)
{
  static guint32 seed;

  if (seed == 0) {
    seed = 20240229;
    g_test_message ("seed of the pixels: %u", seed);
  }
  return seed++;
}

GstCaps *
pixel_caps (GstVideoFormat format, gint width, gint height)
{
  return gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      gst_video_format_to_string (format), "width", G_TYPE_INT, width, "height",
      G_TYPE_INT, height, "framerate", GST_TYPE_FRACTION, 30, 1, NULL);
}

/* Buffers */

static void
append_plane (GstBuffer *buffer, const RefPlane *plane)
{
  gpointer bytes = g_memdup2 (plane->memory, plane->size);

  gst_buffer_append_memory (buffer,
      gst_memory_new_wrapped (0, bytes, plane->size, 0, plane->size, bytes,
          g_free));
}

static void
add_meta (GstBuffer *buffer, const RefFrame *frame)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };
  gsize before = 0;

  for (guint i = 0; i < frame->n_planes; i++) {
    const RefPlane *plane = &frame->plane[i];

    offset[i] = before + (plane->data - plane->memory);
    stride[i] = plane->stride;
    before += plane->size;
  }
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      frame->format, frame->width, frame->height, frame->n_planes, offset,
      stride);
}

GstBuffer *
pixel_buffer (const RefFrame *frame, gboolean one_memory)
{
  GstBuffer *buffer = gst_buffer_new ();

  for (guint i = 0; i < frame->n_planes; i++)
    append_plane (buffer, &frame->plane[i]);
  if (one_memory)
    gst_buffer_replace_all_memory (buffer, gst_buffer_get_all_memory (buffer));
  add_meta (buffer, frame);
  return buffer;
}

static void
copy_rows (guint8 *to, gssize to_stride, const guint8 *from, gssize from_stride,
    gsize bytes, gint rows)
{
  for (gint row = 0; row < rows; row++)
    memcpy (to + row * to_stride, from + row * from_stride, bytes);
}

GstBuffer *
pixel_buffer_default (const RefFrame *frame)
{
  GstVideoInfo info;
  GstBuffer *buffer;
  GstMapInfo map;

  gst_video_info_set_format (&info, frame->format, frame->width, frame->height);
  buffer = gst_buffer_new_allocate (NULL, info.size, NULL);
  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  memset (map.data, REF_CANARY, map.size);
  for (guint i = 0; i < frame->n_planes; i++) {
    const RefPlane *plane = &frame->plane[i];

    copy_rows (map.data + info.offset[i], info.stride[i], plane->data,
        plane->stride, ref_plane_row_bytes (plane), plane->height);
  }
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

/* What differs first. (transfer full) (nullable) */
static gchar *
compare (const RefFrame *expected, GstBuffer *buffer)
{
  g_auto (RefFrame) got = { 0 };
  GstVideoFrame frame;
  GstVideoInfo info;

  gst_video_info_set_format (&info, expected->format, expected->width,
      expected->height);
  g_assert_true (gst_video_frame_map (&frame, &info, buffer, GST_MAP_READ));
  ref_frame_init (&got, expected->format, expected->width, expected->height,
      REF_TIGHT);
  for (guint i = 0; i < got.n_planes; i++) {
    RefPlane *plane = &got.plane[i];

    copy_rows (plane->data, plane->stride,
        GST_VIDEO_FRAME_PLANE_DATA (&frame, i),
        GST_VIDEO_FRAME_PLANE_STRIDE (&frame, i), ref_plane_row_bytes (plane),
        plane->height);
  }
  gst_video_frame_unmap (&frame);
  return ref_frame_compare (expected, &got);
}

void
pixel_assert (const RefFrame *expected, GstBuffer *buffer, const gchar *what)
{
  g_autofree gchar *difference = compare (expected, buffer);

  if (difference != NULL)
    g_error ("%s %dx%d, %s: %s", gst_video_format_to_string (expected->format),
        expected->width, expected->height, what, difference);
}

gboolean
pixel_equal (const RefFrame *expected, GstBuffer *buffer)
{
  g_autofree gchar *difference = compare (expected, buffer);

  return difference == NULL;
}

gboolean
pixel_has_cuda (GstBuffer *buffer)
{
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    if (gst_memory_is_type (gst_buffer_peek_memory (buffer, i),
            "gst.cuda.memory"))
      return TRUE;
  }
  return FALSE;
}

/* Chains */

GstHarness *
chain_new (const gchar *chain)
{
  GstHarness *h = gst_harness_new_parse (chain);

  g_assert_nonnull (h);
  gst_harness_play (h);
  return h;
}

void
chain_set_size (GstHarness *h, GstVideoFormat format, gint width, gint height)
{
  gst_harness_set_src_caps (h, pixel_caps (format, width, height));
}

GstBuffer *
chain_run (GstHarness *h, GstBuffer *buffer)
{
  g_assert_cmpint (gst_harness_push (h, buffer), ==, GST_FLOW_OK);
  buffer = gst_harness_try_pull (h);
  g_assert_nonnull (buffer);
  return buffer;
}

GstElement *
chain_find (GstHarness *h, const gchar *factory)
{
  GstElement *element = gst_harness_find_element (h, factory);

  g_assert_nonnull (element);
  gst_object_unref (element);
  return element;
}
