/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What is said when the program ends. */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "config.h"
#include "lock.h"
#include "race.h"
#include "racereport.h"
#include "report.h"

static void
append (const char *path)
{
  FILE *file = fopen (path, "a");

  if (!file) {
    fprintf (stderr, "softcuda: SOFTCUDA_REPORT=%s can't be written\n", path);
    return;
  }
  fprintf (file, "program=%s seed=%llu errors=%llu races=%llu\n",
      program_invocation_short_name, (unsigned long long) sc_config ()->seed,
      (unsigned long long) sc_report_count (),
      (unsigned long long) sc_race_count ());
  fclose (file);
}

static void __attribute__ ((destructor))
say (void)
{
  const char *path = getenv ("SOFTCUDA_REPORT");

  sc_lock ();
  if (path && *path)
    append (path);
  if (sc_race_places () && sc_config ()->races >= SC_RACES_REPORT)
    fprintf (stderr, "softcuda: %llu races between %u pairs of places\n",
        (unsigned long long) sc_race_count (), sc_race_places ());
  sc_unlock ();
}
