/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What lies between rows and planes stays 0, whatever is written to a frame: no
 * old picture goes out with it. */

#include <gst/cuda/gstcudamemory.h>

#include "cudatest.h"
#include "pixels.h"

#define N_FRAMES 4

/* 1 where a byte is a sample. */
static guint8 *
mark_samples (GstBuffer *buffer, gsize size)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  guint8 *marks = g_malloc0 (size);
  GstZcImage image;

  g_assert_true (gst_zc_image_init_packed (&image, meta->format, meta->width,
      meta->height, 0, 1, NULL, NULL));
  for (guint i = 0; i < image.n_planes; i++) {
    const GstZcPlane *plane = &image.plane[i];

    for (gint row = 0; row < plane->height; row++)
      memset (marks + meta->offset[i] + (gsize) row * meta->stride[i], 1,
          gst_zc_plane_row_bytes (plane));
  }
  return marks;
}

static void
check_padding (GstCudaContext *context, GstBuffer *buffer)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  g_autofree guint8 *bytes = g_malloc (memory->size);
  g_autofree guint8 *marks = mark_samples (buffer, memory->size);
  GstMapInfo map;

  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ | GST_MAP_CUDA));
  cuda_test_synchronize (context);
  cuda_test_copy_out (context, bytes, (guintptr) map.data, map.size);
  gst_memory_unmap (memory, &map);
  for (gsize i = 0; i < memory->size; i++) {
    if (!marks[i])
      g_assert_cmpuint (bytes[i], ==, 0);
  }
}

/* Frames with canary in all of their padding, more than the pool has buffers. */
static void
run_frames (const gchar *chain, GstCudaContext *context, GstVideoFormat format,
    gint width, gint height)
{
  GstHarness *h = chain_new (chain);

  chain_set_size (h, format, width, height);
  for (guint i = 0; i < N_FRAMES; i++) {
    g_auto (RefFrame) frame = { 0 };
    GstBuffer *out;

    ref_frame_init (&frame, format, width, height, REF_ODD);
    ref_frame_fill_random (&frame, pixel_seed ());
    out = chain_run (h, pixel_buffer (&frame, i % 2));
    check_padding (context, out);
    gst_buffer_unref (out);
  }
  gst_harness_teardown (h);
}

static void
test_chain (gconstpointer chain)
{
  GstCudaContext *context = cuda_test_context (0);
  const GstVideoFormat *formats;
  guint n;

  if (context == NULL)
    return;
  formats = gst_zc_format_list (&n);
  for (guint i = 0; i < n; i++) {
    if (gst_zc_format_can_orient (formats[i], GST_VIDEO_ORIENTATION_90R))
      run_frames (chain, context, formats[i], 67, 35);
  }
  gst_object_unref (context);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_data_func ("/padding/upload", "zcupload", test_chain);
  g_test_add_data_func ("/padding/flip/180",
      "zcupload ! zcflip video-direction=180", test_chain);
  g_test_add_data_func ("/padding/flip/90r",
      "zcupload ! zcflip video-direction=90r", test_chain);
  g_test_add_data_func ("/padding/flip/horiz",
      "zcupload ! zcflip video-direction=horiz", test_chain);
  return g_test_run ();
}
