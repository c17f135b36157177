/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: what an element keeps from start to stop, so that pictures in host
 * memory of any kind are copied fast.
 *
 * | host memory | goes up | comes down |
 * |---|---|---|
 * | page-locked: of our pools, or by somebody else | directly | directly |
 * | seen before: see gstzcregistration.h | directly, once registered | the same |
 * | other | through gstzcstaging.h | by the driver |
 *
 * If there is no ring, or the GPU is two pictures behind, the driver copies
 * what goes up, too.
 *
 * One thread at a time, but for the two that say so. */

#include <gst/zc/gstzcregistration.h>
#include <gst/zc/gstzcstaging.h>

G_BEGIN_DECLS

/* The slower the later; a frame with several memories counts as the slowest. */
typedef enum
{
  ZC_ROUTE_PINNED,
  ZC_ROUTE_REGISTERED,
  ZC_ROUTE_STAGED,
  ZC_ROUTE_PAGEABLE, /* the driver copies it, with one thread */
  ZC_N_ROUTES
} ZcRoute;

typedef struct
{
  ZcContext *context; /* owned */
  ZcRegistrar *registrar; /* owned */
  ZcStaging *staging; /* owned; made when needed */
  gsize staging_bytes; /* atomic */
  gsize max_staging_bytes;
  gsize picture_bytes; /* of the caps */
  gboolean is_refused; /* no ring could be made */
} ZcTransferState;

/* @max_bytes of memory of others are registered, at most, and a quarter of
 * that, at most 64 MiB, is page-locked for the ring. */
void zc_transfer_state_init (ZcTransferState *self, ZcContext *context,
    gsize max_bytes);
/* With nothing under way from or to memory of others. Waits for what goes
 * through the ring. All zero afterwards; that is cleared already. */
void zc_transfer_state_clear (ZcTransferState *self);

/* New caps: pictures of @bytes. A ring for smaller ones goes. */
void zc_transfer_state_set_picture (ZcTransferState *self, gsize bytes);

/* Bytes of others that are registered, and bytes of the ring. Any thread. */
gsize zc_transfer_state_get_registered (ZcTransferState *self);
gsize zc_transfer_state_get_staging (ZcTransferState *self);

/* How @map is best copied, of which the context is current. @up: to the
 * device. */
ZcRoute zc_transfer_state_get_route (ZcTransferState *self,
    const GstMapInfo *map, gboolean up);

G_END_DECLS
