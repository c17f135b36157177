/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "fuzzowner.h"

#include <stdlib.h>
#include <string.h>

#include "fuzzdevice.h"

#define N_OWNERS 64
#define MAX_BYTES 512
#define PATIENCE (20 * G_TIME_SPAN_SECOND)

struct _FuzzOwner
{
  gint told; /* atomic */
  gint expected;
  gsize size;
  guint8 input[MAX_BYTES];
};

static FuzzOwner owners[N_OWNERS];
static guint n_owners;

static void
report (const FuzzOwner *self)
{
  g_printerr ("told %d times, not %d, of this input:\n",
      g_atomic_int_get (&self->told), self->expected);
  for (gsize i = 0; i < self->size; i++)
    g_printerr ("%02x", self->input[i]);
  g_printerr ("\n");
  abort ();
}

static void
wait_for_all (void)
{
  gint64 end = g_get_monotonic_time () + PATIENCE;

  for (guint i = 0; i < n_owners; i++) {
    while (g_atomic_int_get (&owners[i].told) < owners[i].expected &&
        g_get_monotonic_time () < end)
      g_usleep (20);
    if (g_atomic_int_get (&owners[i].told) != owners[i].expected)
      report (&owners[i]);
  }
  n_owners = 0;
}

FuzzOwner *
fuzz_owner_new (const guint8 *data, gsize size)
{
  static gboolean at_exit;
  FuzzOwner *self;

  if (!at_exit)
    at_exit = atexit (wait_for_all) == 0;
  if (n_owners == N_OWNERS)
    wait_for_all ();
  self = &owners[n_owners++];
  g_atomic_int_set (&self->told, 0);
  self->expected = 0;
  self->size = MIN (size, MAX_BYTES);
  if (self->size > 0)
    memcpy (self->input, data, self->size);
  return self;
}

void
fuzz_owner_tell (gpointer owner)
{
  g_atomic_int_inc (&((FuzzOwner *) owner)->told);
}

void
fuzz_owner_expect (FuzzOwner *self, gint n)
{
  self->expected = n;
  fuzz_device_drain ();
}
