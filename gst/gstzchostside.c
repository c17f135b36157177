/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzchostside.h"

void
zc_host_side_install_property (GObjectClass *klass, guint id)
{
  g_object_class_install_property (klass, id,
      g_param_spec_uint64 ("max-pinned-bytes", "Maximum of pinned bytes",
          "Most bytes of other elements' memory that are page-locked when it "
          "comes again and again, so that it is copied at full speed; a "
          "quarter "
          "of it, 64 MiB at most, is used beside for memory that does not; 0: "
          "none; looked at when going to PAUSED",
          0, G_MAXUINT64, GST_ZC_FILTER_MAX_PINNED_BYTES,
          G_PARAM_READWRITE | GST_PARAM_MUTABLE_READY |
              G_PARAM_STATIC_STRINGS));
}

void
zc_host_side_set_property (GstZcFilter *filter, const GValue *value)
{
  gst_zc_filter_set_max_pinned_bytes (filter, g_value_get_uint64 (value));
}

void
zc_host_side_get_property (GstZcFilter *filter, GValue *value)
{
  g_value_set_uint64 (value, gst_zc_filter_get_max_pinned_bytes (filter));
}
