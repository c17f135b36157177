/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "transferrows.h"

/* Caps filters, for fakesink would also take what passes through. */
#define ON_GPU " ! video/x-raw(memory:CUDAMemory)"
#define ON_CPU " ! video/x-raw"

#define UP "zcupload name=up" ON_GPU
#define PEER_UP "cudaupload" ON_GPU
#define DOWN "zcdownload" ON_CPU
#define PEER_DOWN "cudadownload" ON_CPU
#define FLIP "zcflip video-direction=180"
#define PEER_FLIP "cudaconvertscale video-direction=180"

#define IN_LINE UP " ! " FLIP " ! " DOWN
#define PEER_IN_LINE PEER_UP " ! " PEER_FLIP " ! " PEER_DOWN
#define QUEUES UP " ! queue ! " FLIP " ! queue ! " DOWN
#define PEER_QUEUES PEER_UP " ! queue ! " PEER_FLIP " ! queue ! " PEER_DOWN

#define ZC_UP .who = "gst-zc", .needs = "zcupload", .launch = UP
#define CUDA_UP .who = "nvcodec", .needs = "cudaupload", .launch = PEER_UP
#define ZC_DOWN .who = "gst-zc", .needs = "zcdownload"
#define CUDA_DOWN .who = "nvcodec", .needs = "cudadownload"
#define ZC .who = "gst-zc", .needs = "zcflip"
#define NVCODEC .who = "nvcodec", .needs = "cudaconvertscale"

#define UNLESS_8K (TRANSFER_ALL & ~TRANSFER_8K)
/* All sizes of the peer would take their time and tell nothing new. */
#define SOME (TRANSFER_1080P_NV12 | TRANSFER_4K)

const TransferRow transfer_rows[] = {
  { "upload offered", ZC_UP, .feed = FEED_OFFERED, .limit = LIMIT_UP,
      .least = 0.95, .pictures = TRANSFER_ALL, .n_pipelines = 1 },
  { "upload offered", CUDA_UP, .feed = FEED_OFFERED, .limit = LIMIT_UP,
      .pictures = SOME, .n_pipelines = 1 },
  { "upload recycled", ZC_UP, .feed = FEED_OTHER, .limit = LIMIT_UP,
      .least = 0.92, .pictures = TRANSFER_ALL, .n_pipelines = 1,
      .pin_all = TRUE },
  { "upload recycled", CUDA_UP, .feed = FEED_OTHER, .limit = LIMIT_UP,
      .pictures = SOME, .n_pipelines = 1 },
  { "upload new", CUDA_UP, .feed = FEED_NEW, .limit = LIMIT_UP,
      .pictures = UNLESS_8K, .n_pipelines = 1 },
  { "upload new", ZC_UP, .feed = FEED_NEW, .limit = LIMIT_UP,
      .pictures = UNLESS_8K, .n_pipelines = 1, .derived = TRANSFER_PEER },

  { "download", ZC_DOWN, .launch = DOWN, .feed = FEED_DEVICE,
      .limit = LIMIT_DOWN, .pictures = TRANSFER_ALL, .n_pipelines = 1,
      .derived = TRANSFER_GAP },
  { "queued download", ZC_DOWN, .launch = "queue ! " DOWN, .feed = FEED_DEVICE,
      .limit = LIMIT_DOWN, .least = 0.95, .pictures = TRANSFER_ALL,
      .n_pipelines = 1, .derived = TRANSFER_GAP },
  { "download", CUDA_DOWN, .launch = PEER_DOWN, .feed = FEED_DEVICE,
      .limit = LIMIT_DOWN, .pictures = SOME, .n_pipelines = 1 },
  { "queued download", CUDA_DOWN, .launch = "queue ! " PEER_DOWN,
      .feed = FEED_DEVICE, .limit = LIMIT_DOWN, .pictures = TRANSFER_4K,
      .n_pipelines = 1 },

  { "chain", ZC, QUEUES, FEED_OFFERED, LIMIT_BOTH, .least = 0.85,
      .pictures = TRANSFER_4K, .n_pipelines = 1 },
  { "chain", NVCODEC, PEER_QUEUES, FEED_OFFERED, LIMIT_BOTH,
      .pictures = TRANSFER_4K, .n_pipelines = 1 },
  { "chain beside null", ZC, QUEUES, FEED_OFFERED, LIMIT_BOTH, .least = 0.85,
      .pictures = TRANSFER_4K, .n_pipelines = 1, .null_stream = TRUE },

  { "one frame", ZC, IN_LINE, FEED_OFFERED, LIMIT_ROUND, .least = 1 / 1.15,
      .pictures = UNLESS_8K, .n_pipelines = 1 },
  { "one frame", NVCODEC, PEER_IN_LINE, FEED_OFFERED, LIMIT_ROUND,
      .pictures = UNLESS_8K, .n_pipelines = 1 },

  { "16 queued chains", ZC, QUEUES, FEED_OFFERED, LIMIT_BOTH, .least = 0.85,
      .pictures = TRANSFER_1080P_NV12, .n_pipelines = 16,
      .derived = TRANSFER_CPU },
  { "16 chains", ZC, IN_LINE, FEED_OFFERED, LIMIT_BOTH, .least = 0.85,
      .pictures = TRANSFER_1080P_NV12, .n_pipelines = 16,
      .derived = TRANSFER_CPU },
  { "16 queued chains", NVCODEC, PEER_QUEUES, FEED_OFFERED, LIMIT_BOTH,
      .pictures = TRANSFER_1080P_NV12, .n_pipelines = 16,
      .derived = TRANSFER_CPU },
  { NULL },
};

static const TransferPicture pictures[TRANSFER_MAX_PICTURES] = {
  { "NV12", 1920, 1080, TRANSFER_1080P_NV12 },
  { "RGBA", 1920, 1080, TRANSFER_1080P_RGBA },
  { "NV12", 3840, 2160, TRANSFER_4K },
  { "RGBA", 3840, 2160, TRANSFER_4K },
  { "NV12", 7680, 4320, TRANSFER_8K },
  { "RGBA", 7680, 4320, TRANSFER_8K },
};

/* They stand for all sizes, so that each row is measured once. */
static const TransferPicture small_pictures[] = {
  { "NV12", 64, 48, TRANSFER_ALL },
};

const TransferPicture *
transfer_pictures (gboolean small, guint *n_pictures)
{
  *n_pictures = small ? G_N_ELEMENTS (small_pictures) : G_N_ELEMENTS (pictures);
  return small ? small_pictures : pictures;
}
