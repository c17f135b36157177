/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Buffers of GStreamer elements as frames in FFmpeg's CUDA memory, without a
 * copy.
 *
 *   cc -o ffmpeg-out ffmpeg-out.c $(pkg-config --cflags --libs \
 *       gstreamer-zc-1.0 gstreamer-app-1.0 libavutil)
 */

#include <gst/app/gstappsink.h>
#include <gst/zc/zc.h>
#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_cuda.h>

#define N_FRAMES 100
#define PIPELINE                                                               \
  "videotestsrc num-buffers=100 ! video/x-raw,format=NV12 ! zcupload ! "       \
  "zcflip video-direction=180 ! appsink name=sink sync=false"

/* What FFmpeg has queued on its stream by now is the last that it does. */
static void
give_back (void *mapped, uint8_t *data)
{
  if (!gst_zc_frame_unmap (mapped, NULL))
    g_warning ("a buffer was given back in an uncertain order");
  g_free (mapped);
}

/* A frame of the pixels of @buffer, which it keeps. @surfaces say what format
 * they are, none of them is used. @stream is the one that FFmpeg works on. */
static AVFrame *
frame_from_buffer (GstBuffer *buffer, const GstVideoInfo *info,
    AVBufferRef *surfaces, GstZcStream *stream, GError **error)
{
  GstZcFrame *mapped = g_new (GstZcFrame, 1);
  AVFrame *frame;
  guint i;

  if (!gst_zc_frame_map (mapped, buffer, info, GST_MAP_READ, stream, error)) {
    g_free (mapped);
    return NULL;
  }
  frame = av_frame_alloc ();
  frame->format = AV_PIX_FMT_CUDA;
  frame->width = info->width;
  frame->height = info->height;
  for (i = 0; i < mapped->image.n_planes; i++) {
    frame->data[i] = (uint8_t *) (guintptr) mapped->image.plane[i].data;
    frame->linesize[i] = mapped->image.plane[i].row_stride;
  }
  frame->buf[0] = av_buffer_create (frame->data[0],
      gst_buffer_get_size (buffer), give_back, mapped, AV_BUFFER_FLAG_READONLY);
  frame->hw_frames_ctx = av_buffer_ref (surfaces);
  return frame;
}

static AVBufferRef *
new_surfaces (AVBufferRef *device, enum AVPixelFormat format, gint width,
    gint height)
{
  AVBufferRef *surfaces = av_hwframe_ctx_alloc (device);
  AVHWFramesContext *frames = (AVHWFramesContext *) surfaces->data;

  frames->format = AV_PIX_FMT_CUDA;
  frames->sw_format = format;
  frames->width = width;
  frames->height = height;
  return av_hwframe_ctx_init (surfaces) == 0 ? surfaces : NULL;
}

/* Where an encoder, or a filter of FFmpeg's, would take the frame. */
static gboolean
use (GstSample *sample, AVBufferRef *surfaces, GstZcStream *stream,
    GError **error)
{
  AVFrame *frame, *host = av_frame_alloc ();
  GstVideoInfo info;
  int failed = 1;

  gst_video_info_from_caps (&info, gst_sample_get_caps (sample));
  frame = frame_from_buffer (gst_sample_get_buffer (sample), &info, surfaces,
      stream, error);
  if (frame)
    failed = av_hwframe_transfer_data (host, frame, 0);
  av_frame_free (&frame);
  av_frame_free (&host);
  return !failed;
}

int
main (int argc, char **argv)
{
  AVBufferRef *device = NULL, *surfaces = NULL;
  GstZcStream *stream = NULL;
  GstElement *pipeline, *sink;
  GstSample *sample;
  GError *error = NULL;
  gint n = 0;

  gst_init (&argc, &argv);
  pipeline = gst_parse_launch (PIPELINE, NULL);
  sink = gst_bin_get_by_name (GST_BIN (pipeline), "sink");
  if (av_hwdevice_ctx_create (&device, AV_HWDEVICE_TYPE_CUDA, NULL, NULL,
          AV_CUDA_USE_PRIMARY_CONTEXT) == 0 &&
      (surfaces = new_surfaces (device, AV_PIX_FMT_NV12, 320, 240)))
    stream = gst_zc_stream_new_borrowed (gst_zc_context_new (0, &error), NULL,
        &error);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (stream && (sample = gst_app_sink_pull_sample (GST_APP_SINK (sink)))) {
    n += use (sample, surfaces, stream, &error);
    gst_sample_unref (sample);
  }
  g_print ("%d frames\n", n);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  av_buffer_unref (&surfaces);
  av_buffer_unref (&device);
  return n == N_FRAMES ? 0 : 1;
}
