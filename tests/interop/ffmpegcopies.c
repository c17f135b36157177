/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Frames of FFmpeg through an element and back to FFmpeg: the very functions of
 * the examples, while calls of the driver's copies are counted. */

int example_in_main (int argc, char **argv);
int example_out_main (int argc, char **argv);

#define main example_in_main
#include "../../examples/ffmpeg-in.c"
#undef main
#undef N_FRAMES
#undef PIPELINE
#define main example_out_main
#define new_surfaces new_surfaces_of
#include "../../examples/ffmpeg-out.c"
#undef main

#include <gst/app/gstappsink.h>

#include "calls.h"
#include "cudatest.h"

#define W 64
#define H 48
#define N_COUNTED 100
#define DELAY_MS 2
#define CHAIN                                                                  \
  "appsrc name=src format=time caps=video/x-raw(memory:CUDAMemory),"           \
  "format=NV12,width=64,height=48,framerate=30/1 ! "                           \
  "zcflip video-direction=180 ! appsink name=sink sync=false"

typedef struct
{
  AVBufferRef *device, *surfaces;
  GstCudaContext *context;
  GstZcStream *stream; /* FFmpeg's */
  GstVideoInfo info;
  GstElement *pipeline, *src, *sink;
  AVFrame *out[N_COUNTED];
} Fixture;

static gboolean
fixture_init (Fixture *self)
{
  AVCUDADeviceContext *cuda;

  *self = (Fixture) { 0 };
  if (!calls_are_counted ())
    return FALSE;
  if (av_hwdevice_ctx_create (&self->device, AV_HWDEVICE_TYPE_CUDA, NULL, NULL,
          AV_CUDA_USE_PRIMARY_CONTEXT) != 0) {
    g_test_skip ("FFmpeg finds no CUDA device");
    return FALSE;
  }
  cuda = ((AVHWDeviceContext *) self->device->data)->hwctx;
  self->context = gst_zc_context_new (0, NULL);
  self->stream = gst_zc_stream_new_borrowed (self->context, cuda->stream, NULL);
  self->surfaces = new_surfaces_of (self->device, AV_PIX_FMT_NV12, W, H);
  gst_video_info_set_format (&self->info, GST_VIDEO_FORMAT_NV12, W, H);
  self->pipeline = gst_parse_launch (CHAIN, NULL);
  self->src = gst_bin_get_by_name (GST_BIN (self->pipeline), "src");
  self->sink = gst_bin_get_by_name (GST_BIN (self->pipeline), "sink");
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->sink);
  gst_object_unref (self->src);
  gst_object_unref (self->pipeline);
  for (guint i = 0; i < N_COUNTED; i++)
    av_frame_free (&self->out[i]);
  gst_zc_stream_unref (self->stream);
  av_buffer_unref (&self->surfaces);
  gst_object_unref (self->context);
  av_buffer_unref (&self->device);
}

/* FFmpeg's surface, which its stream writes late. Luma is @value, chroma the
 * next one. */
static GstBuffer *
decode (Fixture *self, guint8 value)
{
  g_autoptr (GError) error = NULL;
  AVFrame *frame = av_frame_alloc ();
  GstBuffer *buffer;

  g_assert_cmpint (av_hwframe_get_buffer (self->surfaces, frame, 0), ==, 0);
  cuda_test_delay (self->stream, DELAY_MS);
  for (guint i = 0; i < 2; i++) {
    GstZcPlane plane = { .data = (guint64) (guintptr) frame->data[i],
      .row_stride = frame->linesize[i],
      .pixel_stride = i + 1,
      .width = W >> i,
      .height = H >> i,
      .n_channels = i + 1,
      .channel_bytes = 1 };
    GstZcImage image = { .n_planes = 1, .plane = { plane } };

    cuda_test_fill (self->stream, &image, value + i);
  }
  buffer =
      buffer_from_frame (self->context, frame, GST_VIDEO_FORMAT_NV12, &error);
  g_assert_no_error (error);
  av_frame_free (&frame);
  return buffer;
}

/* The same memory as FFmpeg's, which keeps it. */
static AVFrame *
encode (Fixture *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstSample) sample =
      gst_app_sink_pull_sample (GST_APP_SINK (self->sink));
  AVFrame *frame = frame_from_buffer (gst_sample_get_buffer (sample),
      &self->info, self->surfaces, self->stream, &error);

  g_assert_no_error (error);
  return frame;
}

static void
assert_value (const AVFrame *frame, guint8 value)
{
  AVFrame *host = av_frame_alloc ();

  g_assert_cmpint (av_hwframe_transfer_data (host, frame, 0), ==, 0);
  for (gint y = 0; y < H * 3 / 2; y++) {
    gint plane = y >= H;
    const guint8 *row =
        host->data[plane] + (y - plane * H) * host->linesize[plane];

    for (gint x = 0; x < W; x++)
      g_assert_cmphex (row[x], ==, value + plane);
  }
  av_frame_free (&host);
}

static void
test_through (void)
{
  gulong before, copied;
  Fixture self;

  if (!fixture_init (&self))
    return;
  before = calls_beginning ("cuMemcpy");
  for (guint i = 0; i < N_COUNTED; i++) {
    g_assert_cmpint (gst_app_src_push_buffer (GST_APP_SRC (self.src),
                         decode (&self, i)),
        ==, GST_FLOW_OK);
    self.out[i] = encode (&self);
  }
  copied = calls_beginning ("cuMemcpy") - before;
  g_test_message ("%d frames: %lu copies", N_COUNTED, copied);
  g_assert_cmpuint (copied, ==, 0);
  for (guint i = 0; i < N_COUNTED; i++)
    assert_value (self.out[i], i);
  /* FFmpeg's own are seen. */
  g_assert_cmpuint (calls_beginning ("cuMemcpy"), >=, before + N_COUNTED);
  fixture_clear (&self);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/ffmpeg-copies/through", test_through);
  return g_test_run ();
}
