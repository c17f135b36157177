/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Which calls a neighbour's capture survives: each call, from the capturing
 * thread and from another one, in each mode of either, while a blocking and
 * while a non-blocking stream is being captured. */

#include "driver.h"

#define SIZE ((gsize) 4096)

/* What a call is, so what a capture makes of it. */
typedef enum
{
  PLAIN = 0,
  UNSAFE = 1 << 0,  /* in CUDA's words, "potentially unsafe" */
  LEGACY = 1 << 1,  /* uses the legacy stream */
  CONTEXT = 1 << 2, /* is about all streams of the context */
  OF_IT = 1 << 3,   /* waits for, or asks, the stream that is captured */
  TELLS = 1 << 4,   /* asks the legacy stream if it is being captured */
} Kind;

/* What the calls work with. */
typedef struct
{
  CUcontext ctx;
  CUstream own, blocking; /* not captured */
  CUstream captured;
  CUevent recorded, fresh, scratch;
  CUdeviceptr memory;
  guint8 *host;
} Props;

typedef struct
{
  const char *name;
  Kind kind;
  CUresult (*call) (const Props *props);
  CUresult otherwise; /* the answer where no capture is in the way */
} Row;

#define CALL(name, expr)                                                       \
  static CUresult name (const Props *p)                                        \
  {                                                                            \
    return cu.expr;                                                            \
  }

static CUstreamCaptureStatus status;
static CUevent event;
static CUstream stream;
static CUdeviceptr address;
static void *pinned;
static gsize first, second;
static unsigned flags;
static unsigned long long id;
static CUcontext ctx;

CALL (is_capturing_legacy, cuStreamIsCapturing (CU_STREAM_LEGACY, &status))
CALL (is_capturing_own, cuStreamIsCapturing (p->own, &status))
CALL (is_capturing_it, cuStreamIsCapturing (p->captured, &status))
CALL (query_legacy, cuStreamQuery (NULL))
CALL (query_own, cuStreamQuery (p->own))
CALL (query_it, cuStreamQuery (p->captured))
CALL (wait_legacy, cuStreamSynchronize (NULL))
CALL (wait_own, cuStreamSynchronize (p->blocking))
CALL (wait_it, cuStreamSynchronize (p->captured))
CALL (wait_context, cuCtxSynchronize ())
CALL (query_event, cuEventQuery (p->recorded))
CALL (query_fresh, cuEventQuery (p->fresh))
CALL (wait_event, cuEventSynchronize (p->recorded))
CALL (record_legacy, cuEventRecord (p->scratch, CU_STREAM_LEGACY))
CALL (record_own, cuEventRecord (p->scratch, p->own))
CALL (record_blocking, cuEventRecord (p->scratch, p->blocking))
CALL (record_context, cuCtxRecordEvent (p->ctx, p->scratch))
CALL (record_nothing, cuCtxRecordEvent (p->ctx, NULL))
CALL (context_waits, cuCtxWaitEvent (p->ctx, p->fresh))
CALL (legacy_waits, cuStreamWaitEvent (NULL, p->recorded, 0))
CALL (legacy_waits_fresh, cuStreamWaitEvent (NULL, p->fresh, 0))
CALL (own_waits, cuStreamWaitEvent (p->own, p->recorded, 0))
CALL (it_waits_fresh, cuStreamWaitEvent (p->captured, p->fresh, 0))
CALL (alloc_none, cuMemAlloc (&address, 0))
CALL (free_none, cuMemFree (0))
CALL (free_host_none, cuMemFreeHost (NULL))
CALL (host_alloc_none, cuMemHostAlloc (&pinned, 0, 0))
CALL (unregister_none, cuMemHostUnregister (p->host))
CALL (memory_info, cuMemGetInfo (&first, &second))
CALL (address_range, cuMemGetAddressRange (&address, &first, p->memory))
CALL (id_of_legacy, cuStreamGetId (CU_STREAM_LEGACY, &id))
CALL (id_of_it, cuStreamGetId (p->captured, &id))
CALL (flags_of_it, cuStreamGetFlags (p->captured, &flags))
CALL (id_of_own, cuStreamGetId (p->own, &id))
CALL (context_of_legacy, cuStreamGetCtx (CU_STREAM_LEGACY, &ctx))
CALL (flags_of_legacy, cuStreamGetFlags (CU_STREAM_LEGACY, &flags))
CALL (set_sync, cuMemsetD8 (p->memory, 1, 16))
CALL (set_legacy_none, cuMemsetD8Async (p->memory, 1, 0, NULL))
CALL (set_own, cuMemsetD8Async (p->memory, 1, 16, p->own))
CALL (set_blocking, cuMemsetD8Async (p->memory, 1, 16, p->blocking))
CALL (copy_sync, cuMemcpyDtoH (p->host, p->memory, 16))
CALL (copy_sync_none, cuMemcpyDtoH (p->host, p->memory, 0))
CALL (copy_own, cuMemcpyHtoDAsync (p->memory, p->host, 16, p->own))
CALL (unload_none, cuModuleUnload (NULL))
CALL (begin_legacy, cuStreamBeginCapture (NULL, CU_STREAM_CAPTURE_MODE_RELAXED))
CALL (host_func_none, cuLaunchHostFunc (NULL, NULL, NULL))
CALL (get_limit, cuCtxGetLimit (&first, CU_LIMIT_STACK_SIZE))

