/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/**
 * SECTION:element-zcdownload
 * @title: zcdownload
 *
 * Brings raw video from CUDA memory to host memory, into page-locked buffers or
 * those of a downstream element that has memory of its own kind. It waits for
 * its own copy, the only host wait that a pipeline of this plugin has, and
 * pushes frames that the CPU may read at once. Frames in host memory pass
 * through; device memory that hides under system caps is downloaded.
 *
 * |[
 * gst-launch-1.0 videotestsrc ! zcupload ! zcdownload ! fakesink
 * ]|
 */

#include "gstzccaps.h"
#include "gstzcdownload.h"

struct _GstZcDownload
{
  GstZcFilter parent;
};

G_DEFINE_TYPE (GstZcDownload, gst_zc_download, GST_TYPE_ZC_FILTER)
GST_ELEMENT_REGISTER_DEFINE (zcdownload, "zcdownload", GST_RANK_NONE,
    GST_TYPE_ZC_DOWNLOAD)

static GstCaps *
transform_caps (GstBaseTransform *trans, GstPadDirection direction,
    GstCaps *caps, GstCaps *filter)
{
  if (direction == GST_PAD_SINK)
    return zc_caps_filter (zc_caps_in_system (caps), filter);
  return zc_caps_filter (zc_caps_in_both (caps), filter);
}

static gboolean
set_info (GstZcFilter *filter, const GstVideoInfo *in_info,
    const GstVideoInfo *out_info, GError **error)
{
  gst_base_transform_set_passthrough (GST_BASE_TRANSFORM (filter),
      !gst_zc_filter_is_in_cuda (filter));
  return TRUE;
}

/* Passing through ends, until new caps come, with the first frame that hides
 * device memory; the base class then asks for a pool before it goes on. */
static void
before_transform (GstBaseTransform *trans, GstBuffer *in)
{
  GST_BASE_TRANSFORM_CLASS (gst_zc_download_parent_class)
      ->before_transform (trans, in);
  if (!gst_base_transform_is_passthrough (trans) || !gst_zc_buffer_is_cuda (in))
    return;
  gst_base_transform_set_passthrough (trans, FALSE);
  gst_base_transform_reconfigure_src (trans);
}

static gboolean
passes (GstZcFilter *filter, GstBuffer *in)
{
  return !gst_zc_filter_is_in_cuda (filter) && !gst_zc_buffer_is_cuda (in);
}

static gboolean
process (GstZcFilter *filter, GstBuffer *in, GstBuffer *out, GError **error)
{
  GstZcFrame frame;
  gboolean ok;

  if (!gst_zc_frame_map (&frame, in, gst_zc_filter_get_in_info (filter),
          GST_MAP_READ, gst_zc_filter_get_stream (filter), error))
    return FALSE;
  ok = gst_zc_frame_download (&frame, out, gst_zc_filter_get_out_info (filter),
      error);
  ok &= gst_zc_frame_unmap (&frame, ok ? error : NULL);
  gst_zc_filter_count_host_side (filter, out, TRUE);
  return ok;
}

static void
gst_zc_download_class_init (GstZcDownloadClass *klass)
{
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstZcFilterClass *filter_class = GST_ZC_FILTER_CLASS (klass);
  GstCaps *sink_caps = gst_zc_filter_caps_new (TRUE);

  gst_caps_append (sink_caps, gst_zc_filter_caps_new (FALSE));
  zc_caps_add_template (element_class, GST_PAD_SINK, sink_caps);
  zc_caps_add_template (element_class, GST_PAD_SRC,
      gst_zc_filter_caps_new (FALSE));
  gst_element_class_set_static_metadata (element_class, "CUDA downloader",
      "Filter/Video/Downloader/Hardware",
      "Downloads raw video from CUDA memory, waiting for its own copy only",
      "The gst-zc authors");

  transform_class->transform_caps = transform_caps;
  transform_class->before_transform = before_transform;
  filter_class->set_info = set_info;
  filter_class->passes = passes;
  filter_class->process = process;
}

static void
gst_zc_download_init (GstZcDownload *self)
{
}
