/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Vector clocks. An actor is a stream; an operation happens before another one
 * if the other's clock covers it. */

#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct
{
  uint64_t *ticks; /* by actor; what lies past @n is 0 */
  unsigned n;
} ScClock;

void sc_clock_join (ScClock *clock, const ScClock *other);
void sc_clock_set (ScClock *clock, unsigned actor, uint64_t tick);
uint64_t sc_clock_tick (ScClock *clock, unsigned actor);
uint64_t sc_clock_get (const ScClock *clock, unsigned actor);
/* Whether @clock has seen tick @tick of @actor. */
bool sc_clock_covers (const ScClock *clock, unsigned actor, uint64_t tick);
void sc_clock_clear (ScClock *clock);