static CUresult
make_event (const Props *p)
{
  CUresult result = cu.cuEventCreate (&event, CU_EVENT_DISABLE_TIMING);

  return result == CUDA_SUCCESS ? cu.cuEventDestroy (event) : result;
}

static CUresult
make_stream (const Props *p)
{
  CUresult result = cu.cuStreamCreate (&stream, CU_STREAM_DEFAULT);

  return result == CUDA_SUCCESS ? cu.cuStreamDestroy (stream) : result;
}

static CUresult
alloc (const Props *p)
{
  CUresult result = cu.cuMemAlloc (&address, SIZE);

  return result == CUDA_SUCCESS ? cu.cuMemFree (address) : result;
}

static CUresult
alloc_pitch (const Props *p)
{
  CUresult result = cu.cuMemAllocPitch (&address, &first, 64, 4, 16);

  return result == CUDA_SUCCESS ? cu.cuMemFree (address) : result;
}

static CUresult
host_alloc (const Props *p)
{
  CUresult result = cu.cuMemHostAlloc (&pinned, SIZE, 0);

  return result == CUDA_SUCCESS ? cu.cuMemFreeHost (pinned) : result;
}

static CUresult
host_register (const Props *p)
{
  CUresult result = cu.cuMemHostRegister (p->host, SIZE, 0);

  return result == CUDA_SUCCESS ? cu.cuMemHostUnregister (p->host) : result;
}

static CUresult
set_limit (const Props *p)
{
  cu.cuCtxGetLimit (&first, CU_LIMIT_STACK_SIZE);
  return cu.cuCtxSetLimit (CU_LIMIT_STACK_SIZE, first);
}

#define ROW(call, kind) { #call, kind, call, CUDA_SUCCESS }
#define ERROR_ROW(call, kind, error) { #call, kind, call, CUDA_ERROR_##error }

static const Row rows[] = { ROW (is_capturing_legacy, TELLS),
  ROW (is_capturing_own, PLAIN), ROW (is_capturing_it, PLAIN),
  ROW (query_legacy, LEGACY | UNSAFE), ROW (query_own, UNSAFE),
  ROW (query_it, OF_IT), ROW (wait_legacy, LEGACY | UNSAFE),
  ROW (wait_own, UNSAFE), ROW (wait_it, OF_IT), ROW (wait_context, CONTEXT),
  ROW (query_event, UNSAFE), ROW (query_fresh, UNSAFE),
  ROW (wait_event, UNSAFE), ROW (record_legacy, LEGACY),
  ROW (record_own, PLAIN), ROW (record_blocking, PLAIN),
  ROW (record_context, CONTEXT),
  ERROR_ROW (record_nothing, PLAIN, INVALID_HANDLE),
  ROW (context_waits, CONTEXT), ROW (legacy_waits, LEGACY),
  ROW (legacy_waits_fresh, LEGACY), ROW (own_waits, PLAIN),
  ROW (it_waits_fresh, PLAIN), ERROR_ROW (alloc_none, UNSAFE, INVALID_VALUE),
  ROW (alloc, UNSAFE), ROW (alloc_pitch, UNSAFE), ROW (free_none, UNSAFE),
  ROW (free_host_none, UNSAFE), ROW (host_alloc_none, UNSAFE),
  ROW (host_alloc, UNSAFE), ROW (host_register, UNSAFE),
  ERROR_ROW (unregister_none, UNSAFE, HOST_MEMORY_NOT_REGISTERED),
  ROW (memory_info, PLAIN), ROW (address_range, PLAIN), ROW (id_of_it, OF_IT),
  ROW (flags_of_it, OF_IT), ROW (id_of_own, PLAIN), ROW (id_of_legacy, LEGACY),
  ROW (context_of_legacy, LEGACY), ROW (flags_of_legacy, LEGACY),
  ROW (set_sync, LEGACY), ROW (set_legacy_none, LEGACY), ROW (set_own, PLAIN),
  ROW (set_blocking, PLAIN), ROW (copy_sync, LEGACY),
  ROW (copy_sync_none, LEGACY), ROW (copy_own, PLAIN),
  ERROR_ROW (unload_none, PLAIN, INVALID_HANDLE),
  ERROR_ROW (begin_legacy, LEGACY, STREAM_CAPTURE_UNSUPPORTED),
  ERROR_ROW (host_func_none, PLAIN, INVALID_VALUE), ROW (get_limit, PLAIN),
  ROW (set_limit, UNSAFE), ROW (make_event, PLAIN), ROW (make_stream, PLAIN) };

/* Who captures, and who calls meanwhile. */
typedef struct
{
  gboolean blocking;
  CUstreamCaptureMode mode;
  gboolean other_thread;
  CUstreamCaptureMode thread_mode;
} Case;

