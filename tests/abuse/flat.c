/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "flat.h"

#define MIB (1 << 20)
/* For threads that are about to end. */
#define QUIET_US 50000

static const Leak *leak;
static Use before;

const Use flat_at_rest = { {
    [USE_RESIDENT] = 6 * MIB,
    [USE_HEAP] = MIB,
} };

/* What is on its way: it comes and goes, but does not grow. */
static const Use in_flight = { {
    [USE_RESIDENT] = 6 * MIB,
    [USE_HEAP] = MIB,
    [USE_DEVICE] = MIB,
    [USE_DEVICE_ALLOCATIONS] = 32,
    [USE_PINNED_ALLOCATIONS] = 32,
    [USE_REGISTRATIONS] = 32,
    [USE_EVENTS] = 64,
} };

void
flat_tell (const gchar *what, gint64 n, const Use *use)
{
  g_autofree gchar *text = use_to_string (use);

  g_test_message ("%s %" G_GINT64_FORMAT ": %s", what, n, text);
}

void
flat_fail (const gchar *what, gchar *why)
{
  if (why == NULL)
    return;
  g_test_message ("WRONG %s: %s", what, why);
  g_test_fail ();
  g_free (why);
}

void
flat_init (const Leak *which)
{
  use_get_quiet (&before);
  flat_tell ("before", 0, &before);
  leak = which;
}

static gboolean
is_warming_up (Flat *self)
{
  if (leak != NULL)
    leak->leak ();
  return self->looks++ < FLAT_WARM;
}

static void
note_most (Flat *self, const Use *now)
{
  for (guint kind = 0; kind < USE_N_KINDS; kind++)
    self->base.n[kind] = MAX (self->base.n[kind], now->n[kind]);
}

void
flat_look (Flat *self, gint64 n)
{
  Use now;

  if (is_warming_up (self)) {
    g_usleep (QUIET_US);
    use_get_quiet (&now);
    note_most (self, &now);
  } else {
    flat_fail (self->what, use_settle (&now, &self->base, &flat_at_rest));
  }
  flat_tell (self->what, n, &now);
}

void
flat_look_playing (Flat *self, gint64 n)
{
  Use now;

  use_get (&now);
  if (is_warming_up (self))
    note_most (self, &now);
  else
    flat_fail (self->what, use_compare (&now, &self->base, &in_flight));
  if (self->looks == FLAT_WARM || self->looks == FLAT_LOOKS)
    flat_tell (self->what, n, &now);
}

/* Memory of the host was given to what is loaded for ever. */
void
flat_check_nothing_left (const gchar *what)
{
  Use now, allowed = { { [USE_RESIDENT] = G_MAXINT, [USE_HEAP] = G_MAXINT } };

  flat_fail (what, use_settle (&now, &before, &allowed));
  flat_tell (what, 0, &now);
}
