/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */
/* The reference's frames: the planes of a format, from GStreamer's own table */
#include "reference.h"

static gboolean
is_packed_422 (const GstVideoFormatInfo *finfo)
{
  return finfo->n_planes == 1 && finfo->n_components == 3 &&
      finfo->w_sub[1] == 1 && finfo->h_sub[1] == 0;
}

gboolean
ref_is_defined (GstVideoFormat format, GstVideoOrientationMethod orientation)
{
  const GstVideoFormatInfo *finfo = gst_video_format_get_info (format);

  return !ref_is_transposing (orientation) || is_packed_422 (finfo) ||
      finfo->w_sub[1] == finfo->h_sub[1];
}

static guint
component_of_plane (const GstVideoFormatInfo *finfo, guint plane)
{
  guint component = 0;

  while (finfo->plane[component] != plane)
    component++;
  return component;
}

static void
set_element (RefPlane *plane, const GstVideoFormatInfo *finfo, guint component)
{
  plane->bytes = finfo->pixel_stride[component];
  plane->packing = REF_PLAIN;
  if (is_packed_422 (finfo))
    plane->packing = finfo->poffset[0] == 0 ? REF_YUYV : REF_UYVY;
}

void
ref_frame_init (RefFrame *frame, GstVideoFormat format, gint width, gint height,
    RefLayout layout)
{
  const GstVideoFormatInfo *finfo = gst_video_format_get_info (format);

  *frame = (RefFrame) { format, width, height, finfo->n_planes };
  for (guint i = 0; i < frame->n_planes; i++) {
    guint component = component_of_plane (finfo, i);
    RefPlane *plane = &frame->plane[i];

    plane->width = GST_VIDEO_SUB_SCALE (finfo->w_sub[component], width);
    plane->height = GST_VIDEO_SUB_SCALE (finfo->h_sub[component], height);
    set_element (plane, finfo, component);
    ref_plane_alloc (plane, layout);
  }
}

void
ref_frame_init_turned (RefFrame *frame, const RefFrame *src,
    GstVideoOrientationMethod orientation, RefLayout layout)
{
  gboolean turn = ref_is_transposing (orientation);

  ref_frame_init (frame, src->format, turn ? src->height : src->width,
      turn ? src->width : src->height, layout);
}

void
ref_frame_clear (RefFrame *frame)
{
  for (guint i = 0; i < frame->n_planes; i++)
    ref_plane_clear (&frame->plane[i]);
}

void
ref_frame_fill_random (RefFrame *frame, guint32 seed)
{
  GRand *random = g_rand_new_with_seed (seed);

  for (guint i = 0; i < frame->n_planes; i++)
    ref_plane_fill_random (&frame->plane[i], random);
  g_rand_free (random);
}

gchar *
ref_frame_compare (const RefFrame *expected, const RefFrame *got)
{
  for (guint i = 0; i < expected->n_planes; i++) {
    g_autofree gchar *message =
        ref_plane_compare (&expected->plane[i], &got->plane[i]);

    if (message)
      return g_strdup_printf ("%s %dx%d, plane %u: %s",
          gst_video_format_to_string (expected->format), expected->width,
          expected->height, i, message);
  }
  return NULL;
}
