/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* cuda-device-id counts what CUDA_VISIBLE_DEVICES leaves, in its order, by
 * whatever name. cases.md 65. */

#include "devicetest.h"
#include "pixels.h"

#define VARIABLE "CUDA_VISIBLE_DEVICES"
#define EXPECTED "ZC_TEST_EXPECTED" /* UUIDs, in order */

/* In a process of its own. Its pictures are on the card with @uuid. */
static void
check_device (guint device, const gchar *uuid)
{
  g_autofree gchar *real = device_test_uuid (device);
  g_autofree gchar *launch = NULL;
  g_auto (RefFrame) frame = { 0 };
  g_autoptr (GstBuffer) seen = NULL;
  GstHarness *upload, *turn;
  GstBuffer *buffer;
  GstStructure *info;

  g_assert_cmpstr (real, ==, uuid);
  info = gst_zc_device_info (device, NULL);
  g_assert_cmpstr (gst_structure_get_string (info, "uuid"), ==, uuid);
  gst_structure_free (info);

  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, 48, 32, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  launch = g_strdup_printf ("zcupload cuda-device-id=%u", device);
  upload = chain_new (launch);
  chain_set_size (upload, frame.format, frame.width, frame.height);
  turn = chain_new ("zcflip video-direction=180 ! zcflip video-direction=180 ! "
                    "zcdownload");
  gst_harness_set_src_caps (turn,
      gst_caps_from_string ("video/x-raw(memory:CUDAMemory),format=NV12,"
                            "width=48,height=32,framerate=30/1"));
  buffer = chain_run (upload, pixel_buffer (&frame, TRUE));
  g_assert_cmpint (device_test_of (buffer), ==, device);
  seen = chain_run (turn, buffer);
  pixel_assert (&frame, seen, uuid);
  gst_harness_teardown (upload);
  gst_harness_teardown (turn);
}

static void
run_visible (void)
{
  g_auto (GStrv) expected = g_strsplit (g_getenv (EXPECTED), " ", -1);
  guint n = g_strv_length (expected);
  GstZcError code = n ? GST_ZC_ERROR_WRONG_DEVICE : GST_ZC_ERROR_NO_DEVICE;
  g_autoptr (GError) error = NULL;

  g_assert_cmpuint (device_test_count (), ==, n);
  for (guint i = 0; i < n; i++)
    check_device (i, expected[i]);
  g_assert_null (gst_zc_context_new (n, &error));
  g_assert_error (error, GST_ZC_ERROR, (gint) code);
}

static void
expect (const gchar *visible, const gchar *uuids)
{
  g_auto (GStrv) env =
      g_environ_setenv (g_get_environ (), VARIABLE, visible, TRUE);

  env = g_environ_setenv (env, EXPECTED, uuids, TRUE);
  g_test_message ("%s=%s: %s", VARIABLE, visible, uuids);
  g_test_trap_subprocess_with_envp ("/visible/subprocess/run",
      (const gchar *const *) env, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

/* FALSE, and skipped, where fewer can be seen or this process sees not all. */
static gboolean
have (guint needed)
{
  if (g_getenv (VARIABLE) != NULL) {
    g_test_skip (VARIABLE " is set already");
    return FALSE;
  }
  return device_test_have (needed);
}

static void
test_one (void)
{
  g_autofree gchar *first = NULL, *half = NULL;

  if (!have (1))
    return;
  first = device_test_uuid (0);
  half = g_strndup (first, strlen ("GPU-01234567-0123"));
  expect ("0", first);
  expect ("0,99", first);
  expect (first, first);
  expect (half, first);
}

static void
test_none (void)
{
  if (!have (1))
    return;
  expect ("", "");
  expect ("-1", "");
}

static void
test_two (void)
{
  g_autofree gchar *first = NULL, *second = NULL, *swapped = NULL;
  g_autofree gchar *by_uuid = NULL, *by_prefix = NULL;

  if (!have (2))
    return;
  first = device_test_uuid (0);
  second = device_test_uuid (1);
  swapped = g_strdup_printf ("%s %s", second, first);
  by_uuid = g_strdup_printf ("%s,%s", second, first);
  by_prefix = g_strdup_printf ("%.12s,%.12s", second, first);
  expect ("1", second);
  expect ("1,0", swapped);
  expect ("1,99,0", second);
  expect (second, second);
  expect (by_uuid, swapped);
  expect (by_prefix, swapped);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  g_test_add_func ("/visible/one", test_one);
  g_test_add_func ("/visible/none", test_none);
  g_test_add_func ("/visible/two", test_two);
  g_test_add_func ("/visible/subprocess/run", run_visible);
  return g_test_run ();
}
