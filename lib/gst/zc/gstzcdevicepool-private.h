/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: a pool of ours, which others lack the packed form of. */

#include <gst/zc/gstzcdevicepool.h>

G_BEGIN_DECLS

GType zc_device_pool_get_type (void);

#define ZC_IS_DEVICE_POOL(object)                                              \
  (G_TYPE_CHECK_INSTANCE_TYPE ((object), zc_device_pool_get_type ()))

G_END_DECLS
