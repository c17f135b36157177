/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Several devices: how many there are, and on which one a picture really is. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* 0 without a driver. */
guint device_test_count (void);

/* FALSE after g_test_skip(): there are fewer than @needed. */
gboolean device_test_have (guint needed);

/* The ordinal of the device that holds the addresses of @buffer, all of them, as
 * the driver says. */
gint device_test_of (GstBuffer *buffer);

/* TRUE if the driver can give the memory of @buffer to another process. */
gboolean device_test_is_legacy_ipc_capable (GstBuffer *buffer);

/* GPU- and 32 digits, as nvidia-smi shows them. */
gchar *device_test_uuid (guint device);

G_END_DECLS
