/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/gst.h>
#include <gst/zc/gstzcdefs.h>

G_BEGIN_DECLS

/**
 * gst_zc_driver_info:
 *
 * Tells which CUDA driver this process has, and if it can be used. Loads the
 * driver on the first call. Any thread; does not wait for the GPU.
 *
 * The fields of the result, "application/x-zc-driver", those that are known:
 *
 * + "path" (string): the file that was loaded as libcuda.so.1, links followed
 * + "version" (uint): the CUDA version that it serves, 13000 for 13.0
 * + "devices" (uint): how many CUDA devices it sees
 * + "error" (string): why it can't be used, and what to do: what an element of
 *   this plugin says in that case
 * + "error-code" (int): the #GstZcError of that
 *
 * Returns: (transfer full): what is known, never %NULL
 */
GST_ZC_API
GstStructure *gst_zc_driver_info (void);

/**
 * gst_zc_device_info:
 * @device_id: the CUDA ordinal of a device
 * @error: return location for an error
 *
 * Describes a device. Makes no context on it. Any thread; does not wait for the
 * GPU.
 *
 * The fields of the result, "application/x-zc-device":
 *
 * + "name" (string): of the product
 * + "pci-bus-id" (string): as nvidia-smi shows it
 * + "uuid" (string): of the card, as nvidia-smi shows it and
 *   CUDA_VISIBLE_DEVICES takes it: "GPU-…"
 * + "memory" (uint64): bytes
 * + "major", "minor" (uint): the compute capability
 * + "primary-context-active" (boolean): whether somebody in this process uses
 *   its primary context, which this library works in, too
 * + "kernels" (string): "cubin" if the embedded kernels have code for it, "ptx"
 *   if the driver must compile them, "none" if they don't serve it
 *
 * Returns: (transfer full) (nullable): the description, or %NULL with
 *   %GST_ZC_ERROR_NO_DRIVER, %GST_ZC_ERROR_STUB_DRIVER,
 *   %GST_ZC_ERROR_NO_DEVICE, %GST_ZC_ERROR_WRONG_DEVICE or
 *   %GST_ZC_ERROR_DRIVER
 */
GST_ZC_API
GstStructure *gst_zc_device_info (guint device_id, GError **error);

/**
 * gst_zc_device_can_access_peer:
 * @device_id: the CUDA ordinal of a device
 * @peer_id: that of another one
 * @error: return location for an error
 *
 * Returns: %TRUE if kernels and copies of @device_id can reach the memory of
 *   @peer_id without the CPU; %FALSE with @error unset if not, or with an error
 *   as gst_zc_device_info()
 */
GST_ZC_API
gboolean gst_zc_device_can_access_peer (guint device_id, guint peer_id,
    GError **error);

/**
 * gst_zc_kernel_architectures:
 *
 * Returns: (transfer none): what the embedded kernels were compiled for, as
 *   "sm_80 sm_90 compute_75", where "compute" is PTX; empty in a build without
 *   kernels
 */
GST_ZC_API
const gchar *gst_zc_kernel_architectures (void);

G_END_DECLS
