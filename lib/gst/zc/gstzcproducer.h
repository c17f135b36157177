/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: who wrote foreign pixels, as a mark in the reservation of each of a
 * buffer's memories. */

#include <gst/zc/gstzccontext-private.h>
#include <gst/zc/gstzcforeign.h>

G_BEGIN_DECLS

/* @buffer is new, of our allocator and in @context. The handle of @producer is
 * not touched after this. */
gboolean zc_producer_order (const GstZcProducer *producer, ZcContext *context,
    GstBuffer *buffer, GError **error);

G_END_DECLS
