/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "twin.h"

#include <string.h>

#define MAX_TWINS 128

static ScTwin added[MAX_TWINS];
static unsigned n_added;

const ScTwin *
sc_twin_find (const char *name)
{
  for (unsigned i = n_added; i-- > 0;)
    if (!strcmp (added[i].name, name))
      return &added[i];
  for (const ScTwin *twin = sc_builtin_twins; twin->name; twin++)
    if (!strcmp (twin->name, name))
      return twin;
  return NULL;
}

bool
sc_twin_add (ScTwin twin)
{
  if (n_added == MAX_TWINS)
    return false;
  twin.name = strdup (twin.name);
  added[n_added++] = twin;
  return twin.name != NULL;
}
