/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

#include <glib.h>

#include "softcuda-panel.h"

/* The control panel of softcuda, or NULL after g_test_skip() on a real
 * driver. */
static inline const SoftcudaPanel *
cuda_test_panel (void)
{
  const SoftcudaPanel *panel = softcuda_panel ();

  if (!panel)
    g_test_skip ("needs the control panel of softcuda");
  return panel;
}
