/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/gst.h>
#include <gst/zc/gstzcdefs.h>

G_BEGIN_DECLS

/**
 * GST_ZC_PINNED_MEMORY_TYPE:
 *
 * mem_type of the memories that gst_zc_pinned_allocator_new() makes.
 */
#define GST_ZC_PINNED_MEMORY_TYPE "gst.zc.pinned"

/**
 * gst_zc_pinned_allocator_new:
 * @context: (type GstCuda.CudaContext): a context of the device that will copy
 *
 * An allocator of page-locked host memory: plain memory for the CPU, at full
 * bus speed and asynchronously for the GPU. Blocks that come back are kept for
 * the next allocation of the size, since locking and unlocking pages waits for
 * the device: those of the three sizes used last, until the allocator is gone.
 *
 * gst_allocator_alloc() returns %NULL where no more memory can be locked.
 *
 * Thread safety: any thread.
 *
 * Returns: (transfer full): the allocator
 */
GST_ZC_API
GstAllocator *gst_zc_pinned_allocator_new (GstCudaContext *context);

/**
 * gst_zc_pinned_pool_new:
 * @allocator: (transfer none): what gst_zc_pinned_allocator_new() returned
 * @caps: fixed raw video caps
 * @min_buffers: buffers made when the pool starts
 * @error: return location for an error
 *
 * A configured, inactive pool of video buffers in page-locked memory.
 *
 * Returns: (transfer full) (nullable): the pool, or %NULL with
 *   %GST_ZC_ERROR_LAYOUT for caps that are no fixed raw video
 */
GST_ZC_API
GstBufferPool *gst_zc_pinned_pool_new (GstAllocator *allocator, GstCaps *caps,
    guint min_buffers, GError **error);

G_END_DECLS
