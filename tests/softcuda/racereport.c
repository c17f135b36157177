/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "racereport.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "config.h"
#include "hostclock.h"
#include "report.h"

#define MAX_PLACES 128
#define TIMELINE 24 /* lines at most */

typedef struct
{
  const void *earlier, *later; /* callers */
  const char *earlier_call, *later_call;
} Places;

static Places places[MAX_PLACES];
static unsigned n_places;

static bool
are_known (Places new)
{
  for (unsigned i = 0; i < n_places; i++)
    if (!memcmp (&places[i], &new, sizeof new))
      return true;
  if (n_places < MAX_PLACES)
    places[n_places++] = new;
  return false;
}

unsigned
sc_race_places (void)
{
  return n_places;
}

static void
print_frame (const char *head, void *frame)
{
  Dl_info info;

  if (!frame || !dladdr (frame, &info) || !info.dli_fname) {
    fprintf (stderr, "%s%p\n", head, frame);
    return;
  }
  fprintf (stderr, "%s%s+%#zx", head, info.dli_fname,
      (size_t) ((char *) frame - (char *) info.dli_fbase));
  if (info.dli_sname)
    fprintf (stderr, " (%s+%#zx)", info.dli_sname,
        (size_t) ((char *) frame - (char *) info.dli_saddr));
  fputc ('\n', stderr);
}

static void
print_call (const ScTrace *trace)
{
  fputs (trace->call, stderr);
  if (trace->kernel)
    fprintf (stderr, " of %s", trace->kernel);
}

static void
print_stream (const ScTrace *trace)
{
  fprintf (stderr, "stream %llu", (unsigned long long) trace->stream);
}

static const char *
kind_of_stream (const ScTrace *trace)
{
  return trace->legacy  ? "legacy"
      : trace->blocking ? "blocking"
                        : "non-blocking";
}

static void
print_thread (const ScTrace *trace)
{
  fprintf (stderr, "thread %u \"%s\"", trace->thread, trace->thread_name);
}

static void
print_bytes (const ScAccess *access, const ScBlock *block)
{
  size_t first = access->start - block->start;

  if (access->rows == 1)
    fprintf (stderr, "bytes %zu to %zu", first, first + access->width - 1);
  else
    fprintf (stderr, "%zu rows of %zu bytes, %zu apart, from byte %zu on",
        access->rows, access->width, access->pitch, first);
}

static void
print_side (const char *head, const ScPast *side, const ScBlock *block)
{
  const ScTrace *trace = &side->trace;

  fprintf (stderr, "  %s  [%llu] %s by ", head, (unsigned long long) trace->seq,
      side->frees              ? "freed"
          : side->access.write ? "written"
                               : "read");
  print_call (trace);
  if (trace->stream)
    fprintf (stderr, ", operation %llu of stream %llu (%s, context %p)",
        (unsigned long long) trace->tick, (unsigned long long) trace->stream,
        kind_of_stream (trace), (void *) trace->ctx);
  fputs ("\n             ", stderr);
  print_bytes (&side->access, block);
  fputs ("\n             in ", stderr);
  print_thread (trace);
  fputc ('\n', stderr);
  for (int i = 0; i < SC_TRACE_FRAMES && trace->frames[i]; i++)
    print_frame (i ? "             by   " : "             from ",
        trace->frames[i]);
}

static const char *
kind_of_memory (const ScBlock *block)
{
  switch (block->kind) {
    case SC_MEMORY_PINNED:
      return "pinned memory";
    case SC_MEMORY_REGISTERED:
      return "registered host memory";
    case SC_MEMORY_IMPORTED:
      return "another process' memory";
    default:
      return "device memory";
  }
}

