/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A program that has a CUDA context of its own and shares it with a pipeline: it
 * draws a picture, has it turned, and looks at the result, all in one context,
 * without a copy in between. Its CUDA calls go through GStreamer's loader, so it
 * links with no libcuda; cuda.h is needed to build it.
 *
 *   cc -o embed embed.c -DGST_USE_UNSTABLE_API $(pkg-config --cflags --libs \
 *       gstreamer-zc-1.0 gstreamer-app-1.0 gstreamer-cuda-1.0) \
 *       -I/usr/local/cuda/include
 */

#include <gst/app/app.h>
#include <gst/cuda/gstcuda.h>
#include <gst/zc/zc.h>

#define WIDTH 320
#define HEIGHT 240
#define PIPELINE                                                               \
  "appsrc name=src caps=video/x-raw(memory:CUDAMemory),format=RGBA,"           \
  "width=320,height=240,framerate=0/1 ! zcflip video-direction=180 ! "         \
  "appsink name=sink"

typedef struct
{
  CUcontext cuda;
  CUstream stream;
  CUdeviceptr picture;
  GstCudaContext *context;
} App;

static gboolean
app_init (App *self)
{
  CUdevice device;

  if (!gst_cuda_load_library () || CuInit (0) || CuDeviceGet (&device, 0) ||
      CuCtxCreate (&self->cuda, 0, device) ||
      CuStreamCreate (&self->stream, CU_STREAM_NON_BLOCKING) ||
      CuMemAlloc (&self->picture, WIDTH * HEIGHT * 4))
    return FALSE;
  self->context = gst_cuda_context_new_wrapped (self->cuda, device);
  return self->context != NULL;
}

/* A red first pixel on black. The buffer waits for the stream, not the program. */
static GstBuffer *
draw (App *self, GError **error)
{
  const GstZcProducer producer = { GST_ZC_PRODUCER_STREAM, self->stream };
  GstZcImage image;

  CuMemsetD2D32Async (self->picture, WIDTH * 4, 0xff000000, WIDTH, HEIGHT,
      self->stream);
  CuMemsetD2D32Async (self->picture, WIDTH * 4, 0xff0000ff, 1, 1, self->stream);
  if (!gst_zc_image_init_packed (&image, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT,
          0, self->picture, NULL, error))
    return NULL;
  return gst_zc_buffer_new_wrapped (self->context, &image, &producer, NULL,
      NULL, error);
}

/* Waits, on its own stream, for the pixels that it wants to see. */
static gboolean
look (App *self, GstSample *sample, guint32 *last, GError **error)
{
  g_autoptr (GstZcStream) stream =
      gst_zc_stream_new_borrowed (self->context, self->stream, error);
  GstVideoInfo info;
  GstZcPlane *plane;
  GstZcFrame frame;

  gst_video_info_from_caps (&info, gst_sample_get_caps (sample));
  if (!stream ||
      !gst_zc_frame_map (&frame, gst_sample_get_buffer (sample), &info,
          GST_MAP_READ, stream, error))
    return FALSE;
  plane = &frame.image.plane[0];
  CuMemcpyDtoHAsync (last,
      plane->data + plane->row_stride * (HEIGHT - 1) + 4 * (WIDTH - 1), 4,
      self->stream);
  return gst_zc_frame_unmap (&frame, error) &&
      gst_zc_stream_synchronize (stream, error);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  GstElement *pipeline;
  GstSample *sample = NULL;
  GstBuffer *buffer = NULL;
  guint32 last = 0;
  App app;

  gst_init (&argc, &argv);
  if (!app_init (&app))
    return 77;
  pipeline = gst_parse_launch (PIPELINE, NULL);
  /* All elements use this context and make none. */
  gst_element_set_context (pipeline,
      gst_context_new_cuda_context (app.context));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  buffer = draw (&app, &error);
  if (buffer) {
    gst_app_src_push_buffer (
        GST_APP_SRC (gst_bin_get_by_name (GST_BIN (pipeline), "src")), buffer);
    sample = gst_app_sink_pull_sample (
        GST_APP_SINK (gst_bin_get_by_name (GST_BIN (pipeline), "sink")));
  }
  if (sample && look (&app, sample, &last, &error))
    g_print ("the last pixel is %08x\n", last);
  else
    g_printerr ("%s\n", error ? error->message : "no picture came");
  g_clear_pointer (&sample, gst_sample_unref);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  return last == 0xff0000ff ? 0 : 1;
}
