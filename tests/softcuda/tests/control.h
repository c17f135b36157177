/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Tests of softcuda itself: a scene of driver.h with the control panel. */

#pragma once

#include "driver.h"
#include "softcuda-panel.h"

extern const SoftcudaPanel *panel;

/* As those of driver.h; skipped on a real driver. Counters start at 0 and
 * nothing is told to fail. */
void control_set_up (Scene *scene, gconstpointer data);
/* Nothing may be left over. */
void control_tear_down (Scene *scene, gconstpointer data);

guint64 control_errors (void);

#define ADD_CONTROL_TEST(path, func)                                           \
  g_test_add (path, Scene, NULL, control_set_up, func, control_tear_down)

/* Runs the test @path in a process with @variable set to @value. */
void control_run_with (const char *path, const char *variable,
    const char *value);
