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

#define ZC_UPLOAD .who = "zcupload", .needs = "zcupload", .launch = UP
#define CUDA_UPLOAD                                                            \
  .who = "cudaupload", .needs = "cudaupload", .launch = PEER_UP
#define ZC .who = "gst-zc", .needs = "zcflip"
#define NVCODEC .who = "nvcodec", .needs = "cudaconvertscale"

#define UNLESS_8K (TRANSFER_ALL & ~TRANSFER_8K)

const TransferRow transfer_rows[] = {
  { "upload, offered pool", ZC_UPLOAD, .feed = FEED_OFFERED, .limit = LIMIT_UP,
      .least = 0.95, .pictures = TRANSFER_ALL, .n_pipelines = 1 },
  { "upload, offered pool", CUDA_UPLOAD, .feed = FEED_OFFERED,
      .limit = LIMIT_UP, .pictures = TRANSFER_ALL, .n_pipelines = 1 },
  { "upload, other pool", ZC_UPLOAD, .feed = FEED_OTHER, .limit = LIMIT_UP,
      .least = 0.92, .pictures = TRANSFER_ALL, .n_pipelines = 1,
      .pin_all = TRUE },
  { "upload, other pool", CUDA_UPLOAD, .feed = FEED_OTHER, .limit = LIMIT_UP,
      .pictures = TRANSFER_ALL, .n_pipelines = 1 },
  { "upload, new memory", CUDA_UPLOAD, .feed = FEED_NEW, .limit = LIMIT_UP,
      .pictures = TRANSFER_ALL, .n_pipelines = 1 },
  { "upload, new memory", ZC_UPLOAD, .feed = FEED_NEW, .limit = LIMIT_NONE,
      .peer = "cudaupload", .least = 2, .pictures = TRANSFER_ALL,
      .n_pipelines = 1 },

  { "download", "zcdownload", "zcdownload", DOWN, FEED_DEVICE, LIMIT_DOWN,
      .least = 0.95, .pictures = TRANSFER_ALL, .n_pipelines = 1,
      .derived = TRANSFER_GAP },
  { "download", "queue, zcdownload", "zcdownload", "queue ! " DOWN, FEED_DEVICE,
      LIMIT_DOWN, .least = 0.95, .pictures = TRANSFER_ALL, .n_pipelines = 1,
      .derived = TRANSFER_GAP },
  { "download", "cudadownload", "cudadownload", PEER_DOWN, FEED_DEVICE,
      LIMIT_DOWN, .pictures = TRANSFER_ALL, .n_pipelines = 1 },

  { "up, flip, down with queues", ZC, QUEUES, FEED_OFFERED, LIMIT_BOTH,
      .least = 0.85, .pictures = TRANSFER_4K, .n_pipelines = 1 },
  { "up, flip, down with queues", NVCODEC, PEER_QUEUES, FEED_OFFERED,
      LIMIT_BOTH, .pictures = TRANSFER_4K, .n_pipelines = 1 },
  { "the same, null stream busy", ZC, QUEUES, FEED_OFFERED, LIMIT_BOTH,
      .least = 0.85, .pictures = TRANSFER_4K, .n_pipelines = 1,
      .null_stream = TRUE },
  { "the same, null stream busy", NVCODEC, PEER_QUEUES, FEED_OFFERED,
      LIMIT_BOTH, .pictures = TRANSFER_4K, .n_pipelines = 1,
      .null_stream = TRUE },

  { "one frame up, flip, down", ZC, IN_LINE, FEED_OFFERED, LIMIT_ROUND,
      .least = 1 / 1.15, .pictures = UNLESS_8K, .n_pipelines = 1 },
  { "one frame up, flip, down", NVCODEC, PEER_IN_LINE, FEED_OFFERED,
      LIMIT_ROUND, .pictures = UNLESS_8K, .n_pipelines = 1 },

  { "16 pipelines with queues", ZC, QUEUES, FEED_OFFERED, LIMIT_BOTH,
      .least = 0.85, .pictures = TRANSFER_1080P_NV12, .n_pipelines = 16,
      .derived = TRANSFER_CPU },
  { "16 pipelines, no queue", ZC, IN_LINE, FEED_OFFERED, LIMIT_BOTH,
      .pictures = TRANSFER_1080P_NV12, .n_pipelines = 16,
      .derived = TRANSFER_CPU },
  { "16 pipelines with queues", NVCODEC, PEER_QUEUES, FEED_OFFERED, LIMIT_BOTH,
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
