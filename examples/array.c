/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What other CUDA software is told of a buffer, and how it answers: the planes of
 * a picture as CUDA arrays, read by work that no frame map knows of.
 *
 *   cc -o array array.c -DGST_USE_UNSTABLE_API $(pkg-config --cflags --libs \
 *       gstreamer-zc-1.0 gstreamer-app-1.0 gstreamer-cuda-1.0) \
 *       -I/usr/local/cuda/include
 */

#include <gst/app/app.h>
#include <gst/cuda/gstcuda.h>
#include <gst/zc/zc.h>

#define PIPELINE                                                               \
  "videotestsrc num-buffers=1 pattern=white ! video/x-raw,format=RGBA,"        \
  "width=322,height=242 ! zcupload ! zcflip video-direction=180 ! "            \
  "appsink name=sink"

static void
print_array (const GstZcArray *array)
{
  g_print ("{'version': 3, 'typestr': '%s', 'shape': (", array->typestr);
  for (guint i = 0; i < array->n_dims; i++)
    g_print ("%" G_GINT64_FORMAT ", ", array->shape[i]);
  g_print ("), 'strides': (");
  for (guint i = 0; i < array->n_dims; i++)
    g_print ("%" G_GINT64_FORMAT ", ", array->strides[i]);
  g_print (")}\n");
}

/* Reads the first pixel. @named is the stream that @array names: what is queued
 * on one that waits for it sees the picture. */
static gboolean
read_pixel (GstZcStream *named, const GstZcArray *array, guint32 *pixel)
{
  CUevent written;
  CUstream own;

  return !CuEventCreate (&written, CU_EVENT_DISABLE_TIMING) &&
      !CuEventRecord (written, gst_zc_stream_get_handle (named)) &&
      !CuEventSynchronize (written) &&
      !CuStreamCreate (&own, CU_STREAM_NON_BLOCKING) &&
      !CuMemcpyDtoHAsync (pixel, array->data, 4, own) &&
      !CuStreamSynchronize (own) && !CuStreamDestroy (own) &&
      !CuEventDestroy (written);
}

static gboolean
use_array (GstBuffer *buffer, const GstVideoInfo *info, guint32 *pixel,
    GError **error)
{
  g_autoptr (GstZcArray) array = gst_zc_buffer_get_array (buffer, info, 0,
      GST_MAP_READ, GST_ZC_ARRAY_SYNC_NONE, error);
  GstCudaContext *context;
  gboolean ok;

  if (!array)
    return FALSE;
  print_array (array);
  context = gst_zc_stream_get_context (array->stream);
  if (!gst_cuda_context_push (context))
    return FALSE;
  ok = read_pixel (array->stream, array, pixel);
  gst_cuda_context_pop (NULL);
  return ok;
}

/* No array at all: a stream of one's own that waits, and is told of. */
static gboolean
use_stream (GstBuffer *buffer, GstZcStream *stream, GError **error)
{
  if (!gst_zc_buffer_wait (buffer, GST_MAP_READ, stream, error))
    return FALSE;
  /* queue kernels that read the buffer on gst_zc_stream_get_handle (stream) */
  return gst_zc_buffer_mark_read (buffer, stream, error);
}

int
main (int argc, char **argv)
{
  g_autoptr (GstZcStream) stream = NULL;
  g_autoptr (GError) error = NULL;
  GstElement *pipeline, *sink;
  GstSample *sample;
  GstVideoInfo info;
  guint32 pixel = 0;

  gst_init (&argc, &argv);
  pipeline = gst_parse_launch (PIPELINE, NULL);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  sample = gst_app_sink_pull_sample (GST_APP_SINK (sink));
  if (!sample)
    return 1;
  gst_video_info_from_caps (&info, gst_sample_get_caps (sample));
  stream = gst_zc_stream_new (gst_zc_context_new (0, &error), &error);
  if (!stream || !use_stream (gst_sample_get_buffer (sample), stream, &error) ||
      !use_array (gst_sample_get_buffer (sample), &info, &pixel, &error))
    g_printerr ("%s\n", error ? error->message : "a CUDA call failed");
  gst_sample_unref (sample);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return pixel == 0xffffffff ? 0 : 1;
}
