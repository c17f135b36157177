/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: images of kernels that others bring, each loaded once a context.
 * Loading waits for the device, so that what is loaded stays as long as the
 * context: an element that starts again, or a second one, waits for nobody. */

#include <gst/zc/gstzccontext-private.h>

G_BEGIN_DECLS

/* Finds or loads @image. GST_ZC_ERROR_UNSUPPORTED where nothing in it is for the
 * device, GST_ZC_ERROR_LAYOUT where it is not whole. Any thread. */
gboolean zc_modules_load (ZcContext *context, gconstpointer image, gsize size,
    CUmodule *module, GError **error);
/* For ZcContext: its context is current, or with @unload FALSE gone. */
void zc_modules_free (ZcModules *self, gboolean unload);

/* The errors by which a driver says that an image is sound but not for it. */
gboolean zc_module_nothing_fits (CUresult result);
/* 90 for 9.0. */
gint zc_module_capability (CUdevice device);

G_END_DECLS
