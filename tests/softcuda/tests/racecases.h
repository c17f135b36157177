/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Small programs, each with one barrier that can be left out. */

#pragma once

#include "control.h"

#define RACE_SIZE 4096

typedef struct
{
  const Scene *scene;
  CUstream a, b;                  /* non-blocking */
  CUstream blocking, blocking_too;
  CUdeviceptr memory, result;     /* RACE_SIZE bytes each */
  guint8 *pinned;                 /* as many */
  CUevent event;
  gboolean barrier;
} Race;

typedef struct
{
  const char *name;
  void (*run) (Race *race);
} RaceCase;

/* Each list ends with a NULL name. */
extern const RaceCase race_stream_cases[];
extern const RaceCase race_host_cases[];
extern const RaceCase race_kernel_cases[];

/* What most cases do: write 7 to the memory, read it into the result. */
void race_write (Race *race, CUstream stream);
void race_read (Race *race, CUstream stream);
/* @to waits for @from with an event; nothing without a barrier. */
void race_order (Race *race, CUstream from, CUstream to);
