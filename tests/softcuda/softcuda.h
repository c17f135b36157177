/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The control panel of softcuda, the CUDA driver on the CPU. These functions
 * are exported by its libcuda.so.1 beside the driver API. A test program that
 * shall run on a real driver too does not link to them: it asks
 * softcuda_panel() of softcuda-panel.h.
 *
 * Thread safety: each function may be called from any thread, before cuInit
 * too. None needs a current context unless it says so. */

#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define SOFTCUDA_API __attribute__ ((visibility ("default")))

/* Since the start or the last softcuda_reset_counters(). */
typedef struct
{
  uint64_t errors;            /* reports of wrong use, each on stderr too */
  uint64_t races;             /* pairs of unordered accesses; errors too */
  uint64_t host_waits;        /* calls that may put the host to sleep: stream,
                                 event and context synchronisations, blocking
                                 copies */
  uint64_t event_waits;       /* cuStreamWaitEvent */
  uint64_t events_created;
  uint64_t events_recorded;
  uint64_t streams_created;
  uint64_t allocations;       /* of device memory */
  uint64_t frees;
  uint64_t host_allocations;  /* of pinned memory */
  uint64_t host_frees;
  uint64_t registrations;     /* of host memory */
  uint64_t modules_loaded;
  uint64_t launches;
  uint64_t uploads;           /* copies host to device, by number and bytes */
  uint64_t downloads;
  uint64_t device_copies;     /* device to device, of one device or two */
  uint64_t host_copies;
  uint64_t memsets;
  uint64_t bytes_uploaded;
  uint64_t bytes_downloaded;
  uint64_t bytes_device_copied;
  uint64_t bytes_host_copied;
  uint64_t pageable_copies;   /* those with a pageable host side */
} SoftcudaCounters;

/* What is alive now. */
typedef struct
{
  uint64_t contexts; /* primary ones included */
  uint64_t streams;
  uint64_t events;
  uint64_t modules;
  uint64_t device_allocations;
  uint64_t device_bytes;
  uint64_t pinned_allocations;
  uint64_t pinned_bytes;
  uint64_t registrations;
  uint64_t operations; /* queued or running */
  uint64_t graphs;     /* executable ones, too */
} SoftcudaOutstanding;

/* Virtual time, in ns: how long the calls since the last reset would have
 * taken on an H200, and how long the engines of its busiest device worked. */
typedef struct
{
  uint64_t makespan;    /* until the last thread and operation were done */
  uint64_t uploading;
  uint64_t downloading;
  uint64_t computing;   /* kernels, memsets, copies on the device */
} SoftcudaVirtualTime;

/* A kernel of the host compiler. It runs one block: @args is the parameter
 * buffer with each device address in it replaced by one that the host can
 * read and write; @grid and @block are the launch's, @index that of the block,
 * @shared its dynamic shared memory. */
typedef void (*SoftcudaKernelFunc) (const void *args, const unsigned grid[3],
    const unsigned block[3], const unsigned index[3], void *shared);

/* Bytes that a kernel touches: @rows rows of @width bytes, @pitch apart. */
typedef struct
{
  uint64_t start; /* device address */
  size_t width, pitch, rows;
  int write;
} SoftcudaRange;

/* Lists what a launch with @args, as the program gave them, will touch, in at
 * most @room @ranges; returns how many. */
typedef unsigned (*SoftcudaRangesFunc) (const void *args, SoftcudaRange *ranges,
    unsigned room);

/* The host's version of a kernel, by the name that it has in its module. A library
 * that SOFTCUDA_TWINS names has a list of them, softcuda_twins, which ends with
 * a NULL name: softcuda-twin.h makes it. */
typedef struct
{
  const char *name;
  size_t args_size; /* of all parameters */
  SoftcudaKernelFunc run;
  SoftcudaRangesFunc ranges; /* may be NULL */
} SoftcudaTwin;

/* One thing that a driver call did: "upload", "download", "device-copy",
 * "host-copy", "kernel", "host-wait", "event-wait", "allocation" (of device
 * memory) or "host-allocation". @stream is a CUstream or NULL; @start and @end
 * of the call are in ns of the monotonic clock. Called by the thread that
 * called the driver, before the call returns; a call may do two things. */
