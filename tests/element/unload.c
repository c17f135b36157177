/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Whoever opens the plugin by himself and closes it again leaves it where it is:
 * its types are registered for ever, its threads may be about to end. This
 * program is not linked to the library. */

#define _GNU_SOURCE /* dladdr */
#include <dlfcn.h>
#include <gst/gst.h>

typedef GObject *(*ContextNew) (guint device, GError **error);

static void
assert_is_there (const gchar *path)
{
  gpointer again = dlopen (path, RTLD_NOW | RTLD_NOLOAD);

  if (again == NULL)
    g_error ("%s is gone", path);
  dlclose (again);
}

static void
test_close (void)
{
  g_autofree gchar *path =
      g_build_filename (g_getenv ("GST_PLUGIN_PATH_1_0"), "libgstzc.so", NULL);
  g_autofree gchar *library = NULL;
  gpointer plugin = dlopen (path, RTLD_NOW);
  g_autoptr (GObject) context = NULL;
  ContextNew context_new;
  Dl_info info;

  if (plugin == NULL)
    g_error ("%s", dlerror ());
  context_new = (ContextNew) dlsym (plugin, "gst_zc_context_new");
  g_assert_nonnull (context_new);
  g_assert_cmpint (dladdr ((gpointer) context_new, &info), !=, 0);
  library = g_strdup (info.dli_fname);
  context = context_new (0, NULL); /* NULL without a device */
  g_clear_object (&context);
  dlclose (plugin);
  assert_is_there (path);
  assert_is_there (library);
  /* What was registered is still of use. */
  context = context_new (0, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/unload/close", test_close);
  return g_test_run ();
}
