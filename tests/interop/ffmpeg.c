/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* FFmpeg's CUDA frames as buffers and buffers as its frames: the very functions
 * of the examples. cases.md 57, 58. */

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

#include <gst/cuda/gstcudaloader.h>
#include <gst/cuda/gstcudamemory.h>
#include <gst/cuda/gstcudautils.h>
#include <string.h>

#include "cudatest.h"
#include "pixels.h"
#include "reference.h"

#define W 62
#define H 46
#define DELAY_MS 20

typedef struct
{
  enum AVPixelFormat theirs;
  GstVideoFormat ours;
} Format;

static const Format formats[] = {
  { AV_PIX_FMT_NV12, GST_VIDEO_FORMAT_NV12 },
  { AV_PIX_FMT_P010, GST_VIDEO_FORMAT_P010_10LE },
  { AV_PIX_FMT_YUV420P, GST_VIDEO_FORMAT_I420 },
  { AV_PIX_FMT_YUV444P, GST_VIDEO_FORMAT_Y444 },
};

/* FFmpeg with a device, and what GStreamer calls its context. */
typedef struct
{
  AVBufferRef *device;
  AVBufferRef *surfaces;
  GstCudaContext *context;
  GstZcStream *stream; /* FFmpeg's */
} Peer;

static AVCUDADeviceContext *
cuda_of (const Peer *self)
{
  return ((AVHWDeviceContext *) self->device->data)->hwctx;
}

/* The primary context goes to FFmpeg first: it refuses one that others use. */
static AVBufferRef *
primary_device (void)
{
  static AVBufferRef *device;

  if (!device)
    av_hwdevice_ctx_create (&device, AV_HWDEVICE_TYPE_CUDA, NULL, NULL,
        AV_CUDA_USE_PRIMARY_CONTEXT);
  return device ? av_buffer_ref (device) : NULL;
}

static gboolean
peer_init (Peer *self, const Format *format, gboolean primary)
{
  g_autoptr (GError) error = NULL;

  memset (self, 0, sizeof (*self));
  self->device = primary_device ();
  if (!self->device) {
    g_test_skip ("FFmpeg finds no CUDA device");
    return FALSE;
  }
  if (primary) {
    self->context = gst_zc_context_new (0, &error);
  } else {
    av_buffer_unref (&self->device);
    g_assert_cmpint (av_hwdevice_ctx_create (&self->device,
                         AV_HWDEVICE_TYPE_CUDA, NULL, NULL, 0),
        ==, 0);
    g_assert_true (gst_cuda_load_library ());
    self->context = gst_cuda_context_new_wrapped (cuda_of (self)->cuda_ctx, 0);
  }
  self->stream = gst_zc_stream_new_borrowed (self->context,
      cuda_of (self)->stream, &error);
  g_assert_no_error (error);
  self->surfaces = new_surfaces_of (self->device, format->theirs, W, H);
  g_assert_nonnull (self->surfaces);
  return TRUE;
}

static void
peer_clear (Peer *self)
{
  g_clear_pointer (&self->stream, gst_zc_stream_unref);
  /* What was wrapped is let go of by another thread, a little later. */
  for (guint i = 0; G_OBJECT (self->context)->ref_count > 1 && i < 200; i++)
    g_usleep (1000);
  av_buffer_unref (&self->surfaces);
  gst_clear_object (&self->context);
  av_buffer_unref (&self->device);
}

static AVFrame *
host_frame (enum AVPixelFormat format)
{
  AVFrame *frame = av_frame_alloc ();

  frame->format = format;
  frame->width = W;
  frame->height = H;
  g_assert_cmpint (av_frame_get_buffer (frame, 0), ==, 0);
  return frame;
}

static AVFrame *
device_frame (Peer *self, const RefFrame *pixels, enum AVPixelFormat format)
{
  AVFrame *host = host_frame (format);
  AVFrame *frame = av_frame_alloc ();

  for (guint i = 0; i < pixels->n_planes; i++) {
    const RefPlane *plane = &pixels->plane[i];

    for (gint row = 0; row < plane->height; row++)
      memcpy (host->data[i] + row * host->linesize[i],
          plane->data + row * plane->stride, ref_plane_row_bytes (plane));
  }
  g_assert_cmpint (av_hwframe_get_buffer (self->surfaces, frame, 0), ==, 0);
  g_assert_cmpint (av_hwframe_transfer_data (frame, host, 0), ==, 0);
  av_frame_free (&host);
  return frame;
}

