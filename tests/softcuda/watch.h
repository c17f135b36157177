/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Tells a program what each call did: its own calls and those of all other
 * libraries in the process. */

#pragma once

#include <stdbool.h>

#include "softcuda.h"

#define SC_MAX_DEEDS 2

typedef struct
{
  const char *what;
  void *stream;
  uint64_t bytes;
} ScDeed;

/* What the call that a thread is in has done so far. */
typedef struct
{
  ScDeed deeds[SC_MAX_DEEDS];
  unsigned n;
  int64_t start; /* ns */
} ScDeeds;

/* The three with the lock held, by the thread that calls. */
void sc_watch_enter (void);
void sc_watch_note (const char *what, void *stream, uint64_t bytes);
/* Copies what is to be told; false if nobody watches or nothing was done. */
bool sc_watch_leave (ScDeeds *deeds);
/* Without it, since the program may do as it likes. */
void sc_watch_tell (const ScDeeds *deeds, const char *call);