typedef void (*SoftcudaWatchFunc) (const char *call, const char *what,
    void *stream, uint64_t bytes, int64_t start, int64_t end, void *data);

typedef void (*SoftcudaCallFunc) (const char *name, uint64_t count, void *data);

SOFTCUDA_API void softcuda_get_counters (SoftcudaCounters *counters);
SOFTCUDA_API void softcuda_reset_counters (void);
SOFTCUDA_API void softcuda_get_outstanding (SoftcudaOutstanding *outstanding);
/* Calls of one driver function by its exact name, "cuMemAlloc_v2". */
SOFTCUDA_API uint64_t softcuda_call_count (const char *name);
/* Tells @func of each driver function that was called since the start or the
 * last reset, by name and number; in no order, and with the driver locked. */
SOFTCUDA_API void softcuda_each_call (SoftcudaCallFunc func, void *data);
/* The text of the last report, or "". Valid until the next one. */
SOFTCUDA_API const char *softcuda_last_error (void);

/* Holds @stream, a CUstream of the current context (NULL: the legacy stream),
 * for @ms milliseconds. Returns a CUresult, when queued. */
SOFTCUDA_API int softcuda_delay (void *stream, unsigned ms);

/* From now on the @nth call of @name (1: the next one; 0: each) returns
 * @error, a CUresult, 0 for success included, and does nothing; with @sticky != 0 the calling thread's
 * current context is lost with it. */
SOFTCUDA_API void softcuda_fail (const char *name, unsigned nth, int error,
    int sticky);
/* One in @one_in of the calls that may fail at all returns @error; 0: none. */
SOFTCUDA_API void softcuda_fail_randomly (unsigned one_in, int error);
SOFTCUDA_API void softcuda_fail_clear (void);

/* "lazy", "random", "priorities" or "eager"; returns 0 for other words. */
SOFTCUDA_API int softcuda_set_policy (const char *policy);
SOFTCUDA_API void softcuda_set_seed (uint64_t seed);
SOFTCUDA_API uint64_t softcuda_get_seed (void);
/* Bytes that each device has; allocations beyond fail. */
SOFTCUDA_API void softcuda_set_memory (size_t bytes);
/* 0: cuMemFree and its like wait for the context, as measured; 1: never;
 * 2: sometimes. */
SOFTCUDA_API void softcuda_set_free_mode (int mode);
/* What happens when a race is found: "off", "count", "report" on stderr or
 * "abort"; returns 0 for other words. */
SOFTCUDA_API int softcuda_set_races (const char *mode);
SOFTCUDA_API uint64_t softcuda_race_count (void);
/* The calling thread is about to read or write pinned memory itself: it must
 * know that copies there are over. */
SOFTCUDA_API void softcuda_host_access (const void *memory, size_t size,
    int write);
/* Virtual time starts at 0, and each byte counts as @scale bytes: pictures may
 * be small. With nothing queued. */
SOFTCUDA_API void softcuda_virtual_time_reset (unsigned scale);
SOFTCUDA_API void softcuda_virtual_time_get (SoftcudaVirtualTime *time);
/* Runs everything that is queued, in all contexts; no host wait is counted. */
SOFTCUDA_API void softcuda_drain (void);

/* Serves launches of @name, whose parameters are @args_size bytes, with @func.
 * A module still has to hold a kernel of that name and size. Without @ranges
 * each device address in the parameters counts as the start of something
 * written. Returns 0 if there are too many. */
SOFTCUDA_API int softcuda_register_kernel (const char *name, size_t args_size,
    SoftcudaKernelFunc func, SoftcudaRangesFunc ranges);
/* Tells @func of all calls of the process from now on that do what is listed
 * there and succeed; NULL: no more. */
SOFTCUDA_API void softcuda_watch (SoftcudaWatchFunc func, void *data);
/* The host's view of a device address, or NULL. */
SOFTCUDA_API void *softcuda_host_view (uint64_t device_address);

#ifdef __cplusplus
}
#endif
