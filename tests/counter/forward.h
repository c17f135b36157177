/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Private to the forwarding libcuda.so.1: one entry for each function of the
 * driver, all in one order; behind them spare ones, for functions that only
 * cuGetProcAddress () knows. */

#pragma once

#pragma GCC visibility push(hidden)
extern const char *forward_names[]; /* of a spare one NULL, until it is taken */
extern const unsigned forward_n, forward_n_spares;
extern unsigned long forward_counts[];
extern void *forward_slots[]; /* of the driver behind */
extern void *const forward_jumps[]; /* ours, which count */
#pragma GCC visibility pop
