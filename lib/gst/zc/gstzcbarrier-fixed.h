/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

static inline gboolean
zc_barrier_holds (ZcBarrier barrier)
{
  return TRUE;
}
