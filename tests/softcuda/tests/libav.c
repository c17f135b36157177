/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* FFmpeg's CUDA device and frames run, unchanged. */

#include "softcuda-panel.h"

#include <glib.h>
#include <libavutil/frame.h>
#include <libavutil/hwcontext.h>
#include <libavutil/hwcontext_cuda.h>
#include <libavutil/pixdesc.h>

#define WIDTH 322
#define HEIGHT 242

static AVBufferRef *
new_pool (AVBufferRef *device, enum AVPixelFormat format)
{
  AVBufferRef *pool = av_hwframe_ctx_alloc (device);
  AVHWFramesContext *frames = (AVHWFramesContext *) pool->data;

  frames->format = AV_PIX_FMT_CUDA;
  frames->sw_format = format;
  frames->width = WIDTH;
  frames->height = HEIGHT;
  g_assert_cmpint (av_hwframe_ctx_init (pool), ==, 0);
  return pool;
}

static AVFrame *
new_picture (enum AVPixelFormat format)
{
  AVFrame *frame = av_frame_alloc ();

  frame->format = format;
  frame->width = WIDTH;
  frame->height = HEIGHT;
  g_assert_cmpint (av_frame_get_buffer (frame, 0), ==, 0);
  return frame;
}

static int
plane_rows (const AVFrame *frame, int plane)
{
  const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get (frame->format);
  int shift = plane > 0 ? desc->log2_chroma_h : 0;

  return -((-HEIGHT) >> shift);
}

static int
plane_bytes (const AVFrame *frame, int plane)
{
  const AVPixFmtDescriptor *desc = av_pix_fmt_desc_get (frame->format);

  for (int i = 0; i < desc->nb_components; i++)
    if (desc->comp[i].plane == plane) {
      int shift = plane > 0 ? desc->log2_chroma_w : 0;
      return -((-WIDTH) >> shift) * desc->comp[i].step;
    }
  return 0;
}

static void
fill (AVFrame *frame, GRand *dice)
{
  for (int p = 0; p < AV_NUM_DATA_POINTERS && frame->data[p]; p++)
    for (int y = 0; y < plane_rows (frame, p); y++)
      for (int x = 0; x < plane_bytes (frame, p); x++)
        frame->data[p][y * frame->linesize[p] + x] = (guint8) g_rand_int (dice);
}

static void
compare (const AVFrame *a, const AVFrame *b)
{
  for (int p = 0; p < AV_NUM_DATA_POINTERS && a->data[p]; p++)
    for (int y = 0; y < plane_rows (a, p); y++)
      g_assert_cmpmem (a->data[p] + y * a->linesize[p],
          (gsize) plane_bytes (a, p), b->data[p] + y * b->linesize[p],
          (gsize) plane_bytes (b, p));
}

static void
transfer (AVBufferRef *device, enum AVPixelFormat format)
{
  g_autoptr (GRand) dice = g_rand_new_with_seed (1);
  AVBufferRef *pool = new_pool (device, format);
  AVFrame *sent = new_picture (format), *got = new_picture (format);
  AVFrame *on_device = av_frame_alloc ();

  fill (sent, dice);
  g_assert_cmpint (av_hwframe_get_buffer (pool, on_device, 0), ==, 0);
  g_assert_cmpint (av_hwframe_transfer_data (on_device, sent, 0), ==, 0);
  g_assert_cmpint (av_hwframe_transfer_data (got, on_device, 0), ==, 0);
  compare (sent, got);
  av_frame_free (&on_device);
  av_frame_free (&got);
  av_frame_free (&sent);
  av_buffer_unref (&pool);
}

static void
test_transfer (gconstpointer data)
{
  const SoftcudaPanel *panel = softcuda_panel ();
  SoftcudaOutstanding left;
  SoftcudaCounters counters;
  AVBufferRef *device = NULL;

  if (!panel) {
    g_test_skip ("needs the control panel of softcuda");
    return;
  }
  panel->reset_counters ();
  g_assert_cmpint (av_hwdevice_ctx_create (&device, AV_HWDEVICE_TYPE_CUDA, NULL,
                       NULL, GPOINTER_TO_INT (data)),
      ==, 0);
  transfer (device, AV_PIX_FMT_NV12);
  transfer (device, AV_PIX_FMT_YUV420P);
  transfer (device, AV_PIX_FMT_P010);
  transfer (device, AV_PIX_FMT_YUV444P);
  transfer (device, AV_PIX_FMT_BGRA);
  av_buffer_unref (&device);
  panel->get_counters (&counters);
  g_assert_cmpuint (counters.errors, ==, 0);
  panel->get_outstanding (&left);
  g_assert_cmpuint (left.device_allocations, ==, 0);
  g_assert_cmpuint (left.contexts, ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/softcuda/libav/own", GINT_TO_POINTER (0),
      test_transfer);
  g_test_add_data_func ("/softcuda/libav/primary",
      GINT_TO_POINTER (AV_CUDA_USE_PRIMARY_CONTEXT), test_transfer);
  return g_test_run ();
}
