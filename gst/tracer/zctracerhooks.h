/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Where GStreamer and the library tell the tracer what happens. */

#pragma once

#include <gst/gst.h>

#include <gst/gsttracer.h>

G_BEGIN_DECLS

void zc_tracer_hooks_register (GstTracer *tracer);

G_END_DECLS
