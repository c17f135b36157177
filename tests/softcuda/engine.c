/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "engine.h"

#include <string.h>

#include "device.h"

#define MAX_SPANS 256

typedef struct
{
  int64_t start, end;
} Span;

/* Busy spans in order, none touching the next; the oldest are forgotten. */
typedef struct
{
  Span spans[MAX_SPANS];
  unsigned n;
  int64_t busy, forgotten; /* nothing is free before */
} Engine;

static Engine engines[SC_MAX_DEVICES][SC_N_ENGINES];

static void
forget_first (Engine *engine)
{
  engine->forgotten = engine->spans[0].end;
  memmove (engine->spans, engine->spans + 1,
      --engine->n * sizeof *engine->spans);
}

static void
insert (Engine *engine, unsigned at, Span span)
{
  memmove (engine->spans + at + 1, engine->spans + at,
      (engine->n - at) * sizeof span);
  engine->spans[at] = span;
  engine->n++;
}

static void
join_next (Engine *engine, unsigned at)
{
  Span *span = &engine->spans[at];

  if (at + 1 >= engine->n || span->end < span[1].start)
    return;
  span->end = span[1].end;
  memmove (span + 1, span + 2, (engine->n - at - 2) * sizeof *span);
  engine->n--;
}

static int64_t
latest (int64_t a, int64_t b)
{
  return a > b ? a : b;
}

/* The first gap of @cost from *@start on is before span @return. */
static unsigned
find_gap (const Engine *engine, int64_t *start, int64_t cost)
{
  unsigned at = 0;

  *start = latest (*start, engine->forgotten);
  while (at < engine->n && engine->spans[at].start < *start + cost)
    *start = latest (*start, engine->spans[at++].end);
  return at;
}

int64_t
sc_engine_take (int device, ScEngine which, int64_t ready, int64_t cost)
{
  Engine *engine;
  int64_t start = ready;
  unsigned at;

  if (which == SC_ENGINE_NONE || cost == 0)
    return ready + cost;
  engine = &engines[device][which];
  if (engine->n == MAX_SPANS)
    forget_first (engine);
  at = find_gap (engine, &start, cost);
  insert (engine, at, (Span) { start, start + cost });
  join_next (engine, at);
  if (at > 0)
    join_next (engine, at - 1);
  engine->busy += cost;
  return start + cost;
}

int64_t
sc_engine_busy (ScEngine engine)
{
  int64_t busy = 0;

  for (int i = 0; i < SC_MAX_DEVICES; i++)
    busy = latest (busy, engines[i][engine].busy);
  return busy;
}

void
sc_engine_reset (void)
{
  memset (engines, 0, sizeof engines);
}
