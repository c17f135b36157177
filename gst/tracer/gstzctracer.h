/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

/* GST_TRACERS=zc, GST_TRACERS="zc(trace=FILE,summary=FILE)" */
gboolean gst_zc_tracer_register (GstPlugin *plugin);

G_END_DECLS
