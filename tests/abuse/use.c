/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "use.h"

#include <cuda.h>
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <unistd.h>

#include "cudatest.h"
#include "softcuda-panel.h"

#define SETTLING (5 * G_TIME_SPAN_SECOND)
#define MAX_FUNCTIONS 5

typedef unsigned long (*CallsFunc) (const char *name);
typedef CUresult (*MemGetInfoFunc) (size_t *free, size_t *total);

/* Calls that make something, and those that end it: as many of both, in the
 * end. */
typedef struct
{
  UseKind kind;
  const gchar *makes[MAX_FUNCTIONS], *ends[MAX_FUNCTIONS];
} Pair;

static const Pair pairs[] = {
  { USE_DEVICE_ALLOCATIONS,
      { "cuMemAlloc_v2", "cuMemAllocPitch_v2", "cuMemAllocAsync" },
      { "cuMemFree_v2", "cuMemFreeAsync" } },
  { USE_PINNED_ALLOCATIONS, { "cuMemHostAlloc", "cuMemAllocHost_v2" },
      { "cuMemFreeHost" } },
  { USE_REGISTRATIONS, { "cuMemHostRegister_v2" }, { "cuMemHostUnregister" } },
  { USE_EVENTS, { "cuEventCreate" }, { "cuEventDestroy_v2" } },
  { USE_STREAMS, { "cuStreamCreate", "cuStreamCreateWithPriority" },
      { "cuStreamDestroy_v2" } },
  { USE_MODULES, { "cuModuleLoadData" }, { "cuModuleUnload" } },
};

static gpointer
find (const gchar *symbol)
{
  gpointer driver = dlopen ("libcuda.so.1", RTLD_NOW);

  return driver != NULL ? dlsym (driver, symbol) : NULL;
}

const gchar *
use_source (void)
{
  if (softcuda_panel () != NULL)
    return "softcuda";
  return find ("counter_calls") != NULL ? "counter" : "nobody";
}

/* The host */

static gint64
count_entries (const gchar *path)
{
  g_autoptr (GDir) dir = g_dir_open (path, 0, NULL);
  gint64 n = 0;

  while (dir != NULL && g_dir_read_name (dir) != NULL)
    n++;
  return n;
}

static gint64
resident (void)
{
  g_autofree gchar *text = NULL;
  gint64 pages = 0;

  if (!g_file_get_contents ("/proc/self/statm", &text, NULL, NULL) ||
      sscanf (text, "%*s %" G_GINT64_FORMAT, &pages) != 1)
    return -1;
  return pages * sysconf (_SC_PAGESIZE);
}

/* Sanitizers keep what is freed, and tell malloc() nothing. */
extern void __asan_init (void) __attribute__ ((weak));
extern void __tsan_init (void) __attribute__ ((weak));

static gboolean
memory_is_known (void)
{
  return __asan_init == NULL && __tsan_init == NULL;
}

static void
get_host (Use *self)
{
  struct mallinfo2 heap = mallinfo2 ();

  self->n[USE_DESCRIPTORS] = count_entries ("/proc/self/fd");
  self->n[USE_THREADS] = count_entries ("/proc/self/task");
  if (!memory_is_known ())
    return;
  self->n[USE_RESIDENT] = resident ();
  self->n[USE_HEAP] = heap.uordblks + heap.hblkhd;
}

/* The device */

static void
get_device (Use *self)
{
  MemGetInfoFunc get_info = (MemGetInfoFunc) find ("cuMemGetInfo_v2");
  g_autoptr (GError) error = NULL;
  GstCudaContext *context = gst_zc_context_new (0, &error);
  size_t unused, total;

  g_assert_no_error (error);
  cuda_test_push (context);
  if (get_info (&unused, &total) == CUDA_SUCCESS)
    self->n[USE_DEVICE] = (gint64) (total - unused);
  cuda_test_pop ();
  gst_object_unref (context);
}

