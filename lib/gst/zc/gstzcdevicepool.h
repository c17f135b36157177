/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/gst.h>
#include <gst/zc/gstzcdefs.h>

G_BEGIN_DECLS

/**
 * gst_zc_device_pool_new:
 * @context: (type GstCuda.CudaContext): where to allocate
 *
 * A pool of frames in device memory. It is a GstCudaBufferPool, so every CUDA
 * element takes it, and its memories are GstCudaMemory of our own allocator:
 * they know who wrote and who still reads them, through recycling too. Planes
 * have the driver's pitch unless the config says packed.
 *
 * Configure it as any pool. A config without a stream
 * (gst_buffer_pool_config_set_cuda_stream()) is given one: the bridge to
 * elements that know nothing of this library.
 *
 * Allocation waits for the whole device in the driver, so let min_buffers cover
 * what is in flight: it then happens when the pool starts.
 *
 * Thread safety: that of GstBufferPool.
 *
 * Returns: (transfer full): the pool, inactive
 */
GST_ZC_API
GstBufferPool *gst_zc_device_pool_new (GstCudaContext *context);

/**
 * gst_zc_device_pool_config_set_packed:
 * @config: (transfer none): a config of such a pool
 * @packed: %TRUE for rows and planes without padding
 *
 * For consumers that refuse padded rows.
 */
GST_ZC_API
void gst_zc_device_pool_config_set_packed (GstStructure *config,
    gboolean packed);

G_END_DECLS
