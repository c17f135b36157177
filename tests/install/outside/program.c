/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include <gst/zc/zc.h>

#ifdef STATIC_PLUGIN
GST_PLUGIN_STATIC_DECLARE (zc);
#endif

/* Says which file has the plugin, and what the library knows. */
int
main (int argc, char **argv)
{
  GstPlugin *plugin;
  guint n_formats;

  gst_init (&argc, &argv);
#ifdef STATIC_PLUGIN
  GST_PLUGIN_STATIC_REGISTER (zc);
#endif
  gst_zc_format_list (&n_formats);
  plugin = gst_registry_find_plugin (gst_registry_get (), "zc");
  if (plugin == NULL || gst_element_factory_make ("zcflip", NULL) == NULL)
    return 1;
  g_print ("zcflip of %s, %u formats\n",
      gst_plugin_get_filename (plugin) ? gst_plugin_get_filename (plugin)
                                       : "this program",
      n_formats);
  return 0;
}