static void
get_outstanding (Use *self, const SoftcudaPanel *panel)
{
  SoftcudaOutstanding now;

  panel->get_outstanding (&now);
  self->n[USE_DEVICE] = (gint64) now.device_bytes;
  self->n[USE_DEVICE_ALLOCATIONS] = (gint64) now.device_allocations;
  self->n[USE_PINNED_ALLOCATIONS] = (gint64) now.pinned_allocations;
  self->n[USE_REGISTRATIONS] = (gint64) now.registrations;
  self->n[USE_EVENTS] = (gint64) now.events;
  self->n[USE_STREAMS] = (gint64) now.streams;
  self->n[USE_MODULES] = (gint64) now.modules;
  self->n[USE_CONTEXTS] = (gint64) now.contexts;
}

static gint64
sum (CallsFunc calls, const gchar *const *functions)
{
  gint64 n = 0;

  for (guint i = 0; i < MAX_FUNCTIONS && functions[i] != NULL; i++)
    n += (gint64) calls (functions[i]);
  return n;
}

/* Ends first: what is made meanwhile by another thread is no less than none. */
static void
get_counted (Use *self, CallsFunc calls)
{
  for (guint i = 0; i < G_N_ELEMENTS (pairs); i++) {
    gint64 ended = sum (calls, pairs[i].ends);

    self->n[pairs[i].kind] = sum (calls, pairs[i].makes) - ended;
  }
}

void
use_get (Use *self)
{
  const SoftcudaPanel *panel = softcuda_panel ();
  CallsFunc calls = (CallsFunc) find ("counter_calls");

  for (guint kind = 0; kind < USE_N_KINDS; kind++)
    self->n[kind] = -1;
  if (panel != NULL) {
    get_outstanding (self, panel);
  } else {
    get_device (self);
    if (calls != NULL)
      get_counted (self, calls);
  }
  get_host (self);
}

void
use_get_quiet (Use *self)
{
  g_thread_pool_stop_unused_threads ();
  if (memory_is_known ())
    malloc_trim (0);
  use_get (self);
}

/* Comparing */

const gchar *
use_kind_name (UseKind kind)
{
  static const gchar *const names[] = { "resident", "heap", "descriptors",
    "threads", "device", "device-allocations", "pinned-allocations",
    "registrations", "events", "streams", "modules", "contexts" };

  G_STATIC_ASSERT (G_N_ELEMENTS (names) == USE_N_KINDS);
  return names[kind];
}

gchar *
use_compare (const Use *self, const Use *base, const Use *allowed)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint kind = 0; kind < USE_N_KINDS; kind++) {
    if (self->n[kind] > base->n[kind] + allowed->n[kind])
      g_string_append_printf (text,
          "%s%s %" G_GINT64_FORMAT ", was %" G_GINT64_FORMAT,
          text->len > 0 ? "; " : "", use_kind_name (kind), self->n[kind],
          base->n[kind]);
  }
  return text->len > 0 ? g_string_free (g_steal_pointer (&text), FALSE) : NULL;
}

/* Threads that are about to end, and what they are about to free. */
gchar *
use_settle (Use *self, const Use *base, const Use *allowed)
{
  gint64 end = g_get_monotonic_time () + SETTLING;
  gchar *more;

  for (;;) {
    use_get_quiet (self);
    more = use_compare (self, base, allowed);
    if (more == NULL || g_get_monotonic_time () > end)
      return more;
    g_free (more);
    g_usleep (20000);
  }
}

gchar *
use_to_string (const Use *self)
{
  g_autoptr (GString) text = g_string_new (NULL);

  for (guint kind = 0; kind < USE_N_KINDS; kind++) {
    if (self->n[kind] >= 0)
      g_string_append_printf (text, "%s%s %" G_GINT64_FORMAT,
          text->len > 0 ? ", " : "", use_kind_name (kind), self->n[kind]);
  }
  return g_string_free (g_steal_pointer (&text), FALSE);
}
