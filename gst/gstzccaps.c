/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzccaps.h"

static GstCaps *
with_feature (GstCaps *caps, const gchar *feature)
{
  GstCaps *result = gst_caps_new_empty ();

  for (guint i = 0; i < gst_caps_get_size (caps); i++) {
    GstStructure *structure =
        gst_structure_copy (gst_caps_get_structure (caps, i));

    /* Merging drops what is there already, as both memories of one format. */
    result = gst_caps_merge_structure_full (result, structure,
        feature ? gst_caps_features_new_single (feature) : NULL);
  }
  return result;
}

GstCaps *
zc_caps_in_cuda (GstCaps *caps)
{
  return with_feature (caps, ZC_CAPS_FEATURE_CUDA);
}

GstCaps *
zc_caps_in_system (GstCaps *caps)
{
  return with_feature (caps, NULL);
}

GstCaps *
zc_caps_in_both (GstCaps *caps)
{
  return gst_caps_merge (zc_caps_in_cuda (caps), zc_caps_in_system (caps));
}

GstCaps *
zc_caps_filter (GstCaps *caps, GstCaps *filter)
{
  GstCaps *result;

  if (filter == NULL)
    return caps;
  result = gst_caps_intersect_full (filter, caps, GST_CAPS_INTERSECT_FIRST);
  gst_caps_unref (caps);
  return result;
}

void
zc_caps_add_template (GstElementClass *klass, GstPadDirection direction,
    GstCaps *caps)
{
  const gchar *name = direction == GST_PAD_SINK ? "sink" : "src";

  gst_element_class_add_pad_template (klass,
      gst_pad_template_new (name, direction, GST_PAD_ALWAYS, caps));
  gst_caps_unref (caps);
}
