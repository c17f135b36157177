/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "twin.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "report.h"

#define MAX_TWINS 128
#define LIST "softcuda_twins"

static ScTwin added[MAX_TWINS];
static unsigned n_added;

static void
load (const char *path)
{
  void *library = dlopen (path, RTLD_NOW | RTLD_LOCAL);
  const ScTwin *twin = library ? dlsym (library, LIST) : NULL;

  if (!twin) {
    sc_report ("SOFTCUDA_TWINS: %s", dlerror ());
    return;
  }
  for (; twin->name; twin++)
    if (!sc_twin_add (*twin))
      sc_report ("SOFTCUDA_TWINS: %s: more than %d twins", path, MAX_TWINS);
}

/* Once: the files that SOFTCUDA_TWINS names, with colons in between. */
static void
load_all (void)
{
  static bool loaded;
  const char *variable = getenv ("SOFTCUDA_TWINS");
  char *paths, *rest = NULL;

  if (loaded || !variable)
    return;
  loaded = true;
  paths = strdup (variable);
  for (char *path = strtok_r (paths, ":", &rest); path;
      path = strtok_r (NULL, ":", &rest))
    load (path);
  free (paths);
}

const ScTwin *
sc_twin_find (const char *name)
{
  load_all ();
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
