/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <glib-object.h>
#include <gst/zc/gstzcforward.h>

G_BEGIN_DECLS

#define GST_ZC_API __attribute__ ((visibility ("default"))) extern

/**
 * GST_ZC_ERROR:
 *
 * The error domain of the library. Each message says what failed, where, and
 * what to do about it, in a sentence that can be shown to a user.
 */
#define GST_ZC_ERROR (gst_zc_error_quark ())

/**
 * GstZcError:
 * @GST_ZC_ERROR_DRIVER: a driver call failed; the message has its name, the
 *   error's name and text
 * @GST_ZC_ERROR_NO_DRIVER: there is no libcuda.so.1, or it is too old
 * @GST_ZC_ERROR_STUB_DRIVER: the libcuda.so.1 found is the toolkit's stub, to
 *   link with, not to run with
 * @GST_ZC_ERROR_NO_DEVICE: the driver sees no CUDA device
 * @GST_ZC_ERROR_WRONG_DEVICE: no device has this number, or memory of one
 *   device was given to a stream of another
 * @GST_ZC_ERROR_NO_MEMORY: device memory or pinned memory is used up
 * @GST_ZC_ERROR_CONTEXT_LOST: an earlier fault made the CUDA context unusable;
 *   only a new process helps
 * @GST_ZC_ERROR_UNSUPPORTED: a format, orientation or GPU that is not served
 * @GST_ZC_ERROR_LAYOUT: planes, strides or sizes that do not fit their memory
 * @GST_ZC_ERROR_NOT_WRITABLE: a buffer or memory that others share was to be
 *   written
 * @GST_ZC_ERROR_NOT_CUDA: memory that is not GstCudaMemory where it must be
 * @GST_ZC_ERROR_STATE: calls out of order, as an unmap without a map
 */
typedef enum
{
  GST_ZC_ERROR_DRIVER,
  GST_ZC_ERROR_NO_DRIVER,
  GST_ZC_ERROR_STUB_DRIVER,
  GST_ZC_ERROR_NO_DEVICE,
  GST_ZC_ERROR_WRONG_DEVICE,
  GST_ZC_ERROR_NO_MEMORY,
  GST_ZC_ERROR_CONTEXT_LOST,
  GST_ZC_ERROR_UNSUPPORTED,
  GST_ZC_ERROR_LAYOUT,
  GST_ZC_ERROR_NOT_WRITABLE,
  GST_ZC_ERROR_NOT_CUDA,
  GST_ZC_ERROR_STATE
} GstZcError;

GST_ZC_API
GQuark gst_zc_error_quark (void);

G_END_DECLS
