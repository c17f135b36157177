/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "call.h"
#include "config.h"

static uint64_t count;
static char last[512];

__attribute__ ((format (printf, 1, 0))) static void
note (const char *format, va_list args)
{
  vsnprintf (last, sizeof last, format, args);
  count++;
}

void
sc_report_quietly (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  note (format, args);
  va_end (args);
}

void
sc_report (const char *format, ...)
{
  va_list args;

  va_start (args, format);
  note (format, args);
  va_end (args);
  fprintf (stderr, "softcuda: error in %s: %s\n", sc_call_name (), last);
  if (sc_config ()->strict)
    abort ();
}

uint64_t
sc_report_count (void)
{
  return count;
}

const char *
sc_report_last (void)
{
  return last;
}

void
sc_report_reset (void)
{
  count = 0;
  last[0] = 0;
}
