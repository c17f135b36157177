/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the host knows to be over. Each thread knows what it waited for; and
 * what any thread waited for is over for all, as the thread that goes on with
 * the memory was told by means that the driver does not see. */

#pragma once

#include "clock.h"

/* All with the lock held. This thread waited for what @clock covers. */
void sc_host_saw (const ScClock *clock);
/* Whether some thread did, for tick @tick of @actor. */
bool sc_host_knows (unsigned actor, uint64_t tick);
/* The last tick of @actor that some thread waited for. */
uint64_t sc_host_last (unsigned actor);

/* An actor for a new stream. One is used again, its ticks going on, once the
 * host knows all of its work to be over: clocks stay short. */
unsigned sc_actor_new (ScClock *clock);
void sc_actor_retire (unsigned actor, uint64_t last);
