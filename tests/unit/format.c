/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The format table against GStreamer's own description of each format. */

#include <gst/zc/zc.h>

/* All formats of GStreamer's CUDA elements. */
#define N_FORMATS 36
/* More than GStreamer has. */
#define END_OF_FORMATS 1000

typedef void (*FormatFunc) (const GstZcFormat *format,
    const GstVideoFormatInfo *info);

static void
for_each_format (FormatFunc func)
{
  guint n;
  const GstVideoFormat *list = gst_zc_format_list (&n);

  for (guint i = 0; i < n; i++) {
    g_test_message ("%s", gst_video_format_to_string (list[i]));
    func (gst_zc_format_get (list[i]), gst_video_format_get_info (list[i]));
  }
}

/* The component of a plane with the most pixels an element: in packed 4:2:2
 * luma has an element a pixel, but the plane's element is the macropixel. */
static guint
widest_component (const GstVideoFormatInfo *info, guint plane)
{
  gint widest = -1;

  for (guint i = 0; i < GST_VIDEO_FORMAT_INFO_N_COMPONENTS (info); i++)
    if (info->plane[i] == plane &&
        (widest < 0 || info->w_sub[i] > info->w_sub[widest]))
      widest = i;
  g_assert_cmpint (widest, >=, 0);
  return widest;
}

static void
check_planes (const GstZcFormat *format, const GstVideoFormatInfo *info)
{
  g_assert_cmpuint (format->n_planes, ==, info->n_planes);
  for (guint i = 0; i < format->n_planes; i++) {
    const GstZcFormatPlane *plane = &format->plane[i];
    guint c = widest_component (info, i);

    g_assert_cmpint (plane->n_channels * plane->channel_bytes, ==,
        info->pixel_stride[c]);
    g_assert_cmpint (plane->w_sub, ==, info->w_sub[c]);
    g_assert_cmpint (plane->h_sub, ==, info->h_sub[c]);
  }
}

static void
check_samples (const GstZcFormat *format, const GstVideoFormatInfo *info)
{
  gboolean bitfield = (format->flags & GST_ZC_FORMAT_BITFIELD) != 0;

  g_assert_cmpuint (format->depth, ==, info->depth[0]);
  g_assert_cmpuint (format->shift, ==, info->shift[0]);
  g_assert_cmpint (bitfield, ==, info->n_planes == 1 && info->depth[0] != 8);
  for (guint i = 0; i < format->n_planes; i++)
    g_assert_cmpuint (format->plane[i].channel_bytes, ==,
        bitfield                                ? 4
            : format->depth + format->shift > 8 ? 2
                                                : 1);
}

static void
check_flags (const GstZcFormat *format, const GstVideoFormatInfo *info)
{
  gboolean uneven = FALSE;

  for (guint i = 0; i < info->n_components; i++)
    uneven |= info->w_sub[i] != info->h_sub[i];
  g_assert_cmpint ((format->flags & GST_ZC_FORMAT_NO_TRANSPOSE) != 0, ==,
      uneven && info->n_planes > 1);
  g_assert_cmpint ((format->flags & GST_ZC_FORMAT_PACKED_422) != 0, ==,
      uneven && info->n_planes == 1);
}

static void
check_orientations (const GstZcFormat *format, const GstVideoFormatInfo *info)
{
  gboolean transpose = !(format->flags & GST_ZC_FORMAT_NO_TRANSPOSE);
  static const GstVideoOrientationMethod straight[] = {
    GST_VIDEO_ORIENTATION_IDENTITY, GST_VIDEO_ORIENTATION_180,
    GST_VIDEO_ORIENTATION_HORIZ, GST_VIDEO_ORIENTATION_VERT
  };
  static const GstVideoOrientationMethod turned[] = { GST_VIDEO_ORIENTATION_90R,
    GST_VIDEO_ORIENTATION_90L, GST_VIDEO_ORIENTATION_UL_LR,
    GST_VIDEO_ORIENTATION_UR_LL };

  for (guint i = 0; i < G_N_ELEMENTS (straight); i++)
    g_assert_true (gst_zc_format_can_orient (format->format, straight[i]));
  for (guint i = 0; i < G_N_ELEMENTS (turned); i++)
    g_assert_cmpint (gst_zc_format_can_orient (format->format, turned[i]), ==,
        transpose);
  g_assert_false (gst_zc_format_can_orient (format->format,
      GST_VIDEO_ORIENTATION_AUTO));
  g_assert_false (gst_zc_format_can_orient (format->format,
      GST_VIDEO_ORIENTATION_CUSTOM));
  g_assert_false (gst_zc_format_can_orient (format->format, -1));
}

static void
test_planes (void)
{
  for_each_format (check_planes);
}

static void
test_samples (void)
{
  for_each_format (check_samples);
}

static void
test_flags (void)
{
  for_each_format (check_flags);
}

static void
test_orientations (void)
{
  for_each_format (check_orientations);
  g_assert_false (gst_zc_format_can_orient (GST_VIDEO_FORMAT_GRAY8,
      GST_VIDEO_ORIENTATION_IDENTITY));
}

static void
test_list (void)
{
  guint n, found = 0;
  const GstVideoFormat *list = gst_zc_format_list (&n);

  g_assert_cmpuint (n, ==, N_FORMATS);
  for (guint i = 0; i < n; i++) {
    g_assert_cmpint (gst_zc_format_get (list[i])->format, ==, list[i]);
    for (guint j = 0; j < i; j++)
      g_assert_cmpint (list[i], !=, list[j]);
  }
  for (gint i = -1; i < END_OF_FORMATS; i++)
    found += gst_zc_format_get (i) != NULL;
  g_assert_cmpuint (found, ==, n);
  g_assert_null (gst_zc_format_get (GST_VIDEO_FORMAT_UNKNOWN));
  g_assert_null (gst_zc_format_get (GST_VIDEO_FORMAT_ENCODED));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/format/planes", test_planes);
  g_test_add_func ("/format/samples", test_samples);
  g_test_add_func ("/format/flags", test_flags);
  g_test_add_func ("/format/orientations", test_orientations);
  g_test_add_func ("/format/list", test_list);
  return g_test_run ();
}
