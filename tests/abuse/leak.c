/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "leak.h"

#include <gst/gst.h>
#include <string.h>
#include <unistd.h>

#include "cudatest.h"

#define BYTES (4 * 1024 * 1024)

static gpointer kept[64];

static void
keep (gpointer data)
{
  static guint n;

  kept[n++ % G_N_ELEMENTS (kept)] = data;
}

/* A device is left alone by those who are done with it: that is a leak of its
 * own, so the context stays too. */
static GstCudaContext *
context (void)
{
  static GstCudaContext *made;

  if (made == NULL)
    made = gst_zc_context_new (0, NULL);
  g_assert_nonnull (made);
  return made;
}

static void
leak_event (void)
{
  g_autoptr (GstZcStream) stream = gst_zc_stream_new (context (), NULL);

  keep (cuda_test_event_new (stream));
}

static void
leak_device (void)
{
  keep ((gpointer) (guintptr) cuda_test_alloc (context (), BYTES));
}

static void
leak_pinned (void)
{
  keep (cuda_test_alloc_pinned (context (), BYTES));
}

static void
leak_stream (void)
{
  keep (gst_zc_stream_new (context (), NULL));
}

static gpointer
sleep_for_ever (gpointer data)
{
  for (;;)
    g_usleep (G_USEC_PER_SEC);
  return NULL;
}

static void
leak_thread (void)
{
  g_thread_unref (g_thread_new ("leak", sleep_for_ever, NULL));
}

static void
leak_descriptor (void)
{
  g_assert_cmpint (dup (STDERR_FILENO), >=, 0);
}

static void
leak_memory (void)
{
  gpointer memory = g_malloc (BYTES);

  memset (memory, 1, BYTES);
  keep (memory);
}

const Leak leaks[] = {
  { "event", USE_EVENTS, leak_event },
  { "device", USE_DEVICE, leak_device },
  { "pinned", USE_PINNED_ALLOCATIONS, leak_pinned },
  { "stream", USE_STREAMS, leak_stream },
  { "thread", USE_THREADS, leak_thread },
  { "descriptor", USE_DESCRIPTORS, leak_descriptor },
  { "memory", USE_HEAP, leak_memory },
};

const guint n_leaks = G_N_ELEMENTS (leaks);

const Leak *
leak_find (const gchar *name)
{
  for (guint i = 0; name != NULL && i < n_leaks; i++) {
    if (g_str_equal (leaks[i].name, name))
      return &leaks[i];
  }
  return NULL;
}
