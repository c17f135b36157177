/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* gst-zc-info: what is wrong with this machine? Exits with 1 if something is,
 * and says what to do. */

#include <gst/gst.h>
#include <stdlib.h>

#include "info.h"

#define EXIT_USAGE 2

static gboolean as_json, only_look, show_version;

static const GOptionEntry options[] = { { "json", 0, 0, G_OPTION_ARG_NONE,
                                            &as_json, "Print JSON", NULL },
  { "no-test", 0, 0, G_OPTION_ARG_NONE, &only_look,
      "Neither measure nor test: make no context", NULL },
  { "version", 0, 0, G_OPTION_ARG_NONE, &show_version, "Print the version",
      NULL },
  { NULL } };

static void
find_plugin (ZcInfo *info)
{
  static const gchar *const elements[] = { "zcupload", "zcflip", "zcdownload" };
  g_autoptr (GstPlugin) plugin =
      gst_registry_find_plugin (gst_registry_get (), "zc");

  if (plugin != NULL)
    info->plugin = g_strdup (gst_plugin_get_filename (plugin));
  for (guint i = 0; i < G_N_ELEMENTS (elements); i++) {
    g_autoptr (GstElementFactory) factory =
        gst_element_factory_find (elements[i]);

    if (factory != NULL)
      continue;
    zc_info_add_problem (info,
        "GStreamer does not find the element %s: set GST_PLUGIN_PATH to the "
        "folder of libgstzc.so, or install it beside GStreamer's own plugins; "
        "\"gst-inspect-1.0 -b\" tells if it could not be loaded",
        elements[i]);
    return;
  }
}

static void
find_peers (ZcInfo *info, ZcDevice *device, guint n_devices)
{
  GString *peers = g_string_new (NULL);

  for (guint i = 0; i < n_devices; i++) {
    g_autoptr (GError) error = NULL;

    if (i == device->number)
      continue;
    if (gst_zc_device_can_access_peer (device->number, i, &error))
      g_string_append_printf (peers, "%s%u", peers->len > 0 ? " " : "", i);
    else if (error != NULL)
      zc_info_take_error (info, "peer access", g_steal_pointer (&error));
  }
  device->peers = peers->len > 0
      ? g_string_free (peers, FALSE)
      : (g_string_free (peers, TRUE), g_strdup ("none"));
}

static void
add_device (ZcInfo *info, guint number, guint n_devices)
{
  g_autofree gchar *where = g_strdup_printf ("device %u", number);
  ZcDevice *device = g_new0 (ZcDevice, 1);
  GError *error = NULL;

  device->number = number;
  g_ptr_array_add (info->devices, device);
  device->info = gst_zc_device_info (number, &error);
  if (device->info == NULL) {
    zc_info_take_error (info, where, error);
    return;
  }
  find_peers (info, device, n_devices);
  if (only_look)
    return;
  zc_info_measure_rates (info, device);
  zc_info_run_self_test (info, device);
}

static void
find_devices (ZcInfo *info)
{
  const gchar *error;
  guint n_devices = 0;

  info->driver = gst_zc_driver_info ();
  error = gst_structure_get_string (info->driver, "error");
  if (error != NULL)
    zc_info_add_problem (info, "%s", error);
  gst_structure_get_uint (info->driver, "devices", &n_devices);
  for (guint i = 0; i < n_devices; i++)
    add_device (info, i, n_devices);
}

static void
print_info (const ZcInfo *info)
{
  g_autofree gchar *text =
      as_json ? zc_info_as_json (info) : zc_info_as_text (info);

  g_print ("%s", text);
}

static gboolean
parse (int *argc, char ***argv)
{
  g_autoptr (GOptionContext) context =
      g_option_context_new ("- what is wrong with this machine?");
  g_autoptr (GError) error = NULL;

  g_option_context_set_summary (context,
      "Tells which CUDA driver, devices and neighbours gst-zc finds, how fast "
      "copies are,\nand whether its elements give right pixels. Exits with 1 "
      "if "
      "something is wrong.");
  g_option_context_add_main_entries (context, options, NULL);
  g_option_context_add_group (context, gst_init_get_option_group ());
  if (!g_option_context_parse (context, argc, argv, &error)) {
    g_printerr ("%s\n", error->message);
    return FALSE;
  }
  if (*argc > 1) {
    g_printerr ("gst-zc-info does not take \"%s\"\n", (*argv)[1]);
    return FALSE;
  }
  return TRUE;
}

int
main (int argc, char **argv)
{
  gboolean wrong;
  ZcInfo info;

  if (!parse (&argc, &argv))
    return EXIT_USAGE;
  if (show_version) {
    g_print ("gst-zc-info %s\n", ZC_VERSION);
    return EXIT_SUCCESS;
  }

  zc_info_init (&info);
  info.gstreamer = gst_version_string ();
  find_plugin (&info);
  find_devices (&info);
  zc_info_find_neighbours (&info);
  print_info (&info);
  wrong = info.problems->len > 0;
  zc_info_clear (&info);
  return wrong ? EXIT_FAILURE : EXIT_SUCCESS;
}
