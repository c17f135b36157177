/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* No driver, a driver that is none, no device, a wrong device: one message, and
 * a pipeline that can be started again. cases.md 67, 21.
 *
 * The driver is looked for once in a process, so each case is a child. */

#include <glib/gstdio.h>
#include <string.h>

#include "pipeline.h"
#include "pixels.h"
#include "softcuda-panel.h"

static const gchar *const factories[] = { "zcupload", "zcdownload", "zcflip" };

/* Children */

static GError *
take_only_error (GstElement *pipeline)
{
  g_autoptr (GstBus) bus = gst_element_get_bus (pipeline);
  g_autoptr (GstMessage) message =
      gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR);
  GError *error = NULL;

  g_assert_nonnull (message);
  gst_message_parse_error (message, &error, NULL);
  g_assert_null (gst_bus_pop_filtered (bus, GST_MESSAGE_ERROR));
  return error;
}

static void
assert_fails (GstElement *pipeline, const gchar *text)
{
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_READY), ==,
      GST_STATE_CHANGE_FAILURE);
  error = take_only_error (pipeline);
  g_assert_error (error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_FOUND);
  if (strstr (error->message, text) == NULL)
    g_error ("\"%s\" has no \"%s\"", error->message, text);
  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_NULL), ==,
      GST_STATE_CHANGE_SUCCESS);
}

static void
run_without (const gchar *text)
{
  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    g_autofree gchar *launch = g_strdup_printf ("%s ! fakesink", factories[i]);
    GstElement *pipeline = pipeline_new (launch);

    assert_fails (pipeline, text);
    assert_fails (pipeline, text);
    pipeline_free (pipeline);
  }
}

static void
run_missing (void)
{
  run_without ("No NVIDIA driver was found");
}

static void
run_stub (void)
{
  run_without ("stub");
}

static void
run_no_device (void)
{
  run_without ("no CUDA device");
}

static void
run_with_driver (void)
{
  GstElement *pipeline;

  if (!have_device ())
    return;
  pipeline =
      pipeline_new ("videotestsrc num-buffers=2 ! zcupload ! "
                    "zcflip video-direction=180 ! zcdownload ! fakesink");
  pipeline_play (pipeline);
  pipeline_free (pipeline);
}

/* Parents */

static void
run_child (const gchar *path, const gchar *name, const gchar *value)
{
  g_autofree gchar *old = g_strdup (g_getenv (name));

  g_setenv (name, value, TRUE);
  g_test_trap_subprocess (path, 60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_DEFAULT);
  if (old != NULL)
    g_setenv (name, old, TRUE);
  else
    g_unsetenv (name);
  g_test_trap_assert_passed ();
}

/* A folder whose libcuda.so.1 is no library, before all other folders. */
static gchar *
make_bad_driver (void)
{
  gchar *folder = g_dir_make_tmp ("zc-no-driver-XXXXXX", NULL);
  g_autofree gchar *file = g_build_filename (folder, "libcuda.so.1", NULL);

  g_assert_true (g_file_set_contents (file, "no library", -1, NULL));
  return folder;
}

static void
remove_bad_driver (const gchar *folder)
{
  g_autofree gchar *file = g_build_filename (folder, "libcuda.so.1", NULL);

  g_unlink (file);
  g_rmdir (folder);
}

static gchar *
before_library_path (const gchar *folder)
{
  const gchar *path = g_getenv ("LD_LIBRARY_PATH");

  return g_strconcat (folder, path ? ":" : NULL, path, NULL);
}

static void
test_missing (void)
{
  g_autofree gchar *folder = make_bad_driver ();
  g_autofree gchar *path = before_library_path (folder);

  run_child ("/no-driver/missing/subprocess/run", "LD_LIBRARY_PATH", path);
  remove_bad_driver (folder);
}

static gboolean
have_softcuda (void)
{
  return have_device () && softcuda_panel () != NULL;
}

static void
test_stub (void)
{
  if (have_softcuda ())
    run_child ("/no-driver/stub/subprocess/run", "SOFTCUDA_MODE", "stub");
  else
    g_test_skip ("only softcuda can play the stub");
}

static void
test_no_device (void)
{
  if (have_softcuda ())
    run_child ("/no-driver/no-device/subprocess/run", "SOFTCUDA_DEVICES", "0");
  else
    run_child ("/no-driver/no-device/subprocess/run", "CUDA_VISIBLE_DEVICES",
        "");
}

/* cases.md 67: a registry made without a driver is right with one. */
static void
test_registry (void)
{
  g_autofree gchar *folder = make_bad_driver ();
  g_autofree gchar *path = before_library_path (folder);
  g_autofree gchar *registry = g_build_filename (folder, "registry", NULL);
  g_autofree gchar *old = g_strdup (g_getenv ("GST_REGISTRY_1_0"));

  g_setenv ("GST_REGISTRY_1_0", registry, TRUE);
  run_child ("/no-driver/missing/subprocess/run", "LD_LIBRARY_PATH", path);
  g_assert_true (g_file_test (registry, G_FILE_TEST_EXISTS));
  g_test_trap_subprocess ("/no-driver/registry/subprocess/run",
      60 * G_USEC_PER_SEC, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();

  if (old != NULL)
    g_setenv ("GST_REGISTRY_1_0", old, TRUE);
  else
    g_unsetenv ("GST_REGISTRY_1_0");
  g_unlink (registry);
  remove_bad_driver (folder);
}

/* A device that is not there; then one that is. */
static void
test_wrong_device (gconstpointer data)
{
  g_autofree gchar *launch =
      g_strdup_printf ("%s name=e cuda-device-id=4711 ! fakesink",
          (const gchar *) data);
  g_autoptr (GstElement) element = NULL;
  GstElement *pipeline;
  gint device;

  if (!have_device ())
    return;
  pipeline = pipeline_new (launch);
  assert_fails (pipeline, "4711");
  element = gst_bin_get_by_name (GST_BIN (pipeline), "e");
  g_object_get (element, "cuda-device-id", &device, NULL);
  g_assert_cmpint (device, ==, 4711);

  g_object_set (element, "cuda-device-id", -1, NULL);
  g_assert_cmpint (gst_element_set_state (pipeline, GST_STATE_READY), ==,
      GST_STATE_CHANGE_SUCCESS);
  g_object_get (element, "cuda-device-id", &device, NULL);
  g_assert_cmpint (device, ==, 0);
  pipeline_free (pipeline);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/no-driver/missing", test_missing);
  g_test_add_func ("/no-driver/missing/subprocess/run", run_missing);
  g_test_add_func ("/no-driver/stub", test_stub);
  g_test_add_func ("/no-driver/stub/subprocess/run", run_stub);
  g_test_add_func ("/no-driver/no-device", test_no_device);
  g_test_add_func ("/no-driver/no-device/subprocess/run", run_no_device);
  g_test_add_func ("/no-driver/registry", test_registry);
  g_test_add_func ("/no-driver/registry/subprocess/run", run_with_driver);
  for (guint i = 0; i < G_N_ELEMENTS (factories); i++) {
    g_autofree gchar *path =
        g_strconcat ("/no-driver/wrong-device/", factories[i], NULL);

    g_test_add_data_func (path, factories[i], test_wrong_device);
  }
  return g_test_run ();
}
