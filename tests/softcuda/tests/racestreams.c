/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What orders the work of streams, and what does not. */

#include "racecases.h"

void
race_write (Race *race, CUstream stream)
{
  OK (cuMemsetD8Async (race->memory, 7, RACE_SIZE, stream));
}

void
race_read (Race *race, CUstream stream)
{
  OK (cuMemcpyDtoDAsync (race->result, race->memory, RACE_SIZE, stream));
}

static void
wait_for (Race *race, CUstream from, CUstream to)
{
  OK (cuEventRecord (race->event, from));
  OK (cuStreamWaitEvent (to, race->event, 0));
}

void
race_order (Race *race, CUstream from, CUstream to)
{
  if (race->barrier)
    wait_for (race, from, to);
}

static void
read_after_write (Race *race)
{
  race_write (race, race->a);
  race_order (race, race->a, race->b);
  race_read (race, race->b);
}

static void
write_after_read (Race *race)
{
  race_read (race, race->a);
  race_order (race, race->a, race->b);
  race_write (race, race->b);
}

static void
write_after_write (Race *race)
{
  race_write (race, race->a);
  race_order (race, race->a, race->b);
  race_write (race, race->b);
}

/* The reader that is not waited for came first. */
static void
write_after_two_reads (Race *race)
{
  OK (cuMemcpyDtoHAsync (race->pinned, race->memory, RACE_SIZE,
      race->blocking));
  race_read (race, race->a);
  race_order (race, race->blocking, race->b);
  wait_for (race, race->a, race->b);
  race_write (race, race->b);
}

static void
recorded_too_early (Race *race)
{
  if (!race->barrier)
    OK (cuEventRecord (race->event, race->a));
  race_write (race, race->a);
  if (race->barrier)
    OK (cuEventRecord (race->event, race->a));
  OK (cuStreamWaitEvent (race->b, race->event, 0));
  race_read (race, race->b);
}

/* A wait is for what was recorded when it was queued. */
static void
recorded_again (Race *race)
{
  wait_for (race, race->a, race->b);
  race_write (race, race->a);
  OK (cuEventRecord (race->event, race->a));
  if (race->barrier)
    OK (cuStreamWaitEvent (race->b, race->event, 0));
  race_read (race, race->b);
}

static void
over_a_third_stream (Race *race)
{
  race_write (race, race->a);
  race_order (race, race->a, race->blocking);
  wait_for (race, race->blocking, race->b);
  race_read (race, race->b);
}

static void
legacy_after_stream (Race *race)
{
  race_write (race, race->barrier ? race->blocking : race->a);
  race_read (race, NULL);
}

static void
stream_after_legacy (Race *race)
{
  race_write (race, NULL);
  race_read (race, race->barrier ? race->blocking : race->b);
}

/* Two blocking streams are ordered by nothing but the legacy one's work. */
static void
legacy_between (Race *race)
{
  race_write (race, race->blocking);
  if (race->barrier)
    OK (cuMemsetD8Async (race->result, 0, 1, NULL));
  race_read (race, race->blocking_too);
}

static void
event_of_context (Race *race)
{
  race_write (race, race->a);
  if (race->barrier)
    OK (cuCtxRecordEvent (race->scene->ctx, race->event));
  OK (cuStreamWaitEvent (race->b, race->event, 0));
  race_read (race, race->b);
}

static void
other_context (Race *race)
{
  CUcontext other;
  CUstream stream;

  race_write (race, race->a);
  OK (create_context (&other, 0, 0));
  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  if (race->barrier) {
    OK (cuCtxSetCurrent (race->scene->ctx));
    OK (cuEventRecord (race->event, race->a));
    OK (cuCtxSetCurrent (other));
    OK (cuStreamWaitEvent (stream, race->event, 0));
  }
  race_read (race, stream);
  OK (cuCtxDestroy (other));
  OK (cuCtxSetCurrent (race->scene->ctx));
}

static void
destroyed_stream (Race *race)
{
  CUstream stream;

  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  race_write (race, stream);
  race_order (race, stream, race->b);
  OK (cuStreamDestroy (stream));
  race_read (race, race->b);
}

/* A new stream that may get the old one's handle is none the wiser. */
static void
handle_again (Race *race)
{
  CUstream stream, again;

  OK (cuStreamCreate (&stream, CU_STREAM_NON_BLOCKING));
  race_write (race, stream);
  if (race->barrier)
    OK (cuEventRecord (race->event, stream));
  OK (cuStreamDestroy (stream));
  OK (cuStreamCreate (&again, CU_STREAM_NON_BLOCKING));
  OK (cuStreamWaitEvent (again, race->event, 0));
  race_read (race, again);
  OK (cuStreamDestroy (again));
}

const RaceCase race_stream_cases[] = {
  { "read-after-write", read_after_write },
  { "write-after-read", write_after_read },
  { "write-after-write", write_after_write },
  { "write-after-two-reads", write_after_two_reads },
  { "recorded-too-early", recorded_too_early },
  { "recorded-again", recorded_again },
  { "over-a-third-stream", over_a_third_stream },
  { "legacy-after-stream", legacy_after_stream },
  { "stream-after-legacy", stream_after_legacy },
  { "legacy-between", legacy_between },
  { "event-of-context", event_of_context },
  { "other-context", other_context },
  { "destroyed-stream", destroyed_stream },
  { "handle-again", handle_again },
  { NULL },
};
