/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/**
 * SECTION:element-zcupload
 * @title: zcupload
 *
 * Brings raw video from host memory to CUDA memory. The copy is queued on a
 * stream of the element's own and nobody waits for it: elements of this plugin
 * are ordered by events, others by the rules of GstCudaMemory. The pool that it
 * offers upstream is page-locked, so that a source that uses it is copied
 * without the CPU. Frames that are in CUDA memory already pass through as they
 * are, also where `packed` asks for rows without padding: zcflip makes them so.
 * If cuda-device-id was set, those of another device are copied to that one.
 *
 * |[
 * gst-launch-1.0 videotestsrc ! zcupload ! zcflip video-direction=90r !
 *     zcdownload ! videoconvert ! autovideosink
 * ]|
 */

#include "gstzccaps.h"
#include "gstzchostside.h"
#include "gstzcoutput.h"
#include "gstzcupload.h"

enum
{
  PROP_MAX_PINNED_BYTES = 1,
  PROP_OUTPUT, /* and those after it */
};

struct _GstZcUpload
{
  GstZcFilter parent;
};

G_DEFINE_TYPE (GstZcUpload, gst_zc_upload, GST_TYPE_ZC_FILTER)
GST_ELEMENT_REGISTER_DEFINE (zcupload, "zcupload", GST_RANK_NONE,
    GST_TYPE_ZC_UPLOAD)

static GstCaps *
transform_caps (GstBaseTransform *trans, GstPadDirection direction,
    GstCaps *caps, GstCaps *filter)
{
  if (direction == GST_PAD_SINK)
    return zc_caps_filter (zc_caps_in_cuda (caps), filter);
  return zc_caps_filter (zc_caps_in_both (caps), filter);
}

static gboolean
set_info (GstZcFilter *filter, const GstVideoInfo *in_info,
    const GstVideoInfo *out_info, GError **error)
{
  gst_base_transform_set_passthrough (GST_BASE_TRANSFORM (filter),
      gst_zc_filter_is_in_cuda (filter));
  return TRUE;
}

/* Device memory also comes under system caps: nvcodec's downloader does that. */
static gboolean
passes (GstZcFilter *filter, GstBuffer *in)
{
  return gst_zc_buffer_is_cuda (in) && gst_zc_filter_is_local (filter, in);
}

/* Caps name no device: passing through ends, until new caps come, with the first
 * frame of another one; the base class then asks for a pool before it goes on. */
static void
before_transform (GstBaseTransform *trans, GstBuffer *in)
{
  GST_BASE_TRANSFORM_CLASS (gst_zc_upload_parent_class)
      ->before_transform (trans, in);
  if (!gst_base_transform_is_passthrough (trans) ||
      passes (GST_ZC_FILTER (trans), in) || !gst_zc_buffer_is_cuda (in))
    return;
  gst_base_transform_set_passthrough (trans, FALSE);
  gst_base_transform_reconfigure_src (trans);
}

static gboolean
check (GstZcFilter *filter, GstBuffer *in, GError **error)
{
  return !gst_zc_filter_is_in_cuda (filter) || gst_zc_buffer_is_cuda (in) ||
      gst_zc_filter_check_local (filter, in, error);
}

static gboolean
fill (GstZcFilter *filter, GstZcFrame *frame, GstBuffer *in, GError **error)
{
  return gst_zc_buffer_is_cuda (in)
      ? gst_zc_filter_copy_peer (filter, frame, in, error)
      : gst_zc_filter_upload (filter, frame, in, error);
}

static gboolean
process (GstZcFilter *filter, GstBuffer *in, GstBuffer *out, GError **error)
{
  GstZcFrame frame;
  gboolean ok;

  if (!gst_zc_frame_map (&frame, out, gst_zc_filter_get_out_info (filter),
          GST_MAP_WRITE, gst_zc_filter_get_stream (filter), error))
    return FALSE;
  ok = fill (filter, &frame, in, error);
  ok &= gst_zc_frame_unmap (&frame, ok ? error : NULL);
  return ok;
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  GstZcFilter *filter = GST_ZC_FILTER (object);

  if (id == PROP_MAX_PINNED_BYTES)
    zc_host_side_set_property (filter, value);
  else if (!zc_output_set_property (filter, id - PROP_OUTPUT, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  GstZcFilter *filter = GST_ZC_FILTER (object);

  if (id == PROP_MAX_PINNED_BYTES)
    zc_host_side_get_property (filter, value);
  else if (!zc_output_get_property (filter, id - PROP_OUTPUT, value))
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
gst_zc_upload_class_init (GstZcUploadClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  GstElementClass *element_class = GST_ELEMENT_CLASS (klass);
  GstBaseTransformClass *transform_class = GST_BASE_TRANSFORM_CLASS (klass);
  GstZcFilterClass *filter_class = GST_ZC_FILTER_CLASS (klass);
  GstCaps *sink_caps = gst_zc_filter_make_caps (TRUE);

  gst_caps_append (sink_caps, gst_zc_filter_make_caps (FALSE));
  zc_caps_add_template (element_class, GST_PAD_SINK, sink_caps);
  zc_caps_add_template (element_class, GST_PAD_SRC,
      gst_zc_filter_make_caps (TRUE));
  gst_element_class_set_static_metadata (element_class, "CUDA uploader",
      "Filter/Video/Uploader/Hardware",
      "Uploads raw video to CUDA memory without waiting", "The gst-zc authors");

  object_class->set_property = set_property;
  object_class->get_property = get_property;
  zc_host_side_install_property (object_class, PROP_MAX_PINNED_BYTES);
  zc_output_install_properties (object_class, PROP_OUTPUT);

  transform_class->transform_caps = transform_caps;
  transform_class->before_transform = before_transform;
  filter_class->set_info = set_info;
  filter_class->check = check;
  filter_class->passes = passes;
  filter_class->process = process;
}

static void
gst_zc_upload_init (GstZcUpload *self)
{
}
