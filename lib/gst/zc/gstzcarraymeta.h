/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <gst/gst.h>
#include <gst/zc/gstzcarray.h>

G_BEGIN_DECLS

#define GST_ZC_ARRAY_META_API_TYPE (gst_zc_array_meta_api_get_type ())
#define GST_ZC_ARRAY_META_INFO (gst_zc_array_meta_get_info ())

/**
 * GstZcArrayMeta:
 *
 * Says of a buffer that its pixels can be had as arrays. The elements of this
 * library put it on each buffer that they fill in device memory.
 *
 * It remembers of which memories it speaks and answers when it is asked, so that
 * addresses, strides and streams are never old. It stays on copies that share the
 * memories, behind a tee or a queue, and is not on copies that do not, nor in
 * other processes. On a buffer that has got other memories since it has no
 * answer.
 *
 * Thread safety: that of the buffer.
 */
typedef struct _GstZcArrayMeta GstZcArrayMeta;

GST_ZC_API
GType gst_zc_array_meta_api_get_type (void);

/**
 * gst_zc_array_meta_get_info: (skip)
 *
 * Returns: (transfer none): what GStreamer knows of this meta
 */
GST_ZC_API
const GstMetaInfo *gst_zc_array_meta_get_info (void);

/**
 * gst_zc_buffer_add_array_meta:
 * @buffer: a writable buffer of CUDA memory that has its memories already
 * @info: its format and size
 * @sync: what those who ask for an array shall get
 *
 * Puts a meta on @buffer, or has the one that is there speak of the memories that
 * @buffer has now.
 *
 * Returns: (transfer none): the meta
 */
GST_ZC_API
GstZcArrayMeta *gst_zc_buffer_add_array_meta (GstBuffer *buffer,
    const GstVideoInfo *info, GstZcArraySync sync);

/**
 * gst_zc_buffer_get_array_meta:
 * @buffer: a buffer
 *
 * Returns: (transfer none) (nullable): its meta, or %NULL;
 *   gst_zc_buffer_get_array() needs none
 */
GST_ZC_API
GstZcArrayMeta *gst_zc_buffer_get_array_meta (GstBuffer *buffer);

/**
 * gst_zc_array_meta_get_array:
 * @meta: the meta of a buffer
 * @plane: the number of a plane, or %GST_ZC_ARRAY_STACKED
 * @flags: %GST_MAP_READ, or with %GST_MAP_WRITE for a consumer that writes, too
 * @error: return location for an error
 *
 * gst_zc_buffer_get_array() of the buffer that @meta is on.
 *
 * Returns: (transfer full) (nullable): the array, or %NULL as
 *   gst_zc_buffer_get_array(), and with %GST_ZC_ERROR_STATE if the buffer has
 *   other memories than those that @meta speaks of
 */
GST_ZC_API
GstZcArray *gst_zc_array_meta_get_array (GstZcArrayMeta *meta, gint plane,
    GstMapFlags flags, GError **error);

G_END_DECLS
