/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A thread that has no CUDA context and drops buffers. */
#pragma once

#include <gst/gst.h>

G_BEGIN_DECLS

typedef struct _Dropper Dropper;

Dropper *dropper_new (void);
/* (transfer full) */
void dropper_push (Dropper *self, GstBuffer *buffer);
/* When all is dropped. */
void dropper_free (Dropper *self);

G_END_DECLS
