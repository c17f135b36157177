/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: how planes that lie anywhere in device memory become memories of a
 * buffer: all in one where that holds nothing of somebody else's, which is what
 * elements that look at the first memory alone need; else one a plane. */

#include <gst/zc/gstzcallocator.h>
#include <gst/zc/gstzcimage.h>

G_BEGIN_DECLS

/* The allocation that a plane lies in, by addresses. */
typedef struct
{
  guint64 start;
  guint64 end;
} ZcAllocation;

/* One memory. */
typedef struct
{
  guint64 address;
  ZcMemoryRows rows;
  GstVideoInfo info;
} ZcWrapMemory;

typedef struct
{
  guint n_memory;
  ZcWrapMemory memory[GST_ZC_MAX_PLANES];
  /* As in a GstVideoMeta: offsets count through the memories. */
  gsize offset[GST_ZC_MAX_PLANES];
  gint stride[GST_ZC_MAX_PLANES];
} ZcWrapLayout;

/* @allocation has a member a plane, which holds the plane. */
gboolean zc_wrap_layout_init (ZcWrapLayout *self, const GstZcImage *image,
    const ZcAllocation *allocation, GError **error);

G_END_DECLS
