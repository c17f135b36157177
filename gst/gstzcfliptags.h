/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* The orientation that tags ask for. */

#include <gst/video/video.h>

G_BEGIN_DECLS

typedef struct
{
  gchar *stream_id;             /* owned */
  gboolean has_stream;
  GstVideoOrientationMethod stream;
  GstVideoOrientationMethod global;
} ZcFlipTags;

/* A stream's own tag wins over that of the whole. */
GstVideoOrientationMethod zc_flip_tags_get (const ZcFlipTags *self);

void zc_flip_tags_clear (ZcFlipTags *self);
/* Forgets everything if the stream is a new one. */
void zc_flip_tags_start_stream (ZcFlipTags *self, GstEvent *event);
void zc_flip_tags_take (ZcFlipTags *self, GstEvent *event);

/* An event that says upright instead, where @event speaks of an orientation;
 * list and event may be shared, so both are copied. (transfer full) both. */
GstEvent *zc_flip_tags_rewrite (GstEvent *event);

G_END_DECLS
