/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: a frame of another device. */

#include <gst/zc/gstzcframe.h>

G_BEGIN_DECLS

/* As gst_zc_frame_map() for READ, of a buffer of any one device: @stream waits
 * for who wrote it. Work there may be copies from device to device alone. */
gboolean zc_frame_map_peer (GstZcFrame *frame, GstBuffer *buffer,
    const GstVideoInfo *info, GstZcStream *stream, GError **error);

G_END_DECLS
