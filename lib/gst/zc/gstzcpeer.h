/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: pictures that are on another device. They are copied from device to
 * device; gst-cuda has allowed that between all its contexts that can. Where
 * the driver refuses, by way of page-locked memory, on a stream at each end, of
 * which the second waits for the first: no host wait either way.
 *
 * One thread at a time, that of one element. */

#include <gst/zc/gstzcframe.h>
#include <gst/zc/gstzcstream-private.h>

G_BEGIN_DECLS

/* What an element keeps for that. All zero at first. */
typedef struct
{
  GstZcStream *stream; /* owned; where the pictures come from, or NULL */
  gboolean is_refused; /* copies from device to device, from there */
} ZcPeer;

void zc_peer_clear (ZcPeer *self);

/* A stream of the context that @buffer's memory is in, made when it is not that
 * of the last call. (transfer none) */
GstZcStream *zc_peer_get_stream (ZcPeer *self, GstBuffer *buffer,
    GError **error);

/* Queues the copy of @src, on some other device, to @dst, mapped for WRITE.
 * Where it goes through the host, memory comes from @pinned and @staged is
 * set. */
gboolean zc_peer_copy (ZcPeer *self, GstZcFrame *dst, GstBuffer *src,
    const GstVideoInfo *info, GstAllocator *pinned, gboolean *staged,
    GError **error);

G_END_DECLS
