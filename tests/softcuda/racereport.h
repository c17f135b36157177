/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What a race looks like in words. */

#pragma once

#include "access.h"
#include "blocks.h"
#include "clock.h"
#include "trace.h"

/* An access, and the operation or host call that made it. */
typedef struct
{
  ScAccess access;
  ScTrace trace;
  bool frees; /* all of the memory */
} ScPast;

typedef struct
{
  const ScBlock *block;
  const ScPast *earlier, *later; /* as they were queued */
  const ScClock *clock; /* of @later */
} ScRace;

/* With the lock held. In full where both places in the program are new as a
 * pair, else it is only counted. */
void sc_race_report (const ScRace *race, uint64_t number);
/* Pairs of places so far. */
unsigned sc_race_places (void);
