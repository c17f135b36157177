/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The property of elements that copy from or to host memory. */
#pragma once

#include <gst/zc/gstzcfiltertransfer.h>

G_BEGIN_DECLS

/* As property @id of @klass. */
void zc_host_side_install_property (GObjectClass *klass, guint id);
void zc_host_side_set_property (GstZcFilter *filter, const GValue *value);
void zc_host_side_get_property (GstZcFilter *filter, GValue *value);

G_END_DECLS
