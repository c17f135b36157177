/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "control.h"

const SoftcudaPanel *panel;

static SoftcudaOutstanding before;

guint64
control_errors (void)
{
  SoftcudaCounters counters;

  panel->get_counters (&counters);
  return counters.errors;
}

void
control_set_up (Scene *scene, gconstpointer data)
{
  panel = softcuda_panel ();
  if (!panel) {
    g_test_skip ("needs the control panel of softcuda");
    return;
  }
  panel->get_outstanding (&before);
  scene_set_up (scene, data);
  panel->reset_counters ();
}

void
control_tear_down (Scene *scene, gconstpointer data)
{
  SoftcudaOutstanding after;

  NEEDS (scene);
  panel->fail_clear ();
  scene_tear_down (scene, data);
  panel->get_outstanding (&after);
  g_assert_cmpmem (&after, sizeof after, &before, sizeof before);
}

void
control_run_with (const char *path, const char *variable, const char *value)
{
  g_auto (GStrv) env =
      g_environ_setenv (g_get_environ (), variable, value, TRUE);

  g_test_trap_subprocess_with_envp (path, (const char *const *) env, 0,
      G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}
