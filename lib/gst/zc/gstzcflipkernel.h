/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: the embedded kernels, a module a context. */

#include <gst/zc/gstzcstream-private.h>

#include "flipargs.h"

G_BEGIN_DECLS

/* Loads the kernels for @context, once; loading waits for the device, so
 * elements call it when they start. Fails with GST_ZC_ERROR_UNSUPPORTED and the
 * architecture's name (sm_XX) where no image fits. */
gboolean zc_kernels_load (ZcContext *context, GError **error);
/* For ZcContext; its context is current. */
void zc_kernels_free (ZcKernels *self);

/* Queues one launch of the flip kernel on @stream; loads the kernels if nobody
 * has. Returns when queued. */
gboolean zc_kernels_launch_flip (const ZcStreamKey *stream,
    const ZcFlipArgs *args, GError **error);

G_END_DECLS
