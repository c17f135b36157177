/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Kinds of devices: older ones than the kernels are for, newer ones, those that
 * share the host's memory. cases.md 14, 69.
 *
 * softcuda reads what it is at its start, so each device is a child. */

#include <string.h>

#include "pipeline.h"
#include "pixels.h"
#include "softcuda-panel.h"

#define CHAIN "zcupload ! zcflip video-direction=90r ! zcdownload"

typedef struct
{
  const gchar *name;
  const gchar *variable, *value;
  gboolean refused;
} Kind;

static const Kind kinds[] = {
  { "sm_30", "SOFTCUDA_CAPABILITY", "30", TRUE },
  { "sm_70", "SOFTCUDA_CAPABILITY", "70", TRUE },
  /* the oldest one with code of its own */
  { "sm_75", "SOFTCUDA_CAPABILITY", "75" },
  { "sm_90", "SOFTCUDA_CAPABILITY", "90" },
  /* by PTX alone */
  { "sm_99", "SOFTCUDA_CAPABILITY", "990" },
  { "integrated", "SOFTCUDA_INTEGRATED", "1" },
};

static void
run_served (void)
{
  g_auto (RefFrame) frame = { 0 }, expected = { 0 };
  GstHarness *h = chain_new (CHAIN);
  GstBuffer *out;

  ref_frame_init (&frame, GST_VIDEO_FORMAT_NV12, 37, 23, REF_TIGHT);
  ref_frame_fill_random (&frame, pixel_seed ());
  ref_frame_init_turned (&expected, &frame, GST_VIDEO_ORIENTATION_90R,
      REF_TIGHT);
  ref_frame_flip (&expected, &frame, GST_VIDEO_ORIENTATION_90R);
  chain_set_size (h, GST_VIDEO_FORMAT_NV12, 37, 23);
  out = chain_run (h, pixel_buffer_default (&frame));
  pixel_assert (&expected, out, "turned");
  gst_buffer_unref (out);
  gst_harness_teardown (h);
}

/* One error, which says what the device is and what the build has. */
static void
run_refused (const gchar *name)
{
  g_autoptr (GError) error =
      pipeline_run_error ("videotestsrc num-buffers=1 ! " CHAIN " ! fakesink");

  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, name));
  g_assert_nonnull (strstr (error->message, "this build has"));
  /* What needs no kernel goes on. */
  pipeline_run ("videotestsrc num-buffers=1 ! zcupload ! zcdownload ! "
                "fakesink");
}

static void
run_kind (gconstpointer data)
{
  const Kind *kind = data;

  if (kind->refused)
    run_refused (kind->name);
  else
    run_served ();
}

static void
test_kind (gconstpointer data)
{
  const Kind *kind = data;
  g_autofree gchar *child =
      g_strdup_printf ("/kinds/%s/subprocess/run", kind->name);

  if (softcuda_panel () == NULL) {
    g_test_skip ("needs softcuda: a device is what it is");
    return;
  }
  g_setenv (kind->variable, kind->value, TRUE);
  g_test_trap_subprocess (child, 60 * G_USEC_PER_SEC,
      G_TEST_SUBPROCESS_DEFAULT);
  g_unsetenv (kind->variable);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  gst_init (&argc, &argv);

  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autofree gchar *path = g_strconcat ("/kinds/", kinds[i].name, NULL);
    g_autofree gchar *child = g_strconcat (path, "/subprocess/run", NULL);

    g_test_add_data_func (path, &kinds[i], test_kind);
    g_test_add_data_func (child, &kinds[i], run_kind);
  }
  return g_test_run ();
}
