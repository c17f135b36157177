/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* One lock over all of the driver's state, and one condition: "something that
 * somebody may wait for has happened". */

#pragma once

#include <stdint.h>

void sc_lock (void);
void sc_unlock (void);

/* Both with the lock held. @deadline is a time of sc_now(), or INT64_MAX. */
void sc_wait (int64_t deadline);
void sc_wake (void);

/* Monotonic time in nanoseconds. */
int64_t sc_now (void);
