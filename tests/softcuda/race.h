/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The detector: two accesses to the same bytes, one of them a write, that no
 * rule orders are a race, in whatever order they happened to run. */

#pragma once

#include "blocks.h"
#include "op.h"

typedef struct _ScRaceLog ScRaceLog;

/* All with the lock held. Compares @op, whose clock is final, with what was
 * queued before it, and remembers it. */
void sc_race_check (const ScOp *op);
/* Before @block is freed by this thread: all uses must be known to be over,
 * but for those that freeing waits for. */
void sc_race_check_free (const ScBlock *block);
/* This thread is about to touch pinned memory itself. */
void sc_race_check_host (uintptr_t start, size_t size, bool write);
void sc_race_forget (ScRaceLog *log);

/* Pairs of unordered accesses so far. */
uint64_t sc_race_count (void);
void sc_race_reset (void);
