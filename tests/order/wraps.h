/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A program with device memory of its own, which it writes on a stream, wraps
 * without waiting, and uses again the moment that it is given back. */
#pragma once

#include "streams.h"

G_BEGIN_DECLS

typedef struct _Wraps Wraps;

Wraps *wraps_new (OrderRun *run, GstCudaContext *context,
    const GstVideoInfo *info);
/* Waits until all is given back; a fault of the run if that takes long. */
void wraps_free (Wraps *self);
/* A picture of @value, by a producer of some kind. */
GstBuffer *wraps_take (Wraps *self, guint8 value);

G_END_DECLS
