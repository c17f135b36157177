/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A driver that gives no event when work on a frame is to be recorded: nobody
 * would wait for that work, so it is waited for at once. */

#include "cudapanel.h"
#include "cudatest.h"

#define DELAY_MS 60

typedef struct
{
  const gchar *name;
  const gchar *call; /* fails as the frame is unmapped */
  GstMapFlags flags;
} Row;

static const Row rows[] = {
  { "read", "cuEventRecord", GST_MAP_READ },
  { "write", "cuEventRecord", GST_MAP_WRITE },
  { "bridge", "cuStreamWaitEvent", GST_MAP_WRITE },
};

static void
check_release (GstBuffer *buffer, const GstVideoInfo *info, GstZcStream *stream,
    const Row *row, const SoftcudaPanel *panel)
{
  g_autoptr (GError) error = NULL;
  SoftcudaOutstanding now;
  GstZcFrame frame;

  g_assert_true (gst_zc_frame_map (&frame, buffer, info, row->flags, stream,
      &error));
  cuda_test_delay (stream, DELAY_MS);
  panel->fail (row->call, 1, 999, 0);
  g_assert_false (gst_zc_frame_unmap (&frame, &error));
  panel->fail_clear ();
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_DRIVER);
  panel->get_outstanding (&now);
  g_assert_cmpuint (now.operations, ==, 0);
}

static void
test_release (gconstpointer data)
{
  GstCudaContext *context = cuda_test_context (0);
  const SoftcudaPanel *panel;
  GstBufferPool *pool;
  GstZcStream *stream;
  GstVideoInfo info;
  GstBuffer *buffer;

  if (context == NULL || !(panel = cuda_test_panel ()))
    return;
  pool = cuda_test_pool (context, GST_VIDEO_FORMAT_RGBA, 16, 16, &info);
  stream = gst_zc_stream_new (context, NULL);
  buffer = cuda_test_acquire (pool);
  check_release (buffer, &info, stream, data, panel);
  gst_buffer_unref (buffer);
  gst_zc_stream_unref (stream);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
  gst_object_unref (context);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *path =
        g_strconcat ("/failed-release/", rows[i].name, NULL);

    g_test_add_data_func (path, &rows[i], test_release);
  }
  return g_test_run ();
}
