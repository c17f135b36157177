/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "cases.h"
#include "pipe.h"

#define SRC "appsrc name=src ! "
#define FLIP "zcflip video-direction=180"
#define DOWN " ! zcdownload ! appsink name="
#define QUEUE " ! queue ! "
/* Two branches; what comes before, what is in each, and its sink. */
#define TEE(before, one, two)                                                  \
  SRC before " ! tee name=t  t. ! queue ! " one "  t. ! queue ! " two

static const Pipe straight = { SRC "zcupload ! " FLIP DOWN "s0" };
static const Pipe pageable = { SRC "zcupload ! " FLIP DOWN "s0",
  PIPE_PAGEABLE };
static const Pipe queues = { SRC "queue ! zcupload" QUEUE FLIP QUEUE FLIP QUEUE
                                 "zcdownload" QUEUE "appsink name=s0" };
static const Pipe unseen = { SRC "zcupload ! " FLIP " ! fakesink sync=false" };
static const Pipe tee_flip = { TEE ("zcupload", FLIP DOWN "s0",
    FLIP DOWN "s1") };
static const Pipe tee_read = { TEE ("zcupload", "zcdownload ! appsink name=s0",
    "zcdownload ! appsink name=s1") };
static const Pipe tee_paint = { TEE ("zcupload", "orderpaint" DOWN "p0",
    FLIP DOWN "s1") };
static const Pipe paint = { SRC "zcupload ! orderpaint ! " FLIP QUEUE
                                "zcdownload ! appsink name=p0" };
static const Pipe paint_own = { SRC
  "zcupload ! orderpaint stream=own" QUEUE FLIP DOWN "p0" };
static const Pipe paint_default = { SRC "zcupload ! " FLIP QUEUE
                                        "orderpaint stream=default" DOWN "p0" };
static const Pipe paint_legacy = { SRC
  "zcupload ! " FLIP " ! orderpaint stream=legacy ! " FLIP DOWN "p0" };
static const Pipe look = { SRC "zcupload ! orderlook ! " FLIP
                               " ! orderlook ! queue ! " FLIP DOWN "s0" };
static const Pipe look_own = { TEE ("zcupload",
    "orderlook stream=own ! fakesink sync=false", FLIP DOWN "s0") };
static const Pipe look_legacy = { TEE ("zcupload",
    "orderlook stream=legacy" DOWN "s0",
    "orderlook stream=default ! " FLIP DOWN "s1") };
static const Pipe copy = { SRC "zcupload ! ordercopy ! " FLIP
                               " ! ordercopy ! queue ! zcdownload ! "
                               "appsink name=s0" };
static const Pipe tee_copy = { TEE ("zcupload ! ordercopy", FLIP DOWN "s0",
    "orderpaint" DOWN "p1") };
static const Pipe nvcodec_up = { SRC "cudaupload ! " FLIP DOWN "s0" };
static const Pipe nvcodec_down = { SRC "zcupload ! " FLIP
                                       " ! cudadownload ! appsink name=s0" };
static const Pipe nvcodec_tee = { TEE ("cudaupload", FLIP DOWN "s0",
    "cudadownload ! appsink name=s1") };
static const Pipe device = { SRC FLIP DOWN "s0", PIPE_DEVICE };
static const Pipe device_tee = { TEE ("queue", FLIP DOWN "s0", FLIP DOWN "s1"),
  PIPE_DEVICE };
static const Pipe foreign = { SRC FLIP QUEUE "zcdownload ! appsink name=s0",
  PIPE_FOREIGN };
static const Pipe wrapped = {
  TEE ("queue", FLIP DOWN "s0", "zcdownload ! appsink name=s1"), PIPE_WRAPPED
};
static const Pipe flushed = { SRC "zcupload" QUEUE FLIP QUEUE
                                  "zcdownload ! appsink name=s0",
  PIPE_HOST, PIPE_FLUSH };
static const Pipe sought = { "appsrc name=src stream-type=seekable ! "
                             "zcupload" QUEUE FLIP QUEUE
                             "zcdownload ! appsink name=s0",
  PIPE_HOST, PIPE_SEEK };
static const Pipe states = { SRC "zcupload" QUEUE FLIP QUEUE
                                 "zcdownload ! appsink name=s0",
  PIPE_HOST, PIPE_STATES };
static const Pipe stopped = { TEE ("zcupload", FLIP DOWN "s0",
                                  "orderpaint ! fakesink sync=false"),
  PIPE_HOST, PIPE_STOP };
static const Pipe stopped_wrapped = { SRC FLIP " ! fakesink sync=false",
  PIPE_WRAPPED, PIPE_STOP };
static const Pipe resized = { SRC "zcupload" QUEUE FLIP QUEUE
                                  "zcdownload ! appsink name=s0",
  PIPE_HOST, PIPE_CAPS };
static const Pipe drained = { SRC "zcupload ! " FLIP DOWN "s0", PIPE_HOST,
  PIPE_DRAIN };
static const Pipe turned = { SRC "zcupload" QUEUE
                                 "zcflip name=turned ! orderlook" DOWN "s0",
  PIPE_HOST, PIPE_TURN };

#define PIPE(name, pipe) { "pipe/" name, pipe_run, &pipe }

const OrderCase pipe_cases[] = {
  PIPE ("straight", straight),
  PIPE ("pageable", pageable),
  PIPE ("queues", queues),
  PIPE ("unseen", unseen),
  PIPE ("tee-flip", tee_flip),
  PIPE ("tee-read", tee_read),
  PIPE ("tee-paint", tee_paint),
  PIPE ("paint-bridge", paint),
  PIPE ("paint-own", paint_own),
  PIPE ("paint-default", paint_default),
  PIPE ("paint-legacy", paint_legacy),
  PIPE ("look-bridge", look),
  PIPE ("look-own", look_own),
  PIPE ("look-legacy", look_legacy),
  PIPE ("copy", copy),
  PIPE ("tee-copy", tee_copy),
  PIPE ("nvcodec-up", nvcodec_up),
  PIPE ("nvcodec-down", nvcodec_down),
  PIPE ("nvcodec-tee", nvcodec_tee),
  PIPE ("device", device),
  PIPE ("device-tee", device_tee),
  PIPE ("foreign", foreign),
  PIPE ("wrapped", wrapped),
  PIPE ("flush", flushed),
  PIPE ("seek", sought),
  PIPE ("states", states),
  PIPE ("stop", stopped),
  PIPE ("stop-wrapped", stopped_wrapped),
  PIPE ("resize", resized),
  PIPE ("drain", drained),
  PIPE ("turn", turned),
  { NULL },
};
