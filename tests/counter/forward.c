/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A libcuda.so.1 that counts calls and passes them on to the next one: the first
 * other one in LD_LIBRARY_PATH, else the system's. It is to stand first there:
 * LD_PRELOAD would count nothing, since every client asks dlopen(). */

#include "forward.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "counter.h"

#define LIBRARY "libcuda.so.1"

/* CUDA_ERROR_STUB_LIBRARY */
static int
not_there (void)
{
  return 34;
}

static int
is_this_library (const struct stat *found)
{
  struct stat own;
  Dl_info info;

  return dladdr (forward_names, &info) && stat (info.dli_fname, &own) == 0 &&
      own.st_dev == found->st_dev && own.st_ino == found->st_ino;
}

/* By its full path: by name it would be this one again. */
static void *
open_in (const char *folder, size_t length)
{
  char path[4096];
  struct stat found;

  snprintf (path, sizeof path, "%.*s/" LIBRARY, (int) length, folder);
  if (length == 0 || stat (path, &found) != 0 || is_this_library (&found))
    return NULL;
  return dlopen (path, RTLD_NOW | RTLD_LOCAL);
}

static void *
open_next (void)
{
  static const char system_folders[] =
      "/usr/lib/x86_64-linux-gnu:/usr/lib64:/usr/lib:/usr/lib/wsl/lib";
  const char *lists[] = { getenv ("LD_LIBRARY_PATH"), system_folders };
  void *library = NULL;

  for (unsigned i = 0; i < 2; i++)
    for (const char *at = lists[i]; at && *at && !library;) {
      size_t length = strcspn (at, ":");

      library = open_in (at, length);
      at += length + (at[length] == ':');
    }
  return library;
}

__attribute__ ((constructor)) static void
find_functions (void)
{
  void *library = open_next ();

  if (!library)
    fprintf (stderr,
        "counter: there is no other " LIBRARY " to pass calls to\n");
  for (unsigned i = 0; i < forward_n; i++) {
    void *function = library ? dlsym (library, forward_names[i]) : NULL;

    forward_slots[i] = function ? function : (void *) not_there;
  }
}

static unsigned long
sum_of (const char *name, size_t length)
{
  unsigned long sum = 0;

  for (unsigned i = 0; i < forward_n + forward_n_spares; i++) {
    const char *other = __atomic_load_n (&forward_names[i], __ATOMIC_ACQUIRE);

    if (other && !strncmp (other, name, length))
      sum += __atomic_load_n (&forward_counts[i], __ATOMIC_RELAXED);
  }
  return sum;
}

unsigned long
counter_calls (const char *name)
{
  return sum_of (name, strlen (name) + 1);
}

unsigned long
counter_calls_of (const char *prefix)
{
  return sum_of (prefix, strlen (prefix));
}
