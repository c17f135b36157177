/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Feeds an appsrc with buffers that cost nothing to make: what is measured is
 * what comes after. */
#pragma once

#include <gst/app/app.h>
#include <gst/video/video.h>
#include <gst/zc/zc.h>

G_BEGIN_DECLS

typedef enum
{
  FEED_OFFERED, /* eight buffers of the pool that the next element offers */
  FEED_OTHER,   /* eight buffers of an ordinary pool of host memory */
  FEED_NEW,     /* host memory that no element has seen before */
  FEED_DEVICE   /* eight buffers of a pool of device memory */
} FeedKind;

typedef struct _Feed Feed;

/* @context: for device memory, and must outlive the feed as @source does. */
Feed *feed_new (GstAppSrc *source, FeedKind kind, const GstVideoInfo *info,
    GstCudaContext *context);

/* When the pipeline is in NULL. */
void feed_free (Feed *self);

G_END_DECLS
