/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "hostclock.h"

#include <stdlib.h>

#include "thread.h"

typedef struct
{
  unsigned actor;
  uint64_t last;
} Retired;

static ScClock seen;
static Retired *retired;
static unsigned n_retired, room, n_actors;

void
sc_host_saw (const ScClock *clock)
{
  sc_clock_join (&sc_thread ()->clock, clock);
  sc_clock_join (&seen, clock);
}

bool
sc_host_knows (unsigned actor, uint64_t tick)
{
  return sc_clock_covers (&seen, actor, tick);
}

uint64_t
sc_host_last (unsigned actor)
{
  return sc_clock_get (&seen, actor);
}

unsigned
sc_actor_new (ScClock *clock)
{
  for (unsigned i = 0; i < n_retired; i++) {
    Retired old = retired[i];
    if (old.last > 0 && !sc_host_knows (old.actor, old.last))
      continue;
    retired[i] = retired[--n_retired];
    sc_clock_set (clock, old.actor, old.last);
    return old.actor;
  }
  return n_actors++;
}

void
sc_actor_retire (unsigned actor, uint64_t last)
{
  if (n_retired == room) {
    room = room ? 2 * room : 16;
    retired = realloc (retired, room * sizeof *retired);
    if (!retired)
      abort ();
  }
  retired[n_retired++] = (Retired) { actor, last };
}
