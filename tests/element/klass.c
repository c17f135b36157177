/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What applications and GES look at when they choose an element. cases.md 36,
 * 66. */

#include <glib/gstdio.h>
#include <string.h>

#include "pixels.h"

typedef struct
{
  const gchar *factory;
  const gchar *klass;
} Row;

static const Row rows[] = {
  { "zcupload", "Filter/Video/Uploader/Hardware" },
  { "zcdownload", "Filter/Video/Downloader/Hardware" },
  { "zcflip", "Filter/Effect/Video/Hardware" },
};

static void
test_factory (gconstpointer data)
{
  const Row *row = data;
  g_autoptr (GstElementFactory) factory =
      gst_element_factory_find (row->factory);

  g_assert_nonnull (factory);
  g_assert_cmpstr (gst_element_factory_get_metadata (factory,
                       GST_ELEMENT_METADATA_KLASS),
      ==, row->klass);
  g_assert_cmpuint (gst_plugin_feature_get_rank (GST_PLUGIN_FEATURE (factory)),
      ==, GST_RANK_NONE);
}

static gboolean
takes (const gchar *name, GstPadDirection direction, const gchar *text)
{
  g_autoptr (GstElementFactory) factory = gst_element_factory_find (name);
  g_autoptr (GstCaps) caps = gst_caps_from_string (text);

  if (direction == GST_PAD_SINK)
    return gst_element_factory_can_sink_any_caps (factory, caps);
  return gst_element_factory_can_src_any_caps (factory, caps);
}

static void
test_templates (void)
{
  const gchar *system = "video/x-raw,format=NV12";
  const gchar *cuda = "video/x-raw(memory:CUDAMemory),format=NV12";

  g_assert_true (takes ("zcupload", GST_PAD_SINK, system));
  g_assert_true (takes ("zcupload", GST_PAD_SINK, cuda));
  g_assert_false (takes ("zcupload", GST_PAD_SRC, system));
  g_assert_true (takes ("zcupload", GST_PAD_SRC, cuda));
  g_assert_true (takes ("zcdownload", GST_PAD_SINK, system));
  g_assert_true (takes ("zcdownload", GST_PAD_SINK, cuda));
  g_assert_true (takes ("zcdownload", GST_PAD_SRC, system));
  g_assert_false (takes ("zcdownload", GST_PAD_SRC, cuda));
  g_assert_false (takes ("zcflip", GST_PAD_SINK, system));
  g_assert_true (takes ("zcflip", GST_PAD_SINK, cuda));
  g_assert_true (takes ("zcflip", GST_PAD_SRC, cuda));
}

static void
test_interface (void)
{
  g_autoptr (GstElement) flip = gst_element_factory_make ("zcflip", NULL);

  gst_object_ref_sink (flip);
  g_assert_true (GST_IS_VIDEO_DIRECTION (flip));
}

static void
test_plugin (void)
{
  g_autoptr (GstPlugin) plugin =
      gst_registry_find_plugin (gst_registry_get (), "zc");

  g_assert_nonnull (plugin);
  g_assert_cmpstr (gst_plugin_get_license (plugin), ==, "LGPL");
  g_assert_cmpstr (gst_plugin_get_package (plugin), ==, "gst-zc");
  g_assert_cmpstr (gst_plugin_get_origin (plugin), ==, "gst-zc");
}

/* What a user reads in gst-inspect-1.0. */
static void
test_properties (gconstpointer data)
{
  g_autoptr (GstElement) element = gst_element_factory_make (data, NULL);
  g_autofree GParamSpec **specs = NULL;
  guint n;

  gst_object_ref_sink (element);
  specs = g_object_class_list_properties (G_OBJECT_GET_CLASS (element), &n);
  for (guint i = 0; i < n; i++) {
    g_assert_nonnull (g_param_spec_get_blurb (specs[i]));
    g_assert_cmpuint (strlen (g_param_spec_get_blurb (specs[i])), >, 0);
  }
}

static gboolean
is_cuda_flip (GstPluginFeature *feature, gpointer data)
{
  g_autoptr (GstCaps) cuda =
      gst_caps_from_string ("video/x-raw(memory:CUDAMemory)");
  GstElementFactory *factory;

  if (!GST_IS_ELEMENT_FACTORY (feature))
    return FALSE;
  factory = GST_ELEMENT_FACTORY (feature);
  return gst_element_factory_list_is_type (factory,
             GST_ELEMENT_FACTORY_TYPE_HARDWARE) &&
      gst_element_factory_has_interface (factory, "GstVideoDirection") &&
      gst_element_factory_can_sink_any_caps (factory, cuda);
}

/* cases.md 36: whoever chooses by klass, caps and interface finds it.
 * autovideoflip of 1.26 does not: it knows two elements by name. */
static void
test_found (void)
{
  GList *found = gst_registry_feature_filter (gst_registry_get (), is_cuda_flip,
      FALSE, NULL);
  gboolean ours = FALSE;

  for (GList *at = found; at != NULL; at = at->next)
    ours |= g_str_equal (GST_OBJECT_NAME (at->data), "zcflip");
  g_assert_true (ours);
  gst_plugin_feature_list_free (found);
}

/* Where no other plugin is installed, nvcodec least of all. In a child, which
 * looks at no folder but ours and keeps a registry of its own. */
static void
run_alone (void)
{
  g_autoptr (GstPlugin) nvcodec =
      gst_registry_find_plugin (gst_registry_get (), "nvcodec");

  g_assert_null (nvcodec);
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    GstElement *element = gst_element_factory_make (rows[i].factory, NULL);

    g_assert_nonnull (element);
    gst_object_ref_sink (element);
    if (have_device ())
      g_assert_cmpint (gst_element_set_state (element, GST_STATE_PAUSED), !=,
          GST_STATE_CHANGE_FAILURE);
    gst_element_set_state (element, GST_STATE_NULL);
    gst_object_unref (element);
  }
}

static void
test_alone (void)
{
  g_autofree gchar *registry = g_strdup (g_getenv ("GST_REGISTRY_1_0"));
  g_autofree gchar *folder = g_dir_make_tmp ("zc-klass-XXXXXX", NULL);
  g_autofree gchar *path = g_build_filename (folder, "registry.bin", NULL);

  g_setenv ("GST_REGISTRY_1_0", path, TRUE);
  g_setenv ("GST_PLUGIN_SYSTEM_PATH_1_0", folder, TRUE);
  g_test_trap_subprocess ("/klass/alone/subprocess/run", 0,
      G_TEST_SUBPROCESS_DEFAULT);
  g_unsetenv ("GST_PLUGIN_SYSTEM_PATH_1_0");
  if (registry)
    g_setenv ("GST_REGISTRY_1_0", registry, TRUE);
  else
    g_unsetenv ("GST_REGISTRY_1_0");
  g_remove (path);
  g_rmdir (folder);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    g_autofree gchar *path =
        g_strconcat ("/klass/factory/", rows[i].factory, NULL);
    g_autofree gchar *properties =
        g_strconcat ("/klass/properties/", rows[i].factory, NULL);

    g_test_add_data_func (path, &rows[i], test_factory);
    g_test_add_data_func (properties, rows[i].factory, test_properties);
  }
  g_test_add_func ("/klass/templates", test_templates);
  g_test_add_func ("/klass/interface", test_interface);
  g_test_add_func ("/klass/plugin", test_plugin);
  g_test_add_func ("/klass/found", test_found);
  g_test_add_func ("/klass/alone", test_alone);
  g_test_add_func ("/klass/alone/subprocess/run", run_alone);
  return g_test_run ();
}
