/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Private to the forwarding libcuda.so.1: one entry for each function of the
 * driver, all in one order. */

#pragma once

#pragma GCC visibility push(hidden)
extern const char *const forward_names[];
extern const unsigned forward_n;
extern unsigned long forward_counts[];
extern void *forward_slots[]; /* of the driver behind */
#pragma GCC visibility pop
