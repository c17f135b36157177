/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "clock.h"

#include <stdlib.h>
#include <string.h>

static void
grow (ScClock *clock, unsigned n)
{
  if (n <= clock->n)
    return;
  clock->ticks = realloc (clock->ticks, n * sizeof *clock->ticks);
  if (!clock->ticks)
    abort ();
  memset (clock->ticks + clock->n, 0, (n - clock->n) * sizeof *clock->ticks);
  clock->n = n;
}

void
sc_clock_join (ScClock *clock, const ScClock *other)
{
  grow (clock, other->n);
  for (unsigned i = 0; i < other->n; i++)
    if (clock->ticks[i] < other->ticks[i])
      clock->ticks[i] = other->ticks[i];
}

void
sc_clock_set (ScClock *clock, unsigned actor, uint64_t tick)
{
  grow (clock, actor + 1);
  clock->ticks[actor] = tick;
}

uint64_t
sc_clock_tick (ScClock *clock, unsigned actor)
{
  grow (clock, actor + 1);
  return ++clock->ticks[actor];
}

uint64_t
sc_clock_get (const ScClock *clock, unsigned actor)
{
  return actor < clock->n ? clock->ticks[actor] : 0;
}

bool
sc_clock_covers (const ScClock *clock, unsigned actor, uint64_t tick)
{
  return sc_clock_get (clock, actor) >= tick;
}

void
sc_clock_clear (ScClock *clock)
{
  free (clock->ticks);
  *clock = (ScClock) { 0 };
}
