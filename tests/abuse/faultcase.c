/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "faultcase.h"

#include <stdlib.h>

const gchar *
fault_outcome_name (FaultOutcome outcome)
{
  static const gchar *const names[] = { "harmless", "stopped", "lost",
    "unreached", "WRONG" };

  return names[outcome];
}

const gchar *
fault_policy_name (FaultPolicy policy)
{
  static const gchar *const names[] = { "lazy", "random", "eager" };

  return names[policy];
}

gchar *
fault_case_name (const FaultCase *self)
{
  return g_strdup_printf ("%s,%s,%u,%d,%s%s%s", self->pipe->name,
      self->function, self->nth, self->code, fault_policy_name (self->policy),
      self->sticky ? ",sticky" : "", self->alone ? ",alone" : "");
}

gboolean
fault_case_parse (FaultCase *self, const gchar *name)
{
  g_auto (GStrv) parts = g_strsplit (name, ",", -1);

  *self = (FaultCase) { 0 };
  if (g_strv_length (parts) < 5)
    return FALSE;
  self->pipe = fault_pipe_find (parts[0]);
  g_strlcpy (self->function, parts[1], sizeof (self->function));
  self->nth = atoi (parts[2]);
  self->code = atoi (parts[3]);
  while (self->policy + 1 < FAULT_N_POLICIES &&
      !g_str_equal (parts[4], fault_policy_name (self->policy)))
    self->policy++;
  self->sticky = g_strv_contains ((const gchar *const *) parts + 5, "sticky");
  self->alone = g_strv_contains ((const gchar *const *) parts + 5, "alone");
  return self->pipe != NULL;
}
