/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the host orders by waiting, and which bytes count. */

#include "racecases.h"

#define LARGE ((gsize) 32 << 20) /* never staged */
#define PITCH 64
#define ROWS 16

static void
host_waits (Race *race)
{
  race_write (race, race->a);
  if (race->barrier)
    OK (cuStreamSynchronize (race->a));
  race_read (race, race->b);
}

static void
host_waits_for_context (Race *race)
{
  race_write (race, race->a);
  if (race->barrier)
    OK (cuCtxSynchronize ());
  race_read (race, race->b);
}

/* That it is over is no order: the host has to have seen it. */
static void
host_asks (Race *race)
{
  race_write (race, race->a);
  OK (cuEventRecord (race->event, race->a));
  if (!race->barrier)
    panel->delay (race->b, 0);
  while (race->barrier && cu.cuEventQuery (race->event) != CUDA_SUCCESS)
    g_thread_yield ();
  race_read (race, race->b);
}

static gpointer
wait_elsewhere (gpointer data)
{
  OK (cuEventSynchronize (data));
  return NULL;
}

static void
other_thread_waits (Race *race)
{
  race_write (race, race->a);
  OK (cuEventRecord (race->event, race->a));
  if (race->barrier)
    g_thread_join (g_thread_new ("waits", wait_elsewhere, race->event));
  race_read (race, race->b);
}

static void
blocking_download (Race *race)
{
  guint8 bytes[RACE_SIZE];

  race_write (race, race->a);
  if (race->barrier)
    OK (cuMemcpyDtoHAsync (bytes, race->memory, RACE_SIZE, race->a));
  race_read (race, race->b);
}

static void
say_so (void *data)
{
  g_atomic_int_set ((gint *) data, TRUE);
}

static void
host_function (Race *race)
{
  gint said = FALSE;

  race_write (race, race->a);
  if (race->barrier)
    OK (cuLaunchHostFunc (race->a, say_so, &said));
  while (race->barrier && !g_atomic_int_get (&said))
    g_thread_yield ();
  race_read (race, race->b);
}

/* cuMemFree may wait for all, but promises nothing. */
static void
free_in_between (Race *race)
{
  CUdeviceptr other;

  OK (cuMemAlloc (&other, RACE_SIZE));
  race_write (race, race->a);
  OK (cuMemFree (other));
  if (race->barrier)
    OK (cuStreamSynchronize (race->a));
  race_read (race, race->b);
}

/* The call waits until it has read the source, not until the copy arrived. */
static void
pageable_upload (Race *race)
{
  g_autofree guint8 *source = g_malloc (LARGE);
  CUdeviceptr memory;

  OK (cuMemAlloc (&memory, LARGE));
  OK (cuMemcpyHtoDAsync (memory, source, LARGE, race->a));
  race_order (race, race->a, race->b);
  OK (cuMemcpyDtoDAsync (race->result, memory, RACE_SIZE, race->b));
  OK (cuCtxSynchronize ());
  OK (cuMemFree (memory));
}

/* A source that is written again before its upload has run. */
static void
pinned_source (Race *race)
{
  OK (cuMemcpyHtoDAsync (race->memory, race->pinned, RACE_SIZE, race->a));
  race_order (race, race->a, race->b);
  OK (cuMemcpyDtoHAsync (race->pinned, race->result, RACE_SIZE, race->b));
}

static void
host_reads (Race *race)
{
  OK (cuMemcpyDtoHAsync (race->pinned, race->memory, RACE_SIZE, race->a));
  if (race->barrier)
    OK (cuStreamSynchronize (race->a));
  panel->host_access (race->pinned, RACE_SIZE, FALSE);
}

static void
host_writes (Race *race)
{
  OK (cuMemcpyHtoDAsync (race->memory, race->pinned, RACE_SIZE, race->a));
  if (race->barrier)
    OK (cuStreamSynchronize (race->a));
  panel->host_access (race->pinned, 1, TRUE);
}

/* Freeing waits for the memory's own context only. */
static void
free_of_other_context (Race *race)
{
  CUdeviceptr memory;
  CUcontext other;

  OK (create_context (&other, 0, 0));
  OK (cuMemAlloc (&memory, RACE_SIZE));
  OK (cuCtxSetCurrent (race->scene->ctx));
  OK (cuMemcpyDtoHAsync (race->pinned, memory, RACE_SIZE, race->a));
  if (race->barrier)
    OK (cuStreamSynchronize (race->a));
  OK (cuCtxSetCurrent (other));
  OK (cuMemFree (memory));
  OK (cuCtxDestroy (other));
  OK (cuCtxSetCurrent (race->scene->ctx));
}

/* Where it waits for nothing, all work must be known to be over. */
static void
free_that_does_not_wait (Race *race)
{
  CUdeviceptr memory;

  panel->set_free_mode (1);
  OK (cuMemAlloc (&memory, RACE_SIZE));
  OK (cuMemsetD8Async (memory, 1, RACE_SIZE, race->a));
  while (*(guint8 *) panel->host_view (memory) != 1)
    g_thread_yield ();
  if (race->barrier)
    OK (cuStreamSynchronize (race->a));
  OK (cuMemFree (memory));
  panel->set_free_mode (0);
}

/* Copies @width columns from column @first on out of rows of PITCH bytes. */
static void
copy_columns (Race *race, gsize first, gsize width, CUstream stream)
{
  CUDA_MEMCPY2D copy = { .srcMemoryType = CU_MEMORYTYPE_DEVICE,
    .srcDevice = race->result,
    .srcPitch = width,
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstDevice = race->memory + first,
    .dstPitch = PITCH,
    .WidthInBytes = width,
    .Height = ROWS };

  OK (cuMemcpy2DAsync (&copy, stream));
}

/* Rows that lie between each other's. */
static void
side_by_side (Race *race)
{
  copy_columns (race, 0, PITCH / 2, race->a);
  copy_columns (race, PITCH / 2 - !race->barrier, PITCH / 2, race->b);
}

static void
next_to_each_other (Race *race)
{
  OK (cuMemsetD8Async (race->memory, 1, 100, race->a));
  OK (cuMemsetD8Async (race->memory + 100 - !race->barrier, 2, 100, race->b));
}

const RaceCase race_host_cases[] = {
  { "host-waits", host_waits },
  { "host-waits-for-context", host_waits_for_context },
  { "host-asks", host_asks },
  { "other-thread-waits", other_thread_waits },
  { "blocking-download", blocking_download },
  { "host-function", host_function },
  { "free-in-between", free_in_between },
  { "pageable-upload", pageable_upload },
  { "pinned-source", pinned_source },
  { "host-reads", host_reads },
  { "host-writes", host_writes },
  { "free-of-other-context", free_of_other_context },
  { "free-that-does-not-wait", free_that_does_not_wait },
  { "side-by-side", side_by_side },
  { "next-to-each-other", next_to_each_other },
  { NULL },
};