static void
assert_frame (const AVFrame *host, const RefFrame *pixels)
{
  for (guint i = 0; i < pixels->n_planes; i++) {
    const RefPlane *plane = &pixels->plane[i];

    for (gint row = 0; row < plane->height; row++)
      g_assert_cmpmem (host->data[i] + row * host->linesize[i],
          ref_plane_row_bytes (plane), plane->data + row * plane->stride,
          ref_plane_row_bytes (plane));
  }
}

static void
init_pixels (RefFrame *frame, GstVideoFormat format)
{
  ref_frame_init (frame, format, W, H, REF_TIGHT);
  ref_frame_fill_random (frame, pixel_seed ());
}

static GstHarness *
flip_chain (GstVideoFormat format)
{
  GstHarness *h = chain_new ("zcflip video-direction=180 ! zcdownload");
  GstCaps *caps = pixel_caps (format, W, H);

  gst_caps_set_features (caps, 0,
      gst_caps_features_new_single ("memory:CUDAMemory"));
  gst_harness_set_src_caps (h, caps);
  return h;
}

static void
assert_same_planes (GstBuffer *buffer, const AVFrame *frame,
    GstVideoFormat format, GstZcStream *stream)
{
  g_autoptr (GError) error = NULL;
  GstZcFrame mapped;
  GstVideoInfo info;

  gst_video_info_set_format (&info, format, W, H);
  gst_zc_frame_map (&mapped, buffer, &info, GST_MAP_READ, stream, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < mapped.image.n_planes; i++) {
    g_assert_cmphex (mapped.image.plane[i].data, ==,
        (guint64) (gsize) frame->data[i]);
    g_assert_cmpint (mapped.image.plane[i].row_stride, ==, frame->linesize[i]);
  }
  gst_zc_frame_unmap (&mapped, &error);
  g_assert_no_error (error);
}

/* Into GStreamer */

static void
check_in (const Format *format, gboolean primary)
{
  g_auto (RefFrame) pixels = { 0 };
  g_auto (RefFrame) turned = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) out = NULL;
  GstBuffer *buffer;
  GstHarness *h;
  AVFrame *frame;
  Peer peer;

  if (!peer_init (&peer, format, primary))
    return;
  init_pixels (&pixels, format->ours);
  ref_frame_init_turned (&turned, &pixels, GST_VIDEO_ORIENTATION_180,
      REF_TIGHT);
  ref_frame_flip (&turned, &pixels, GST_VIDEO_ORIENTATION_180);
  h = flip_chain (format->ours);
  frame = device_frame (&peer, &pixels, format->theirs);
  buffer = buffer_from_frame (peer.context, frame, format->ours, &error);
  g_assert_no_error (error);
  assert_same_planes (buffer, frame, format->ours, peer.stream);
  av_frame_free (&frame);
  out = chain_run (h, buffer);
  pixel_assert (&turned, out, "FFmpeg's");
  gst_harness_teardown (h);
  peer_clear (&peer);
}

static void
test_in (gconstpointer format)
{
  check_in (format, TRUE);
}

/* A context of FFmpeg's own: wrapped for GStreamer, read from the primary one. */
static void
test_in_own_context (gconstpointer format)
{
  check_in (format, FALSE);
}

/* FFmpeg is still at work on its stream when the frame is wrapped. */
static void
test_in_late (void)
{
  g_auto (RefFrame) pixels = { 0 };
  g_auto (RefFrame) turned = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (GstBuffer) out = NULL;
  AVFrame *frame, *source;
  GstBuffer *buffer;
  GstHarness *h;
  Peer peer;

  if (!peer_init (&peer, &formats[0], TRUE))
    return;
  init_pixels (&pixels, GST_VIDEO_FORMAT_NV12);
  ref_frame_init_turned (&turned, &pixels, GST_VIDEO_ORIENTATION_180,
      REF_TIGHT);
  ref_frame_flip (&turned, &pixels, GST_VIDEO_ORIENTATION_180);
  h = flip_chain (GST_VIDEO_FORMAT_NV12);
  source = device_frame (&peer, &pixels, AV_PIX_FMT_NV12);
  frame = av_frame_alloc ();
  g_assert_cmpint (av_hwframe_get_buffer (peer.surfaces, frame, 0), ==, 0);
  cuda_test_delay (peer.stream, DELAY_MS);
  cuda_test_copy (peer.stream, (guint64) (gsize) frame->data[0],
      (guint64) (gsize) source->data[0], frame->linesize[0] * H / 2 * 3);
  buffer =
      buffer_from_frame (peer.context, frame, GST_VIDEO_FORMAT_NV12, &error);
  g_assert_no_error (error);
  av_frame_free (&frame);
  out = chain_run (h, buffer);
  pixel_assert (&turned, out, "late");
  av_frame_free (&source);
  gst_harness_teardown (h);
  peer_clear (&peer);
}

