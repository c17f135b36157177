/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Each rule of order, with a barrier and without: the race is found when the
 * barrier is missing, whatever ran first and even if the bytes come out right,
 * and nothing is said when it is there. */

#include "flipfatbin.h"
#include "racecases.h"

#include <glib/gstdio.h>
#include <string.h>

static void
set_up (Race *race, const Scene *scene)
{
  race->scene = scene;
  race->a = scene->stream;
  race->b = scene->other;
  OK (cuStreamCreate (&race->blocking, 0));
  OK (cuStreamCreate (&race->blocking_too, 0));
  OK (cuMemAlloc (&race->memory, RACE_SIZE));
  OK (cuMemAlloc (&race->result, RACE_SIZE));
  OK (cuMemHostAlloc ((void **) &race->pinned, RACE_SIZE, 0));
  OK (cuEventCreate (&race->event, CU_EVENT_DISABLE_TIMING));
}

static void
tear_down (Race *race)
{
  OK (cuCtxSynchronize ());
  OK (cuEventDestroy (race->event));
  OK (cuMemFreeHost (race->pinned));
  OK (cuMemFree (race->result));
  OK (cuMemFree (race->memory));
  OK (cuStreamDestroy (race->blocking_too));
  OK (cuStreamDestroy (race->blocking));
}

static guint64
races_of (const RaceCase *one, const Scene *scene, gboolean barrier)
{
  Race race = { .barrier = barrier };
  guint64 before = panel->race_count ();

  set_up (&race, scene);
  one->run (&race);
  tear_down (&race);
  return panel->race_count () - before;
}

static void
test_case (Scene *scene, gconstpointer data)
{
  static const char *const policies[] = { "eager", "lazy", "random" };

  NEEDS (scene);
  panel->set_races ("count");
  for (guint i = 0; i < G_N_ELEMENTS (policies); i++) {
    panel->set_policy (policies[i]);
    g_assert_cmpuint (races_of (data, scene, FALSE), ==, 1);
    g_assert_cmpuint (control_errors (), ==, 1);
    g_assert_cmpuint (races_of (data, scene, TRUE), ==, 0);
    panel->reset_counters ();
  }
  panel->set_policy ("lazy");
}

/* What was read is right, by luck; the race is found all the same. */
static void
test_right_bytes (Scene *scene, gconstpointer data)
{
  Race race = { 0 };

  NEEDS (scene);
  panel->set_races ("count");
  panel->set_policy ("eager");
  set_up (&race, scene);
  race_write (&race, race.a);
  race_read (&race, race.b);
  g_assert_cmpuint (*(guint8 *) panel->host_view (race.result), ==, 7);
  g_assert_cmpuint (panel->race_count (), ==, 1);
  tear_down (&race);
  panel->set_policy ("lazy");
}

/* Each frame's pair counts; who only reads races with nobody. */
static void
test_counted (Scene *scene, gconstpointer data)
{
  Race race = { 0 };

  NEEDS (scene);
  panel->set_races ("count");
  set_up (&race, scene);
  for (int i = 0; i < 10; i++) {
    race_read (&race, race.a);
    OK (cuMemcpyDtoHAsync (race.pinned, race.memory, RACE_SIZE, race.b));
  }
  g_assert_cmpuint (panel->race_count (), ==, 0);
  for (int i = 1; i <= 10; i++) {
    OK (cuCtxSynchronize ());
    race_write (&race, race.a);
    race_read (&race, race.b);
    g_assert_cmpuint (panel->race_count (), ==, i);
  }
  tear_down (&race);
}

static void
race_once (Scene *scene, gconstpointer data)
{
  Race race = { 0 };

  NEEDS (scene);
  set_up (&race, scene);
  OK (cuEventRecord (race.event, race.a));
  OK (cuStreamWaitEvent (race.b, race.event, 0));
  race_write (&race, race.a);
  race_read (&race, race.b);
  tear_down (&race);
}

static void
run_once (const char *mode, const char *report)
{
  g_auto (GStrv) env =
      g_environ_setenv (g_get_environ (), "SOFTCUDA_RACES", mode, TRUE);

  env = g_environ_setenv (env, "SOFTCUDA_REPORT", report, TRUE);
  g_test_trap_subprocess_with_envp ("/softcuda/races/subprocess/once",
      (const char *const *) env, 0, G_TEST_SUBPROCESS_DEFAULT);
}

static void
test_modes (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  run_once ("abort", "");
  g_test_trap_assert_failed ();
  run_once ("off", "");
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr_unmatched ("*race*");
}

static void
test_report (Scene *scene, gconstpointer data)
{
  NEEDS (scene);
  run_once ("report", "");
  g_test_trap_assert_passed ();
  g_test_trap_assert_stderr (
      "*softcuda: race 1: cuMemcpyDtoDAsync_v2 reads what cuMemsetD8Async "
      "writes*device memory of device 0*4096 bytes*written by cuMemsetD8Async, "
      "operation 2 of stream *non-blocking*bytes 0 to 4095*softcuda-races*"
      "read by cuMemcpyDtoDAsync_v2*waited for stream * up to operation 1 "
      "(cuEventRecord), 1 before this one*the host never waited*timeline*"
      "cuStreamWaitEvent for operation 1*");
}

static void
test_report_file (Scene *scene, gconstpointer data)
{
  g_autofree char *path = NULL;
  g_autofree char *text = NULL;

  NEEDS (scene);
  g_assert_true (g_close (g_file_open_tmp ("softcuda-XXXXXX", &path, NULL),
      NULL));
  run_once ("count", path);
  g_test_trap_assert_passed ();
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_unlink (path);
  g_assert_nonnull (strstr (text, "program=softcuda-races "));
  g_assert_nonnull (strstr (text, " errors=1 races=1\n"));
}

static void
add_cases (const RaceCase *cases)
{
  for (const RaceCase *one = cases; one->name; one++) {
    g_autofree char *path = g_strdup_printf ("/softcuda/races/%s", one->name);
    g_test_add (path, Scene, one, control_set_up, test_case, control_tear_down);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  add_cases (race_stream_cases);
  add_cases (race_host_cases);
  if (zc_flip_fatbin_size > 0)
    add_cases (race_kernel_cases);
  ADD_CONTROL_TEST ("/softcuda/races/right-bytes", test_right_bytes);
  ADD_CONTROL_TEST ("/softcuda/races/counted", test_counted);
  ADD_CONTROL_TEST ("/softcuda/races/modes", test_modes);
  ADD_CONTROL_TEST ("/softcuda/races/report", test_report);
  ADD_CONTROL_TEST ("/softcuda/races/report-file", test_report_file);
  ADD_CONTROL_TEST ("/softcuda/races/subprocess/once", race_once);
  return g_test_run ();
}
