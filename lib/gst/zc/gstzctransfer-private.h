/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: copies between device and host, as elements do them: by the fastest
 * way that there is. */

#include <gst/zc/gstzccopy.h>
#include <gst/zc/gstzctransferstate.h>

G_BEGIN_DECLS

/* As gst_zc_frame_upload(), by the route that @state knows; that goes to
 * @route, also after a failure. Without @state the driver copies. */
gboolean zc_transfer_upload (ZcTransferState *state, GstZcFrame *dst,
    GstBuffer *src, const GstVideoInfo *info, ZcRoute *route, GError **error);

/* gst_zc_frame_download_start () in the same way. */
GstZcCopy *zc_transfer_download_start (ZcTransferState *state, GstZcFrame *src,
    GstBuffer *dst, const GstVideoInfo *info, ZcRoute *route, GError **error);

G_END_DECLS
