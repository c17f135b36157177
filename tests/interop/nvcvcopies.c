/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Frames of an element as images of CV-CUDA's library, and those as buffers for
 * the next, while calls of the driver's copies are counted. */

#include <gst/app/gstappsink.h>
#include <gst/app/gstappsrc.h>

#include "calls.h"
#include "frametest.h"
#include "nvcvtypes.h"

#define W 64
#define H 48
#define N_FRAMES 100
#define DELAY_MS 2
#define SIZE "width=64,height=48,framerate=30/1"
#define CHAIN                                                                  \
  "appsrc name=src format=time caps=video/x-raw(memory:CUDAMemory),"           \
  "format=RGBA," SIZE " ! zcflip video-direction=180 ! "                       \
  "appsink name=sink sync=false"

typedef struct
{
  const Nvcv *nvcv;
  GstCudaContext *context;
  GstZcStream *stream;
  GstVideoInfo info;
  GstBufferPool *pool;
  GstElement *pipeline;
  GstAppSrc *src;
  GstAppSink *sink;
  GstBuffer *out[N_FRAMES];
} Fixture;

static gboolean
fixture_init (Fixture *self)
{
  *self = (Fixture) { .nvcv = nvcv_load () };
  if (!self->nvcv || !calls_are_counted ())
    return FALSE;
  self->context = cuda_test_context (0);
  if (!self->context)
    return FALSE;
  self->stream = frame_test_stream (self->context);
  self->pool =
      cuda_test_pool (self->context, GST_VIDEO_FORMAT_RGBA, W, H, &self->info);
  self->pipeline = gst_parse_launch (CHAIN, NULL);
  self->src =
      GST_APP_SRC (gst_bin_get_by_name (GST_BIN (self->pipeline), "src"));
  self->sink =
      GST_APP_SINK (gst_bin_get_by_name (GST_BIN (self->pipeline), "sink"));
  gst_element_set_state (self->pipeline, GST_STATE_PLAYING);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  for (guint i = 0; i < N_FRAMES; i++)
    gst_clear_buffer (&self->out[i]);
  gst_element_set_state (self->pipeline, GST_STATE_NULL);
  gst_object_unref (self->src);
  gst_object_unref (self->sink);
  gst_object_unref (self->pipeline);
  gst_buffer_pool_set_active (self->pool, FALSE);
  gst_object_unref (self->pool);
  gst_zc_stream_unref (self->stream);
  gst_object_unref (self->context);
}

/* An image of a frame's pixels. */
static NvcvHandle
image_of (Fixture *self, const GstZcFrame *frame)
{
  g_autoptr (GError) error = NULL;
  GstZcNvcvImageData data;
  NvcvHandle image;

  gst_zc_image_to_nvcv (&frame->image, NULL, &data, &error);
  g_assert_no_error (error);
  g_assert_cmpint (self->nvcv->ImageWrapDataConstruct (&data, NULL, NULL,
                       &image),
      ==, 0);
  return image;
}

/* A buffer of an image's pixels, which are @owner's. */
static GstBuffer *
buffer_of (Fixture *self, NvcvHandle image, GstBuffer *owner)
{
  GstZcProducer producer = { GST_ZC_PRODUCER_STREAM,
    gst_zc_stream_get_handle (self->stream) };
  g_autoptr (GError) error = NULL;
  GstZcNvcvImageData data;
  GstZcImage pixels;
  GstBuffer *buffer;

  g_assert_cmpint (self->nvcv->ImageExportData (image, &data), ==, 0);
  gst_zc_image_init_from_nvcv (&pixels, NULL, &data, 0, &error);
  g_assert_no_error (error);
  buffer = gst_zc_buffer_new_wrapped (self->context, &pixels, &producer,
      gst_buffer_ref (owner), (GDestroyNotify) gst_buffer_unref, &error);
  g_assert_no_error (error);
  return buffer;
}

static GstBuffer *
draw (Fixture *self, guint8 value)
{
  g_autoptr (GstBuffer) drawn = cuda_test_acquire (self->pool);
  GstBuffer *buffer;
  NvcvHandle image;
  GstZcFrame frame;

  frame_test_map (&frame, drawn, &self->info, GST_MAP_WRITE, self->stream);
  cuda_test_delay (self->stream, DELAY_MS);
  image = image_of (self, &frame);
  cuda_test_fill (self->stream, &frame.image, value);
  buffer = buffer_of (self, image, drawn);
  frame_test_unmap (&frame);
  self->nvcv->ImageDecRef (image, NULL);
  return buffer;
}

static void
test_through (void)
{
  gulong before, copied;
  Fixture self;

  if (!fixture_init (&self))
    return;
  before = calls_beginning ("cuMemcpy");
  for (guint i = 0; i < N_FRAMES; i++) {
    g_autoptr (GstSample) sample = NULL;

    g_assert_cmpint (gst_app_src_push_buffer (self.src, draw (&self, i)), ==,
        GST_FLOW_OK);
    sample = gst_app_sink_pull_sample (self.sink);
    self.out[i] = gst_buffer_ref (gst_sample_get_buffer (sample));
  }
  copied = calls_beginning ("cuMemcpy") - before;
  g_test_message ("%d frames: %lu copies", N_FRAMES, copied);
  g_assert_cmpuint (copied, ==, 0);
  for (guint i = 0; i < N_FRAMES; i++) {
    guint8 *seen =
        frame_test_read (self.out[i], &self.info, self.stream, 4 * W);

    frame_test_synchronize (self.stream);
    frame_test_expect (seen, 4 * W, i);
  }
  /* Those of the test itself are seen. */
  g_assert_cmpuint (calls_beginning ("cuMemcpy"), >=, before + N_FRAMES);
  fixture_clear (&self);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/nvcv-copies/through", test_through);
  return g_test_run ();
}
