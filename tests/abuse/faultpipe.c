/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "faultpipe.h"

#define RATE 30
#define FORMAT GST_VIDEO_FORMAT_NV12
#define WIDTH 64
#define HEIGHT 48

#define SINK0 "appsink name=s0 sync=false"
#define SINK1 "appsink name=s1 sync=false"
#define APPSRC "appsrc name=src format=time ! "
#define TESTSRC                                                                \
  "videotestsrc name=src num-buffers=5 pattern=snow ! "                        \
  "video/x-raw,format=NV12,width=64,height=48,framerate=30/1 ! "
#define CUDA " ! video/x-raw(memory:CUDAMemory) ! "

#define AS_IS GST_VIDEO_ORIENTATION_IDENTITY

const FaultPipe fault_pipes[] = {
  { "upload-pool", TESTSRC "zcupload ! zcdownload ! " SINK0, FEED_POOL,
      { AS_IS }, 1 },
  { "upload-pageable", APPSRC "zcupload ! " SINK0, FEED_PAGEABLE, { AS_IS },
      1 },
  { "upload-shared", APPSRC "zcupload ! zcdownload ! " SINK0, FEED_SHARED,
      { AS_IS }, 1 },
  { "upload-again", APPSRC "zcupload ! zcdownload ! " SINK0, FEED_AGAIN,
      { AS_IS }, 1 },
  { "download", APPSRC "zcdownload ! " SINK0, FEED_CUDA, { AS_IS }, 1 },
  { "flip", APPSRC "zcflip video-direction=90r ! " SINK0, FEED_CUDA,
      { GST_VIDEO_ORIENTATION_90R }, 1 },
  { "chain",
      TESTSRC "zcupload ! zcflip video-direction=180 ! queue ! "
              "zcflip video-direction=90l ! zcdownload ! " SINK0,
      FEED_POOL, { GST_VIDEO_ORIENTATION_90R }, 2 },
  { "tee",
      TESTSRC "zcupload ! tee name=t  t. ! queue ! zcflip video-direction=180 "
              "! zcdownload ! " SINK0 "  t. ! queue ! zcdownload ! " SINK1,
      FEED_POOL, { GST_VIDEO_ORIENTATION_180, AS_IS }, 3 },
  { "contexts",
      APPSRC "zcupload ! zcflip video-direction=horiz ! zcdownload ! " SINK0,
      FEED_PAGEABLE, { GST_VIDEO_ORIENTATION_HORIZ }, 1, .contexts = TRUE },
  { "foreign",
      TESTSRC "cudaupload" CUDA "zcflip video-direction=vert ! cudadownload ! "
              "video/x-raw ! " SINK0,
      FEED_POOL, { GST_VIDEO_ORIENTATION_VERT }, 1, .foreign = TRUE },
  { "changes", APPSRC "zcupload ! zcflip name=flip ! zcdownload ! " SINK0,
      FEED_PAGEABLE, { AS_IS }, 1, .changes = TRUE },
  { "wrapped", APPSRC "zcflip video-direction=180 ! zcdownload ! " SINK0,
      FEED_WRAPPED, { GST_VIDEO_ORIENTATION_180 }, 1 },
  { "seek",
      TESTSRC "zcupload ! zcflip video-direction=180 ! zcdownload ! " SINK0,
      FEED_POOL, { GST_VIDEO_ORIENTATION_180 }, 1, .seeks = TRUE },
  { "pass-through",
      APPSRC "zcdownload ! zcupload ! zcflip ! zcupload ! zcdownload ! " SINK0,
      FEED_PAGEABLE, { AS_IS }, 1 },
};

const guint fault_n_pipes = G_N_ELEMENTS (fault_pipes);

const FaultPipe *
fault_pipe_find (const gchar *name)
{
  for (guint i = 0; i < fault_n_pipes; i++) {
    if (g_str_equal (fault_pipes[i].name, name))
      return &fault_pipes[i];
  }
  return NULL;
}

static gboolean
is_changed (const FaultPipe *self, guint number)
{
  return self->changes && number >= FAULT_CHANGE;
}

void
fault_pipe_frame (const FaultPipe *self, guint number, RefFrame *frame)
{
  gboolean changed = is_changed (self, number);

  ref_frame_init (frame, FORMAT, changed ? HEIGHT : WIDTH,
      changed ? WIDTH : HEIGHT, REF_TIGHT);
  ref_frame_fill_random (frame, 4711 + number);
}

void
fault_pipe_expect (const FaultPipe *self, guint sink, guint number,
    RefFrame *frame)
{
  GstVideoOrientationMethod turn =
      is_changed (self, number) ? GST_VIDEO_ORIENTATION_90L : self->turn[sink];
  g_auto (RefFrame) source = { 0 };

  fault_pipe_frame (self, number, &source);
  ref_frame_init_turned (frame, &source, turn, REF_TIGHT);
  ref_frame_flip (frame, &source, turn);
}

GstCaps *
fault_pipe_caps (const FaultPipe *self, guint number, gboolean cuda)
{
  gboolean changed = is_changed (self, number);
  GstCaps *caps = gst_caps_new_simple ("video/x-raw", "format", G_TYPE_STRING,
      gst_video_format_to_string (FORMAT), "width", G_TYPE_INT,
      changed ? HEIGHT : WIDTH, "height", G_TYPE_INT, changed ? WIDTH : HEIGHT,
      "framerate", GST_TYPE_FRACTION, RATE, 1, NULL);

  if (cuda)
    gst_caps_set_features_simple (caps,
        gst_caps_features_new_single ("memory:CUDAMemory"));
  return caps;
}

GstClockTime
fault_time_of (guint number)
{
  return gst_util_uint64_scale (number, GST_SECOND, RATE);
}

guint
fault_number_of (GstClockTime time)
{
  return gst_util_uint64_scale_round (time, RATE, GST_SECOND);
}
