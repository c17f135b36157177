/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "clock.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static atomic_uint actors;

unsigned
sc_clock_new_actor (void)
{
  return atomic_fetch_add (&actors, 1);
}

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

uint64_t
sc_clock_tick (ScClock *clock, unsigned actor)
{
  grow (clock, actor + 1);
  return ++clock->ticks[actor];
}

bool
sc_clock_covers (const ScClock *clock, unsigned actor, uint64_t tick)
{
  return actor < clock->n && clock->ticks[actor] >= tick;
}

void
sc_clock_clear (ScClock *clock)
{
  free (clock->ticks);
  *clock = (ScClock) { 0 };
}
