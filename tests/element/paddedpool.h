/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A pool as a display might have it: odd strides, planes apart, canary in
 * between. */
#pragma once

#include <gst/video/video.h>

G_BEGIN_DECLS

GstBufferPool *padded_pool_new (void);

/* Fails the test if anything but pixels was written to a buffer of such a
 * pool. */
void padded_pool_check (GstBuffer *buffer);

G_END_DECLS
