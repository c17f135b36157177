/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Streams that are held up by a host function. */

#pragma once

#include "driver.h"

typedef struct
{
  GMutex mutex;
  GCond cond;
  gint64 until; /* monotonic time, us */
  gboolean released, done, gave_up;
} Busy;

/* Holds @stream for 60 ms: what is queued behind it, and whoever waits for
 * that, sees busy_done() be TRUE. */
void busy_start (Busy *busy, CUstream stream);
/* Holds @stream until busy_release(): calls between the two do not wait for
 * it, or busy_release() fails the test. */
void busy_hold (Busy *busy, CUstream stream);
void busy_release (Busy *busy);
gboolean busy_done (Busy *busy);
/* Until it is done; before @busy goes out of scope. */
void busy_finish (Busy *busy);

/* That calls between the two wait for @stream, or that they do not. */
void busy_begin (Busy *busy, CUstream stream, gboolean waits);
void busy_end (Busy *busy, gboolean waits);
