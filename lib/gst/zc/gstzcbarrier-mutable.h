/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* FALSE for the one that GST_ZC_MUTATE names. */
gboolean zc_barrier_holds (ZcBarrier barrier);