/* How far into the stream of @past somebody can see who knows tick @known. */
static void
print_knowledge (const char *who, const ScTrace *past, uint64_t known)
{
  const ScTrace *last = known ? sc_trace_find (past->stream, known) : NULL;

  fprintf (stderr, "  order    %s ", who);
  if (known == 0) {
    fprintf (stderr, "never waited for stream %llu\n",
        (unsigned long long) past->stream);
    return;
  }
  fprintf (stderr, "waited for stream %llu up to operation %llu",
      (unsigned long long) past->stream, (unsigned long long) known);
  if (last) {
    fputs (" (", stderr);
    print_call (last);
    fputc (')', stderr);
  }
  fprintf (stderr, ", %llu before this one\n",
      (unsigned long long) (past->tick - known));
}

static void
print_order (const ScRace *race)
{
  const ScTrace *past = &race->earlier->trace;
  const ScTrace *next = &race->later->trace;
  uint64_t known = sc_clock_get (race->clock, past->actor);
  char who[64];

  if (next->stream)
    snprintf (who, sizeof who, "stream %llu",
        (unsigned long long) next->stream);
  else
    snprintf (who, sizeof who, "thread %u", next->thread);
  print_knowledge (who, past, known);
  print_knowledge ("the host", past, sc_host_last (past->actor));
}

static void
print_moment (const ScTrace *moment)
{
  fprintf (stderr, "    [%llu] ", (unsigned long long) moment->seq);
  print_thread (moment);
  fputs (": ", stderr);
  if (moment->stream) {
    print_stream (moment);
    fprintf (stderr, ", operation %llu: ", (unsigned long long) moment->tick);
  }
  print_call (moment);
  if (moment->of_stream)
    fprintf (stderr, " for operation %llu of stream %llu",
        (unsigned long long) moment->of_tick,
        (unsigned long long) moment->of_stream);
  fputc ('\n', stderr);
}

static bool
concerns (const ScTrace *moment, const ScRace *race)
{
  uint64_t earlier = race->earlier->trace.stream;
  uint64_t later = race->later->trace.stream;

  if (moment->stream)
    return moment->stream == earlier || moment->stream == later;
  return moment->of_stream == earlier || (later && moment->of_stream == later);
}

/* What the two streams and those who waited for them did, from shortly before
 * the first access to the second. */
static void
print_timeline (const ScRace *race)
{
  uint64_t position = race->earlier->trace.seq, from;
  const ScTrace *moment;
  int n = 0;

  from = position = position > 8 ? position - 8 : 1;
  while ((moment = sc_trace_next (&position)))
    n += concerns (moment, race);
  fprintf (stderr, "  timeline of what concerns the two\n");
  for (position = from; (moment = sc_trace_next (&position));) {
    if (!concerns (moment, race))
      continue;
    if (n-- <= TIMELINE)
      print_moment (moment);
  }
}

static void
print (const ScRace *race, uint64_t number)
{
  const ScBlock *block = race->block;

  fprintf (stderr, "softcuda: race %llu: %s\n", (unsigned long long) number,
      sc_report_last ());
  fprintf (stderr, "  memory   %s of device %d at %#zx, %zu bytes\n",
      kind_of_memory (block), block->device, (size_t) block->start,
      block->size);
  print_side ("earlier", race->earlier, block);
  print_side ("later  ", race->later, block);
  print_order (race);
  print_timeline (race);
}

static const char *
verb (const ScPast *side)
{
  return side->frees ? "frees" : side->access.write ? "writes" : "reads";
}

static void
summarize (const ScRace *race)
{
  const ScPast *earlier = race->earlier, *later = race->later;

  sc_report_quietly ("%s %s what %s %s, and nothing orders the two",
      later->trace.call, verb (later), earlier->trace.call, verb (earlier));
}

void
sc_race_report (const ScRace *race, uint64_t number)
{
  const ScTrace *earlier = &race->earlier->trace;
  const ScTrace *later = &race->later->trace;
  Places pair = { earlier->frames[0], later->frames[0], earlier->call,
    later->call };

  summarize (race);
  if (sc_config ()->races >= SC_RACES_REPORT && !are_known (pair))
    print (race, number);
}