static gboolean
is_prohibited (const Case *c)
{
  if (c->thread_mode == CU_STREAM_CAPTURE_MODE_RELAXED)
    return FALSE;
  if (!c->other_thread)
    return c->mode != CU_STREAM_CAPTURE_MODE_RELAXED;
  return c->mode == CU_STREAM_CAPTURE_MODE_GLOBAL &&
      c->thread_mode == CU_STREAM_CAPTURE_MODE_GLOBAL;
}

static CUresult
find_expected (const Row *row, const Case *c, gboolean *lost)
{
  *lost = TRUE;
  if (row->kind & (CONTEXT | OF_IT))
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  if ((row->kind & LEGACY) && c->blocking)
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  if ((row->kind & UNSAFE) && is_prohibited (c))
    return CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  *lost = FALSE;
  return (row->kind & TELLS) && c->blocking ? CUDA_ERROR_STREAM_CAPTURE_IMPLICIT
                                            : row->otherwise;
}

typedef struct
{
  const Row *row;
  const Case *c;
  const Props *props;
} Job;

static gpointer
call (gpointer data)
{
  const Job *job = data;
  CUstreamCaptureMode mode = job->c->thread_mode;
  CUresult result;

  OK (cuThreadExchangeStreamCaptureMode (&mode));
  result = job->row->call (job->props);
  OK (cuThreadExchangeStreamCaptureMode (&mode));
  return GINT_TO_POINTER (result);
}

static gpointer
call_in_thread (gpointer data)
{
  const Job *job = data;
  gpointer result;
  CUcontext popped;

  OK (cuCtxPushCurrent (job->props->ctx));
  result = call (data);
  OK (cuCtxPopCurrent (&popped));
  return result;
}

static gpointer
run (Job *job)
{
  return job->c->other_thread
      ? g_thread_join (g_thread_new ("other", call_in_thread, job))
      : call (job);
}

static void
check (const Row *row, const Case *c, Props *props)
{
  Job job = { row, c, props };
  CUgraph graph = NULL;
  CUresult answer, ended, expected;
  gboolean lost;

  expected = find_expected (row, c, &lost);
  OK (cuStreamCreate (&props->captured,
      c->blocking ? CU_STREAM_DEFAULT : CU_STREAM_NON_BLOCKING));
  OK (cuStreamBeginCapture (props->captured, c->mode));
  OK (cuMemsetD8Async (props->memory, 1, SIZE, props->captured));
  answer = GPOINTER_TO_INT (run (&job));
  ended = cu.cuStreamEndCapture (props->captured, &graph);
  if (answer != expected ||
      ended != (lost ? CUDA_ERROR_STREAM_CAPTURE_INVALIDATED : CUDA_SUCCESS)) {
    g_test_message ("%s while a %s stream is captured in mode %d, by %s thread "
                    "in mode %d: %d, not %d; the end: %d",
        row->name, c->blocking ? "blocking" : "non-blocking", c->mode,
        c->other_thread ? "another" : "the same", c->thread_mode, answer,
        expected, ended);
    g_test_fail ();
  }
  if (graph)
    OK (cuGraphDestroy (graph));
  OK (cuStreamDestroy (props->captured));
  OK (cuCtxSynchronize ());
}

static void
check_row (const Row *row, Props *props)
{
  Case c;

  for (c.blocking = FALSE; c.blocking <= TRUE; c.blocking++)
    for (c.mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
        c.mode <= CU_STREAM_CAPTURE_MODE_RELAXED; c.mode++)
      for (c.other_thread = FALSE; c.other_thread <= TRUE; c.other_thread++)
        for (c.thread_mode = CU_STREAM_CAPTURE_MODE_GLOBAL;
            c.thread_mode <= CU_STREAM_CAPTURE_MODE_RELAXED; c.thread_mode++)
          check (row, &c, props);
}

static void
test_calls (Scene *scene, gconstpointer data)
{
  Props props = { .ctx = scene->ctx, .own = scene->stream };

  NEEDS (scene);
  props.host = aligned_alloc (SIZE, SIZE);
  OK (cuMemAlloc (&props.memory, SIZE));
  OK (cuStreamCreate (&props.blocking, CU_STREAM_DEFAULT));
  OK (cuEventCreate (&props.recorded, CU_EVENT_DISABLE_TIMING));
  OK (cuEventCreate (&props.fresh, CU_EVENT_DISABLE_TIMING));
  OK (cuEventCreate (&props.scratch, CU_EVENT_DISABLE_TIMING));
  OK (cuEventRecord (props.recorded, props.own));
  OK (cuCtxSynchronize ());
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++)
    check_row (&rows[i], &props);
  OK (cuCtxSynchronize ());
  OK (cuEventDestroy (props.scratch));
  OK (cuEventDestroy (props.fresh));
  OK (cuEventDestroy (props.recorded));
  OK (cuStreamDestroy (props.blocking));
  OK (cuMemFree (props.memory));
  free (props.host);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions (); /* list each difference */
  ADD_TEST ("/driver/capture/calls", test_calls);
  return g_test_run ();
}
