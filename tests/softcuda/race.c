/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "race.h"

#include <stdlib.h>

#include "config.h"
#include "hostclock.h"
#include "racereport.h"
#include "thread.h"

#define MAX_PASTS 512 /* of one allocation; older ones are forgotten */

struct _ScRaceLog
{
  ScPast *items; /* oldest first */
  unsigned n, room;
};

static uint64_t count;

static void
report (const ScRace *race)
{
  count++;
  sc_race_report (race, count);
  if (sc_config ()->races == SC_RACES_ABORT)
    abort ();
}

static bool
is_over (const ScPast *past)
{
  return sc_host_knows (past->trace.actor, past->trace.tick);
}

/* What the host knows to be over is ordered before everything to come. */
static void
drop_known (ScRaceLog *log)
{
  unsigned kept = 0;

  for (unsigned i = 0; i < log->n; i++)
    if (!is_over (&log->items[i]))
      log->items[kept++] = log->items[i];
  log->n = kept;
}

/* Whoever races with @past races with @next too. */
static bool
is_replaced_by (const ScPast *past, const ScPast *next, const ScClock *clock)
{
  return (next->access.write || !past->access.write) &&
      sc_clock_covers (clock, past->trace.actor, past->trace.tick) &&
      sc_access_covers (&next->access, &past->access);
}

static void
drop_replaced (ScRaceLog *log, const ScPast *next, const ScClock *clock)
{
  unsigned kept = 0;

  for (unsigned i = 0; i < log->n; i++)
    if (!is_replaced_by (&log->items[i], next, clock))
      log->items[kept++] = log->items[i];
  log->n = kept;
}

static void
forget_oldest (ScRaceLog *log)
{
  for (unsigned i = 1; i < log->n; i++)
    log->items[i - 1] = log->items[i];
  log->n--;
}

static void
remember (ScRaceLog *log, const ScPast *past)
{
  if (log->n == MAX_PASTS)
    forget_oldest (log);
  if (log->n == log->room) {
    log->room = log->room ? 2 * log->room : 8;
    log->items = realloc (log->items, log->room * sizeof *log->items);
    if (!log->items)
      abort ();
  }
  log->items[log->n++] = *past;
}

static bool
is_race (const ScPast *past, const ScPast *next, const ScClock *clock)
{
  return (past->access.write || next->access.write) &&
      !sc_clock_covers (clock, past->trace.actor, past->trace.tick) &&
      sc_access_overlaps (&past->access, &next->access);
}

/* One report for two operations, however many planes they share. */
static void
compare (const ScBlock *block, const ScPast *next, const ScClock *clock)
{
  static uint64_t last_past, last_next;
  const ScRaceLog *log = block->past;

  for (unsigned i = 0; i < log->n; i++) {
    const ScPast *past = &log->items[i];
    if (!is_race (past, next, clock) ||
        (past->trace.seq == last_past && next->trace.seq == last_next))
      continue;
    last_past = past->trace.seq;
    last_next = next->trace.seq;
    report (&(ScRace) { block, past, next, clock });
  }
}

static ScRaceLog *
log_of (ScBlock *block)
{
  if (!block->past)
    block->past = calloc (1, sizeof *block->past);
  if (!block->past)
    abort ();
  return block->past;
}

static void
check_access (const ScOp *op, const ScAccess *access)
{
  ScPast next = { .access = *access, .trace = op->trace };
  ScBlock *block = sc_memory_find (access->start);
  ScRaceLog *log;

  if (!block || access->rows == 0 || access->width == 0)
    return;
  log = log_of (block);
  drop_known (log);
  compare (block, &next, &op->clock);
  drop_replaced (log, &next, &op->clock);
  remember (log, &next);
}

void
sc_race_check (const ScOp *op)
{
  if (sc_config ()->races == SC_RACES_OFF)
    return;
  for (unsigned i = 0; i < op->n_accesses; i++)
    check_access (op, &op->accesses[i]);
}

/* Freeing waits for the work of the memory's own context, as measured. */
static void
drop_awaited (const ScBlock *block)
{
  ScRaceLog *log = block->past;
  unsigned kept = 0;

  if (sc_config ()->free_mode != SC_FREE_WAITS)
    return;
  for (unsigned i = 0; i < log->n; i++)
    if (log->items[i].trace.ctx != block->ctx)
      log->items[kept++] = log->items[i];
  log->n = kept;
}

static void
check_host (const ScBlock *block, ScAccess access, bool frees)
{
  ScPast next = { .access = access, .frees = frees };

  sc_trace_init (&next.trace);
  sc_trace_note (&next.trace);
  drop_known (block->past);
  compare (block, &next, &sc_thread ()->clock);
}

void
sc_race_check_free (const ScBlock *block)
{
  ScAccess all = {
    .start = block->start, .width = block->size, .rows = 1, .write = true
  };

  if (!block->past || sc_config ()->races == SC_RACES_OFF)
    return;
  drop_awaited (block);
  check_host (block, all, true);
}

void
sc_race_check_host (uintptr_t start, size_t size, bool write)
{
  const ScBlock *block = sc_memory_find (start);
  ScAccess access = {
    .start = start, .width = size, .rows = 1, .write = write
  };

  if (block && block->past && sc_config ()->races != SC_RACES_OFF)
    check_host (block, access, false);
}

void
sc_race_forget (ScRaceLog *log)
{
  if (log)
    free (log->items);
  free (log);
}

uint64_t
sc_race_count (void)
{
  return count;
}

void
sc_race_reset (void)
{
  count = 0;
}
