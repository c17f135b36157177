/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Pixels through the element, compared with what it says that it does. On softcuda
 * with SOFTCUDA_RACES=abort a barrier that is missing ends the program. */

#include <gst/check/gstharness.h>
#include <gst/zc/zc.h>

#define N_FRAMES 12
#define LINE "zcupload ! zcinvert threshold=%u ! zcdownload"

typedef struct
{
  const gchar *format;
  gint width, height;
  guint threshold;
} Row;

static const Row rows[] = {
  { "NV12", 320, 240, 0 },
  { "NV12", 33, 17, 128 }, /* odd: chroma is rounded up */
  { "I420", 33, 17, 255 },
  { "Y444", 31, 9, 100 },
  { "RGB", 35, 11, 1 },
};

static gboolean
have_device (void)
{
  g_autoptr (GError) error = NULL;
  GstCudaContext *context = gst_zc_context_new (0, &error);

  if (context == NULL)
    g_test_skip (error->message);
  gst_clear_object (&context);
  return error == NULL;
}

static guint8
sample (guint frame, gsize at)
{
  return (guint8) (at * 7 + frame * 31);
}

static GstBuffer *
make_frame (guint frame, gsize size)
{
  GstBuffer *buffer = gst_buffer_new_allocate (NULL, size, NULL);
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_WRITE));
  for (gsize i = 0; i < size; i++)
    map.data[i] = sample (frame, i);
  gst_buffer_unmap (buffer, &map);
  return buffer;
}

static void
check_byte (guint8 got, guint8 had, guint threshold)
{
  g_assert_cmpuint (got, ==, had < threshold ? had : 255 - had);
}

/* What is between the rows is nobody's. */
static void
check_frame (GstBuffer *buffer, const GstVideoInfo *info, guint frame,
    guint threshold)
{
  GstVideoFrame video;

  g_assert_true (gst_video_frame_map (&video, info, buffer, GST_MAP_READ));
  for (guint p = 0; p < GST_VIDEO_INFO_N_PLANES (info); p++) {
    gint comp[GST_VIDEO_MAX_COMPONENTS];
    const guint8 *got = GST_VIDEO_FRAME_PLANE_DATA (&video, p);
    gint width, height;

    gst_video_format_info_component (info->finfo, p, comp);
    width = GST_VIDEO_INFO_COMP_WIDTH (info, comp[0]) *
        GST_VIDEO_INFO_COMP_PSTRIDE (info, comp[0]);
    height = GST_VIDEO_INFO_COMP_HEIGHT (info, comp[0]);
    for (gint y = 0; y < height; y++) {
      gsize at = info->offset[p] + (gsize) y * info->stride[p];

      for (gint x = 0; x < width; x++)
        check_byte (got[y * GST_VIDEO_FRAME_PLANE_STRIDE (&video, p) + x],
            sample (frame, at + x), threshold);
    }
  }
  gst_video_frame_unmap (&video);
}

static GstHarness *
start (const Row *row, GstVideoInfo *info)
{
  g_autofree gchar *line = g_strdup_printf (LINE, row->threshold);
  GstHarness *harness = gst_harness_new_parse (line);

  gst_video_info_set_format (info, gst_video_format_from_string (row->format),
      row->width, row->height);
  gst_harness_set_src_caps (harness, gst_video_info_to_caps (info));
  return harness;
}

/* Enough frames that memory is used again. */
static void
test_pixels (gconstpointer data)
{
  const Row *row = data;
  GstHarness *harness;
  GstVideoInfo info;

  if (!have_device ())
    return;
  harness = start (row, &info);
  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *buffer = make_frame (i, GST_VIDEO_INFO_SIZE (&info));

    g_assert_cmpint (gst_harness_push (harness, buffer), ==, GST_FLOW_OK);
  }
  for (guint i = 0; i < N_FRAMES; i++) {
    GstBuffer *buffer = gst_harness_pull (harness);

    check_frame (buffer, &info, i, row->threshold);
    gst_buffer_unref (buffer);
  }
  gst_harness_teardown (harness);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *path = g_strdup_printf ("/zcinvert/%s/%ux%u",
        rows[i].format, rows[i].width, rows[i].height);
    g_test_add_data_func (path, &rows[i], test_pixels);
  }
  return g_test_run ();
}