/* Where somebody uses the primary context already: FFmpeg takes the current
 * one. */
static void
in_current_context (void)
{
  GstCudaContext *context = gst_zc_context_new (0, NULL);
  AVBufferRef *device = NULL;

  cuda_test_push (context);
  g_assert_cmpint (av_hwdevice_ctx_create (&device, AV_HWDEVICE_TYPE_CUDA, NULL,
                       NULL, AV_CUDA_USE_CURRENT_CONTEXT),
      ==, 0);
  cuda_test_pop ();
  g_assert_true (((AVCUDADeviceContext *) ((AVHWDeviceContext *) device->data)
                         ->hwctx)
                     ->cuda_ctx == gst_cuda_context_get_handle (context));
  av_buffer_unref (&device);
  gst_object_unref (context);
}

static void
test_in_current_context (void)
{
  GstCudaContext *context;

  if (g_test_subprocess ()) {
    in_current_context ();
    return;
  }
  context = cuda_test_context (0);
  if (!context)
    return;
  gst_object_unref (context);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

/* A pool like a decoder's: so many surfaces and no more. */

#define N_SURFACES 4
#define PATIENCE_MS 1000

typedef struct
{
  Peer peer;
  guint n_allocated;
} Decoder;

static void
free_surface (void *decoder, uint8_t *data)
{
  cuda_test_free (((Decoder *) decoder)->peer.context, (guint64) (gsize) data);
}

static AVBufferRef *
alloc_surface (void *data, size_t size)
{
  Decoder *self = data;
  guint64 address;

  if (self->n_allocated == N_SURFACES)
    return NULL;
  self->n_allocated++;
  address = cuda_test_alloc (self->peer.context, size);
  return av_buffer_create ((uint8_t *) (gsize) address, size, free_surface,
      self, 0);
}

static gboolean
decoder_init (Decoder *self)
{
  AVHWFramesContext *frames;

  self->n_allocated = 0;
  if (!peer_init (&self->peer, &formats[0], TRUE))
    return FALSE;
  av_buffer_unref (&self->peer.surfaces);
  self->peer.surfaces = av_hwframe_ctx_alloc (self->peer.device);
  frames = (AVHWFramesContext *) self->peer.surfaces->data;
  frames->format = AV_PIX_FMT_CUDA;
  frames->sw_format = AV_PIX_FMT_NV12;
  frames->width = W;
  frames->height = H;
  frames->pool =
      av_buffer_pool_init2 (1024 * H * 3 / 2, self, alloc_surface, NULL);
  g_assert_cmpint (av_hwframe_ctx_init (self->peer.surfaces), ==, 0);
  return TRUE;
}

static void
decoder_clear (Decoder *self)
{
  AVHWFramesContext *frames = (AVHWFramesContext *) self->peer.surfaces->data;
  AVBufferPool *pool = frames->pool;

  frames->pool = NULL;
  av_buffer_unref (&self->peer.surfaces);
  av_buffer_pool_uninit (&pool);
  peer_clear (&self->peer);
}

/* The next surface, and how long it was waited for. */
static AVFrame *
decode (Decoder *self, gint64 *waited)
{
  AVFrame *frame = av_frame_alloc ();
  gint64 start = g_get_monotonic_time ();

  while (av_hwframe_get_buffer (self->peer.surfaces, frame, 0) != 0) {
    if (g_get_monotonic_time () - start > PATIENCE_MS * 1000)
      g_error ("no surface came back");
    g_usleep (50);
  }
  *waited = MAX (*waited, g_get_monotonic_time () - start);
  return frame;
}

static void
decode_and_push (Decoder *self, GstAppSrc *src, gint64 *waited)
{
  g_autoptr (GError) error = NULL;
  AVFrame *frame = decode (self, waited);
  GstBuffer *buffer = buffer_from_frame (self->peer.context, frame,
      GST_VIDEO_FORMAT_NV12, &error);

  g_assert_no_error (error);
  av_frame_free (&frame);
  g_assert_cmpint (gst_app_src_push_buffer (src, buffer), ==, GST_FLOW_OK);
}

/* All surfaces at once: none is held until the next frame comes. */
static void
assert_all_come_back (Decoder *self)
{
  AVFrame *frame[N_SURFACES];
  gint64 waited = 0;

  for (guint i = 0; i < N_SURFACES; i++)
    frame[i] = decode (self, &waited);
  for (guint i = 0; i < N_SURFACES; i++)
    av_frame_free (&frame[i]);
}

static void
test_pool (gconstpointer chain)
{
  g_autofree gchar *launch = g_strdup_printf (
      "appsrc name=src format=time block=true max-buffers=1 "
      "caps=video/x-raw(memory:CUDAMemory),format=NV12,width=%d,height=%d,"
      "framerate=30/1 ! %s ! fakesink",
      W, H, (const gchar *) chain);
  g_autoptr (GError) error = NULL;
  GstElement *pipeline;
  gint64 waited = 0;
  Decoder decoder;
  GstAppSrc *src;

  if (!decoder_init (&decoder))
    return;
  pipeline = gst_parse_launch (launch, &error);
  g_assert_no_error (error);
  src = GST_APP_SRC (gst_bin_get_by_name (GST_BIN (pipeline), "src"));
  gst_element_set_state (pipeline, GST_STATE_PLAYING);
  for (guint i = 0; i < 1000; i++) {
    decode_and_push (&decoder, src, &waited);
    if (i % 250 == 249)
      assert_all_come_back (&decoder);
  }
  g_test_message ("a surface was waited for %" G_GINT64_FORMAT " us at most",
      waited);
  gst_element_set_state (pipeline, GST_STATE_NULL);
  gst_object_unref (src);
  gst_object_unref (pipeline);
  assert_all_come_back (&decoder);
  g_assert_cmpuint (decoder.n_allocated, <=, N_SURFACES);
  decoder_clear (&decoder);
}

/* Out of GStreamer */

typedef struct
{
  Peer peer;
  GstBufferPool *pool;
  GstVideoInfo info;
  GstBuffer *buffer;
  GstZcStream *writer;
} Lender;

static gboolean
lender_init (Lender *self, const Format *format, gboolean primary)
{
  g_autoptr (GError) error = NULL;
  GstCudaContext *ours;

  if (!peer_init (&self->peer, format, primary))
    return FALSE;
  ours = gst_zc_context_new (0, &error);
  self->pool = cuda_test_pool (ours, format->ours, W, H, &self->info);
  self->buffer = cuda_test_acquire (self->pool);
  self->writer = gst_zc_stream_new (ours, &error);
  g_assert_no_error (error);
  gst_object_unref (ours);
  return TRUE;
}

static void
lender_clear (Lender *self)
{
  gst_clear_buffer (&self->buffer);
  gst_buffer_pool_set_active (self->pool, FALSE);
  gst_object_unref (self->pool);
  gst_zc_stream_unref (self->writer);
  peer_clear (&self->peer);
}

static void
write_pixels (Lender *self, const RefFrame *pixels)
{
  g_autoptr (GstBuffer) host = pixel_buffer (pixels, TRUE);
  g_autoptr (GError) error = NULL;
  GstZcFrame frame;

  cuda_test_delay (self->writer, DELAY_MS);
  gst_zc_frame_map (&frame, self->buffer, &self->info, GST_MAP_WRITE,
      self->writer, &error);
  g_assert_no_error (error);
  gst_zc_frame_upload (&frame, host, &self->info, &error);
  g_assert_no_error (error);
  gst_zc_frame_unmap (&frame, &error);
  g_assert_no_error (error);
}

static AVFrame *
lend (Lender *self)
{
  g_autoptr (GError) error = NULL;
  AVFrame *frame = frame_from_buffer (self->buffer, &self->info,
      self->peer.surfaces, self->peer.stream, &error);

  g_assert_no_error (error);
  return frame;
}

static void
check_out (const Format *format, gboolean primary)
{
  g_auto (RefFrame) pixels = { 0 };
  AVFrame *host, *frame;
  Lender self;

  if (!lender_init (&self, format, primary))
    return;
  init_pixels (&pixels, format->ours);
  write_pixels (&self, &pixels);
  frame = lend (&self);
  assert_same_planes (self.buffer, frame, format->ours, self.writer);
  host = av_frame_alloc ();
  g_assert_cmpint (av_hwframe_transfer_data (host, frame, 0), ==, 0);
  assert_frame (host, &pixels);
  av_frame_free (&host);
  av_frame_free (&frame);
  lender_clear (&self);
}

static void
test_out (gconstpointer format)
{
  check_out (format, TRUE);
}

static void
test_out_own_context (gconstpointer format)
{
  check_out (format, FALSE);
}

/* FFmpeg keeps references; the buffer is away until the last is gone. */
static void
test_out_kept (void)
{
  AVFrame *frame, *other;
  Lender self;

  if (!lender_init (&self, &formats[0], TRUE))
    return;
  frame = lend (&self);
  g_assert_false (gst_buffer_is_writable (self.buffer));
  other = av_frame_clone (frame);
  av_frame_free (&frame);
  g_assert_false (gst_buffer_is_writable (self.buffer));
  av_frame_free (&other);
  g_assert_true (gst_buffer_is_writable (self.buffer));
  lender_clear (&self);
}

/* FFmpeg drops a frame that its stream still reads: the next picture in that
 * memory waits. */
static void
test_out_still_read (void)
{
  g_auto (RefFrame) first = { 0 };
  g_auto (RefFrame) second = { 0 };
  GstZcImage image;
  AVFrame *frame;
  guint8 *seen;
  Lender self;

  if (!lender_init (&self, &formats[0], TRUE))
    return;
  init_pixels (&first, GST_VIDEO_FORMAT_NV12);
  init_pixels (&second, GST_VIDEO_FORMAT_NV12);
  write_pixels (&self, &first);
  frame = lend (&self);
  gst_zc_image_init (&image, GST_VIDEO_FORMAT_NV12, W, H, 0,
      (guint64[4]) { (gsize) frame->data[0], (gsize) frame->data[1] },
      (gint64[4]) { frame->linesize[0], frame->linesize[1] }, NULL);
  cuda_test_delay (self.peer.stream, DELAY_MS);
  seen = cuda_test_read (self.peer.stream, &image, W);
  av_frame_free (&frame);

  gst_clear_buffer (&self.buffer);
  self.buffer = cuda_test_acquire (self.pool);
  write_pixels (&self, &second);
  gst_zc_stream_synchronize (self.writer, NULL);
  g_assert_cmpmem (seen, W, first.plane[0].data, W);
  cuda_test_free_pinned (seen);
  lender_clear (&self);
}

static void
add (const gchar *name, GTestDataFunc test)
{
  for (guint i = 0; i < G_N_ELEMENTS (formats); i++) {
    g_autofree gchar *path = g_strdup_printf ("/ffmpeg/%s/%s", name,
        gst_video_format_to_string (formats[i].ours));

    g_test_add_data_func (path, &formats[i], test);
  }
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

  add ("in", test_in);
  add ("in-own-context", test_in_own_context);
  g_test_add_func ("/ffmpeg/in-late", test_in_late);
  g_test_add_func ("/ffmpeg/in-current-context", test_in_current_context);
  g_test_add_data_func ("/ffmpeg/pool/download", "zcdownload", test_pool);
  g_test_add_data_func ("/ffmpeg/pool/flip",
      "zcflip video-direction=180 ! zcdownload", test_pool);
  g_test_add_data_func ("/ffmpeg/pool/device", "zcflip video-direction=180",
      test_pool);
  add ("out", test_out);
  add ("out-own-context", test_out_own_context);
  g_test_add_func ("/ffmpeg/out-kept", test_out_kept);
  g_test_add_func ("/ffmpeg/out-still-read", test_out_still_read);
  return g_test_run ();
}
