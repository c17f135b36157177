/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Those who read and write pictures in device memory: by this library, or by
 * GStreamer's own rules, as elements and applications do that know nothing of
 * it. A picture has one value in all of its samples. */
#pragma once

#include "streams.h"

G_BEGIN_DECLS

typedef enum
{
  USER_FRAME, /* maps a frame */
  USER_MARK, /* gst_zc_buffer_wait (), then gst_zc_buffer_mark_... () */
  USER_HOST, /* uploads, downloads */
  USER_CPU, /* gst_video_frame_map () */
  USER_BRIDGE, /* GStreamer's rule, on the stream of the memory */
  USER_OTHER, /* GStreamer's rule, on a stream of its own, whose context it has
                 current */
  USER_ADVERTISED, /* reads on the stream that is said to have written */
  USER_LENT, /* is lent a frame, and uses it on a stream of its own */
  N_USERS
} User;

typedef struct
{
  OrderRun *run;
  User user;
  GstZcStream *stream; /* for those who bring one */
  GstAllocator *pinned; /* for USER_HOST; NULL: pageable */
  gboolean fresh; /* just from its pool: nobody can be using it */
} Access;

const gchar *user_name (User user);
/* The buffer and its memory must be writable. */
gboolean user_write (const Access *self, GstBuffer *buffer,
    const GstVideoInfo *info, guint8 value);
/* Looks that it has @value. */
gboolean user_read (const Access *self, GstBuffer *buffer,
    const GstVideoInfo *info, guint8 value);
/* Maps for both, looks for @old and writes @value. */
gboolean user_change (const Access *self, GstBuffer *buffer,
    const GstVideoInfo *info, guint8 old, guint8 value);
/* Copies @src, of any value, to @dst: a kernel. */
gboolean user_flip (const Access *self, GstBuffer *dst, GstBuffer *src,
    const GstVideoInfo *info);

/* Copies as GStreamer's own converter does: on the stream of @dst, and without
 * waiting for the end. */
void user_copy (OrderRun *run, GstBuffer *dst, GstBuffer *src,
    const GstVideoInfo *info);

G_END_DECLS
