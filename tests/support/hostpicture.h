/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Pictures in host buffers of all layouts, with canary in every byte that is no
 * sample. */
#pragma once

#include <gst/video/video.h>
#include <gst/zc/zc.h>

G_BEGIN_DECLS

#define HOST_CANARY 0xa5

typedef enum
{
  HOST_PLAIN, /* GStreamer's own layout, no GstVideoMeta */
  HOST_PADDED, /* odd offsets and strides, a GstVideoMeta */
  HOST_SPLIT, /* the same, one memory a plane */
  HOST_PREFIXED, /* PLAIN, behind bytes that are hidden */
  HOST_MEMORIES, /* PLAIN strides, one memory a plane with more behind it, no
                  * GstVideoMeta */
  HOST_N_LAYOUTS
} HostLayout;

typedef struct
{
  GstBuffer *buffer; /* owned */
  guint n_planes;
  gsize offset[GST_ZC_MAX_PLANES];
  gint stride[GST_ZC_MAX_PLANES];
  gsize row_bytes[GST_ZC_MAX_PLANES];
  gint rows[GST_ZC_MAX_PLANES];
  gsize size; /* of the buffer */
  guint8 *bytes; /* what host_picture_fill() put there */
} HostPicture;

/* @allocator may be NULL: ordinary memory. */
void host_picture_init (HostPicture *self, const GstVideoInfo *info,
    HostLayout layout, GstAllocator *allocator);
void host_picture_clear (HostPicture *self);
/* Random samples, canary elsewhere. */
void host_picture_fill (HostPicture *self, GRand *random);
/* @self has the samples that @src was filled with, canary elsewhere, and canary
 * in front of its memories. */
void host_picture_assert_copied (const HostPicture *self,
    const HostPicture *src);
/* Bytes up to the last sample of the last plane. */
gsize host_picture_end (const HostPicture *self);

G_END_DECLS
