/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Elements on memory:CUDAMemory that know nothing of this library and keep to
 * GStreamer's rules, as an application's would:
 *
 * orderpaint: writes a new picture in place
 * orderlook: reads, and passes on
 * ordercopy: copies to memory of GstCudaBufferPool
 *
 * Their property `stream` says where they work: bridge (the stream of the
 * memory), own, default or legacy. They leave their work queued.
 *
 * What a picture shall hold is known from its time. */
#pragma once

#include "users.h"

G_BEGIN_DECLS

#define ORDER_FRAME_TIME (GST_MSECOND)

/* Registers them; @run is what they report to until the next call. */
void order_elements_init (OrderRun *run);

/* What the frame of that time has, as it comes from its source and after it was
 * painted. */
guint8 order_value_at (GstClockTime time);
guint8 order_painted_at (GstClockTime time);

G_END_DECLS
