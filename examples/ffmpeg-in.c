/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Frames in FFmpeg's CUDA memory through GStreamer elements, without a copy.
 *
 *   cc -o ffmpeg-in ffmpeg-in.c $(pkg-config --cflags --libs gstreamer-zc-1.0 \
 *       gstreamer-app-1.0 libavutil)
 */

#include <gst/app/gstappsrc.h>
#include <gst/zc/zc.h>
#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_cuda.h>

#define WIDTH 320
#define HEIGHT 240
#define N_FRAMES 100
#define PIPELINE                                                               \
  "appsrc name=src format=time block=true max-buffers=1 "                      \
  "caps=video/x-raw(memory:CUDAMemory),format=NV12,width=320,height=240 ! "    \
  "zcflip video-direction=180 ! zcdownload ! fakesink"

static void
free_frame (gpointer data)
{
  AVFrame *frame = data;

  av_frame_free (&frame);
}

/* A buffer of the pixels of @frame, which are in @format. FFmpeg gets its surface
 * back when the GPU is done with it, not when the next frame comes. @context is
 * the one that FFmpeg works in. */
static GstBuffer *
buffer_from_frame (GstCudaContext *context, const AVFrame *frame,
    GstVideoFormat format, GError **error)
{
  AVHWFramesContext *frames = (AVHWFramesContext *) frame->hw_frames_ctx->data;
  AVCUDADeviceContext *device = frames->device_ctx->hwctx;
  GstZcProducer producer = { GST_ZC_PRODUCER_STREAM, device->stream };
  guint64 data[GST_ZC_MAX_PLANES] = { 0 };
  gint64 stride[GST_ZC_MAX_PLANES] = { 0 };
  GstZcImage image;
  guint i;

  for (i = 0; i < GST_ZC_MAX_PLANES && frame->data[i]; i++) {
    data[i] = (guint64) (guintptr) frame->data[i];
    stride[i] = frame->linesize[i];
  }
  if (!gst_zc_image_init (&image, format, frame->width, frame->height, 0, data,
          stride, error))
    return NULL;
  return gst_zc_buffer_new_wrapped (context, &image, &producer,
      av_frame_clone (frame), free_frame, error);
}

/* Frames as a decoder with -hwaccel_output_format cuda gives them. */
static AVBufferRef *
new_surfaces (AVBufferRef *device)
{
  AVBufferRef *surfaces = av_hwframe_ctx_alloc (device);
  AVHWFramesContext *frames = (AVHWFramesContext *) surfaces->data;

  frames->format = AV_PIX_FMT_CUDA;
  frames->sw_format = AV_PIX_FMT_NV12;
  frames->width = WIDTH;
  frames->height = HEIGHT;
  return av_hwframe_ctx_init (surfaces) == 0 ? surfaces : NULL;
}

static gboolean
push (GstElement *src, GstCudaContext *context, AVBufferRef *surfaces,
    GError **error)
{
  AVFrame *frame = av_frame_alloc ();
  GstBuffer *buffer = NULL;

  if (av_hwframe_get_buffer (surfaces, frame, 0) == 0)
    buffer = buffer_from_frame (context, frame, GST_VIDEO_FORMAT_NV12, error);
  av_frame_free (&frame);
  return buffer &&
      gst_app_src_push_buffer (GST_APP_SRC (src), buffer) == GST_FLOW_OK;
}

int
main (int argc, char **argv)
{
  AVBufferRef *device = NULL, *surfaces = NULL;
  GstCudaContext *context = NULL;
  GstElement *pipeline, *src;
  GError *error = NULL;
  gint n = 0;

  gst_init (&argc, &argv);
  pipeline = gst_parse_launch (PIPELINE, NULL);
  src = gst_bin_get_by_name (GST_BIN (pipeline), "src");
  /* FFmpeg first: it refuses a primary context that is in use already. */
  if (av_hwdevice_ctx_create (&device, AV_HWDEVICE_TYPE_CUDA, NULL, NULL,
          AV_CUDA_USE_PRIMARY_CONTEXT) == 0 &&
      (surfaces = new_surfaces (device)))
    context = gst_zc_context_new (0, &error);
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  while (context && n < N_FRAMES && push (src, context, surfaces, &error))
    n++;
  g_print ("%d frames%s\n", n, error ? error->message : "");
  gst_element_set_state (pipeline, GST_STATE_NULL);
  av_buffer_unref (&surfaces);
  av_buffer_unref (&device);
  gst_object_unref (src);
  gst_object_unref (pipeline);
  return n == N_FRAMES ? 0 : 1;
}
