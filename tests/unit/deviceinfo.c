/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the library tells of driver and devices. */

#include <gst/cuda/gstcudacontext.h>
#include <string.h>

#include "cudatest.h"
#include "softcuda-panel.h"

static gboolean
have_device (void)
{
  GstCudaContext *context = cuda_test_context (0);

  if (context)
    gst_object_unref (context);
  return context != NULL;
}

static void
test_driver (void)
{
  GstStructure *info;
  guint version, devices;

  if (!have_device ())
    return;
  info = gst_zc_driver_info ();
  g_assert_true (gst_structure_has_name (info, "application/x-zc-driver"));
  g_assert_true (gst_structure_get_uint (info, "version", &version));
  g_assert_cmpuint (version, >=, 12000);
  g_assert_true (gst_structure_get_uint (info, "devices", &devices));
  g_assert_cmpuint (devices, >=, 1);
  g_assert_nonnull (strstr (gst_structure_get_string (info, "path"),
      "libcuda"));
  g_assert_true (g_path_is_absolute (gst_structure_get_string (info, "path")));
  g_assert_false (gst_structure_has_field (info, "error"));
  gst_structure_free (info);
}

/* cuda_test_context () gets the primary context, which is kept. */
static void
test_device (void)
{
  g_autoptr (GError) error = NULL;
  GstStructure *info;
  guint major, minor;
  guint64 memory;
  gboolean active;

  if (!have_device ())
    return;
  info = gst_zc_device_info (0, &error);
  g_assert_no_error (error);
  g_assert_true (gst_structure_get (info, "major", G_TYPE_UINT, &major, "minor",
      G_TYPE_UINT, &minor, "memory", G_TYPE_UINT64, &memory,
      "primary-context-active", G_TYPE_BOOLEAN, &active, NULL));
  g_assert_cmpuint (major, >=, 6);
  g_assert_cmpuint (minor, <, 10);
  g_assert_cmpuint (memory, >, G_GUINT64_CONSTANT (1) << 30);
  g_assert_true (active);
  g_assert_cmpuint (strlen (gst_structure_get_string (info, "name")), >, 2);
  g_assert_cmpint (gst_structure_get_string (info, "pci-bus-id")[4], ==, ':');
  g_assert_true (g_regex_match_simple ("^GPU-[0-9a-f]{8}(-[0-9a-f]{4}){3}-"
                                       "[0-9a-f]{12}$",
      gst_structure_get_string (info, "uuid"), 0, 0));
  gst_structure_free (info);
}

static void
test_softcuda (void)
{
  GstStructure *info;

  if (!have_device () || !softcuda_panel ()) {
    g_test_skip ("known of softcuda only");
    return;
  }
  info = gst_zc_device_info (1, NULL);
  g_assert_cmpstr (gst_structure_get_string (info, "name"), ==, "softcuda 1");
  g_assert_cmpstr (gst_structure_get_string (info, "pci-bus-id"), ==,
      "0000:02:00.0");
  g_assert_cmpstr (gst_structure_get_string (info, "uuid"), ==,
      "GPU-02736f66-7463-7564-612d-646576696365");
  gst_structure_free (info);
  g_assert_true (gst_zc_device_can_access_peer (0, 1, NULL));
  g_assert_false (gst_zc_device_can_access_peer (1, 1, NULL));
}

static void
test_wrong_device (void)
{
  g_autoptr (GError) error = NULL;

  if (!have_device ())
    return;
  g_assert_null (gst_zc_device_info (999, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_WRONG_DEVICE);
  g_assert_nonnull (strstr (error->message, "999"));
  g_clear_error (&error);
  g_assert_false (gst_zc_device_can_access_peer (0, 999, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_WRONG_DEVICE);
}

static void
run_stub (void)
{
  GstStructure *info = gst_zc_driver_info ();
  g_autoptr (GError) error = NULL;
  gint code;

  g_assert_true (gst_structure_get_int (info, "error-code", &code));
  g_assert_cmpint (code, ==, GST_ZC_ERROR_STUB_DRIVER);
  g_assert_null (gst_zc_device_info (0, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STUB_DRIVER);
  g_assert_cmpstr (error->message, ==,
      gst_structure_get_string (info, "error"));
  g_assert_nonnull (gst_structure_get_string (info, "path"));
  g_assert_false (gst_structure_has_field (info, "version"));
  gst_structure_free (info);
}

static void
test_stub (void)
{
  g_auto (GStrv) env =
      g_environ_setenv (g_get_environ (), "SOFTCUDA_MODE", "stub", TRUE);

  if (!have_device () || !softcuda_panel ()) {
    g_test_skip ("only softcuda can play the stub");
    return;
  }
  g_test_trap_subprocess_with_envp ("/device-info/stub/subprocess/run",
      (const gchar *const *) env, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/device-info/driver", test_driver);
  g_test_add_func ("/device-info/device", test_device);
  g_test_add_func ("/device-info/softcuda", test_softcuda);
  g_test_add_func ("/device-info/wrong-device", test_wrong_device);
  g_test_add_func ("/device-info/stub", test_stub);
  g_test_add_func ("/device-info/stub/subprocess/run", run_stub);
  return g_test_run ();
}
