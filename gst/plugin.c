/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcdownload.h"
#include "gstzcflip.h"
#include "gstzcupload.h"
#include "tracer/gstzctracer.h"

/* No driver is looked for here: a registry made without one would stay wrong
 * once there is one. */
static gboolean
plugin_init (GstPlugin *plugin)
{
  return GST_ELEMENT_REGISTER (zcupload, plugin) &&
      GST_ELEMENT_REGISTER (zcdownload, plugin) &&
      GST_ELEMENT_REGISTER (zcflip, plugin) && gst_zc_tracer_register (plugin);
}

GST_PLUGIN_DEFINE (GST_VERSION_MAJOR, GST_VERSION_MINOR, zc,
    "Zero-copy video in CUDA memory", plugin_init, ZC_VERSION, "LGPL", "gst-zc",
    "gst-zc")
