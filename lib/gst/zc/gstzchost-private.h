/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: a picture in host memory, mapped where it lies. gst_video_frame_map
 * would copy a buffer of several memories without a word. */

#include <gst/gst.h>
#include <gst/zc/gstzcimage-private.h>

G_BEGIN_DECLS

typedef struct
{
  GstBuffer *buffer;            /* owned */
  guint n_planes;
  guint8 *data[GST_ZC_MAX_PLANES];
  gint stride[GST_ZC_MAX_PLANES];
  guint map_of[GST_ZC_MAX_PLANES];      /* which of @map holds the plane */
  guint n_maps;
  GstMapInfo map[GST_ZC_MAX_PLANES];
} ZcHostPicture;

/* Maps the memories of @buffer that hold planes of @info's picture; the layout
 * is the GstVideoMeta's, else @info's, where memories that are as many as the
 * planes hold one each. FALSE and nothing mapped with
 * GST_ZC_ERROR_LAYOUT, _NOT_WRITABLE or, for memory that another one writes,
 * _STATE. */
gboolean zc_host_picture_map (ZcHostPicture *self, GstBuffer *buffer,
    const GstVideoInfo *info, GstMapFlags flags, GError **error);

/* Unmaps and drops the buffer; any thread. */
void zc_host_picture_unmap (ZcHostPicture *self);

G_END_DECLS
