/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "device.h"

#include <dlfcn.h>

GstCudaContext *
test_context (void)
{
  g_autoptr (GError) error = NULL;
  GstCudaContext *context = gst_zc_context_new (0, &error);

  if (context != NULL)
    return context;
  if (g_getenv ("ZC_DRIVER") != NULL)
    g_error ("No device, but ZC_DRIVER is %s: %s", g_getenv ("ZC_DRIVER"),
        error->message);
  g_test_skip (error->message);
  return NULL;
}

static gboolean
load_panel (TestPanel *panel)
{
  gpointer driver = dlopen ("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);

  if (driver == NULL)
    return FALSE;
  *(gpointer *) &panel->get_counters = dlsym (driver, "softcuda_get_counters");
  *(gpointer *) &panel->get_outstanding =
      dlsym (driver, "softcuda_get_outstanding");
  *(gpointer *) &panel->delay = dlsym (driver, "softcuda_delay");
  *(gpointer *) &panel->fail = dlsym (driver, "softcuda_fail");
  *(gpointer *) &panel->fail_clear = dlsym (driver, "softcuda_fail_clear");
  return panel->get_counters && panel->get_outstanding && panel->delay &&
      panel->fail && panel->fail_clear;
}

const TestPanel *
test_panel (void)
{
  static TestPanel panel;

  if (load_panel (&panel))
    return &panel;
  g_test_skip ("needs the control panel of softcuda");
  return NULL;
}
