/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcoutput.h"

void
zc_output_install_properties (GObjectClass *klass, guint first)
{
  g_object_class_install_property (klass, first + ZC_OUTPUT_PACKED,
      g_param_spec_boolean ("packed", "Packed",
          "Give rows and planes without padding, for software that refuses "
          "strides; looked at when memory is chosen for new caps",
          FALSE,
          G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY |
              G_PARAM_STATIC_STRINGS));
  g_object_class_install_property (klass, first + ZC_OUTPUT_ARRAY_SYNC,
      g_param_spec_enum ("array-sync", "Array synchronisation",
          "What the array meta of a buffer does for software that asks it for "
          "a CUDA array: name the stream to wait for, or wait",
          GST_TYPE_ZC_ARRAY_SYNC, GST_ZC_ARRAY_SYNC_NONE,
          G_PARAM_READWRITE | GST_PARAM_MUTABLE_PLAYING |
              G_PARAM_STATIC_STRINGS));
}

gboolean
zc_output_set_property (GstZcFilter *filter, guint id, const GValue *value)
{
  switch (id) {
    case ZC_OUTPUT_PACKED:
      gst_zc_filter_set_packed (filter, g_value_get_boolean (value));
      return TRUE;
    case ZC_OUTPUT_ARRAY_SYNC:
      gst_zc_filter_set_array_sync (filter, g_value_get_enum (value));
      return TRUE;
    default:
      return FALSE;
  }
}

gboolean
zc_output_get_property (GstZcFilter *filter, guint id, GValue *value)
{
  switch (id) {
    case ZC_OUTPUT_PACKED:
      g_value_set_boolean (value, gst_zc_filter_get_packed (filter));
      return TRUE;
    case ZC_OUTPUT_ARRAY_SYNC:
      g_value_set_enum (value, gst_zc_filter_get_array_sync (filter));
      return TRUE;
    default:
      return FALSE;
  }
}
