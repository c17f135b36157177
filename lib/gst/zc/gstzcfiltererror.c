/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* One message a failure, with a code that fits. */

#include <gst/zc/gstzcfilter-private.h>

static gint
resource_code (const GError *error)
{
  if (error->domain != GST_ZC_ERROR)
    return GST_RESOURCE_ERROR_FAILED;

  switch ((GstZcError) error->code) {
    case GST_ZC_ERROR_NO_DRIVER:
    case GST_ZC_ERROR_STUB_DRIVER:
    case GST_ZC_ERROR_NO_DEVICE:
    case GST_ZC_ERROR_WRONG_DEVICE:
      return GST_RESOURCE_ERROR_NOT_FOUND;
    case GST_ZC_ERROR_NO_MEMORY:
      return GST_RESOURCE_ERROR_NO_SPACE_LEFT;
    case GST_ZC_ERROR_UNSUPPORTED:
    case GST_ZC_ERROR_LAYOUT:
    case GST_ZC_ERROR_NOT_CUDA:
      return GST_RESOURCE_ERROR_SETTINGS;
    default:
      return GST_RESOURCE_ERROR_FAILED;
  }
}

gboolean
zc_filter_set_failing (GstZcFilter *self, gboolean failing)
{
  ZcFilter *priv = zc_filter (self);
  gboolean changed;

  GST_OBJECT_LOCK (self);
  changed = priv->failing != failing;
  priv->failing = failing;
  GST_OBJECT_UNLOCK (self);
  return changed;
}

void
gst_zc_filter_post_error (GstZcFilter *self, GError *error)
{
  /* One message a failure, however often the source comes back. */
  if (!zc_filter_set_failing (self, TRUE)) {
    GST_WARNING_OBJECT (self, "again: %s", error->message);
    g_error_free (error);
    return;
  }
  gst_element_message_full (GST_ELEMENT (self), GST_MESSAGE_ERROR,
      GST_RESOURCE_ERROR, resource_code (error), g_strdup (error->message),
      g_strdup_printf ("%s %d", g_quark_to_string (error->domain), error->code),
      __FILE__, GST_FUNCTION, __LINE__);
  g_error_free (error);
}

void
zc_filter_report (GstZcFilter *self, GError **error)
{
  if (*error != NULL)
    gst_zc_filter_post_error (self, g_steal_pointer (error));
}
