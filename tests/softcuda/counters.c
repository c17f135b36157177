/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "counters.h"

static SoftcudaCounters counters;

SoftcudaCounters *
sc_counters (void)
{
  return &counters;
}
