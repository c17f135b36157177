/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: one host wait for all work of a context, made when it is first
 * needed, or never. For pixels written on a stream that nobody tells, where the
 * driver has no event for all streams. */

#include <gst/zc/gstzccontext-private.h>

G_BEGIN_DECLS

typedef struct _ZcDeviceSync ZcDeviceSync;

ZcDeviceSync *zc_device_sync_new (ZcContext *context);
ZcDeviceSync *zc_device_sync_ref (ZcDeviceSync *self);
void zc_device_sync_unref (ZcDeviceSync *self);

/* Waits, the first time; others who call meanwhile wait for that. Any thread. */
gboolean zc_device_sync_once (ZcDeviceSync *self, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ZcDeviceSync, zc_device_sync_unref)

G_END_DECLS
