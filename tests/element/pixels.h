/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Frames of known pixels through elements, and what comes out. */
#pragma once

#include <gst/check/gstharness.h>
#include <gst/video/video.h>
#include <gst/zc/zc.h>

#include "reference.h"

G_BEGIN_DECLS

/* FALSE, and the running test is skipped, where there is no device. */
gboolean have_device (void);
/* The same where there is none of GStreamer's own CUDA elements either. */
gboolean have_nvcodec (void);

/* The seed that all random pixels come from; printed once. */
guint32 pixel_seed (void);

GstCaps *pixel_caps (GstVideoFormat format, gint width, gint height);

/* The pixels of @frame in its own layout, told by a GstVideoMeta: in one memory
 * or in one a plane. Canary is everywhere else. */
GstBuffer *pixel_buffer (const RefFrame *frame, gboolean one_memory);
/* The same without a meta: GStreamer's default layout. */
GstBuffer *pixel_buffer_default (const RefFrame *frame);

/* Fails the test, with @what and the first difference, unless @buffer, in host
 * memory, holds the pixels of @expected. */
void pixel_assert (const RefFrame *expected, GstBuffer *buffer,
    const gchar *what);

gboolean pixel_equal (const RefFrame *expected, GstBuffer *buffer);

/* TRUE if one memory of @buffer is CUDA memory. */
gboolean pixel_has_cuda (GstBuffer *buffer);

/* A harness around a chain of elements, playing. */
GstHarness *chain_new (const gchar *chain);
/* Says what comes next. */
void chain_set_size (GstHarness *h, GstVideoFormat format, gint width,
    gint height);
/* Pushes a buffer and takes the one that comes of it. (transfer full) both. */
GstBuffer *chain_run (GstHarness *h, GstBuffer *buffer);
/* The element of that factory in the chain. (transfer none) */
GstElement *chain_find (GstHarness *h, const gchar *factory);

/* One after the other: rows of tables are tests of their own. */
#define N_ORIENTATIONS 8

G_END_DECLS
