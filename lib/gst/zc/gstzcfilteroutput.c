/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What other software needs the frames to be like that a filter gives. */

#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/gstzcarraymeta.h>
#include <gst/zc/gstzcfilter-private.h>
#include <gst/zc/gstzclayout.h>

void
gst_zc_filter_set_packed (GstZcFilter *self, gboolean packed)
{
  GST_OBJECT_LOCK (self);
  zc_filter (self)->packed = packed;
  GST_OBJECT_UNLOCK (self);
}

gboolean
gst_zc_filter_get_packed (GstZcFilter *self)
{
  gboolean packed;

  GST_OBJECT_LOCK (self);
  packed = zc_filter (self)->packed;
  GST_OBJECT_UNLOCK (self);
  return packed;
}

void
gst_zc_filter_set_array_sync (GstZcFilter *self, GstZcArraySync sync)
{
  GST_OBJECT_LOCK (self);
  zc_filter (self)->array_sync = sync;
  GST_OBJECT_UNLOCK (self);
}

GstZcArraySync
gst_zc_filter_get_array_sync (GstZcFilter *self)
{
  GstZcArraySync sync;

  GST_OBJECT_LOCK (self);
  sync = zc_filter (self)->array_sync;
  GST_OBJECT_UNLOCK (self);
  return sync;
}

/* Where the planes of @buffer are: what its meta says, else its memory. */
static gboolean
has_layout (GstBuffer *buffer, const GstVideoInfo *layout)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  const GstVideoInfo *info =
      &GST_CUDA_MEMORY_CAST (gst_buffer_peek_memory (buffer, 0))->info;
  const gsize *offset = meta ? meta->offset : info->offset;
  const gint *stride = meta ? meta->stride : info->stride;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (layout); i++) {
    if (offset[i] != layout->offset[i] || stride[i] != layout->stride[i])
      return FALSE;
  }
  return !meta ||
      (meta->width == (guint) layout->width &&
          meta->height == (guint) layout->height);
}

gboolean
gst_zc_filter_is_packed (GstZcFilter *self, GstBuffer *in)
{
  GstVideoInfo layout;

  return gst_zc_buffer_is_cuda (in) && gst_buffer_n_memory (in) == 1 &&
      zc_layout_packed (&layout, &zc_filter (self)->in_info, NULL) &&
      has_layout (in, &layout);
}

void
zc_filter_describe_output (GstZcFilter *self, GstBuffer *out)
{
  ZcFilter *priv = zc_filter (self);

  if (priv->out_cuda && gst_zc_buffer_is_cuda (out))
    gst_zc_buffer_add_array_meta (out, &priv->out_info,
        gst_zc_filter_get_array_sync (self));
}
