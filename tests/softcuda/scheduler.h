/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Who runs next. Operations run on the thread of whoever waits, as late as the
 * policy allows, or on a worker a random short while after they could have. */

#pragma once

#include "op.h"

/* All with the lock held; all but sc_sched_ready may drop it for a while. */

/* Nothing stands in the way of @op any more. */
void sc_sched_ready (ScOp *op);
/* After submitting: runs what the policy wants to run at once. */
void sc_sched_flush (void);
/* Until @op, which the caller holds, is done. The host may rely on it. */
void sc_sched_wait (ScOp *op);
/* The same where the program is promised nothing. */
void sc_sched_finish (ScOp *op);
/* Whether @op is done, on which the host may rely; asking may make some
 * progress. */
bool sc_sched_poll (ScOp *op);
/* Until everything that is in @ctx now is done, as sc_sched_finish(). */
void sc_sched_wait_idle (ScContext *ctx);
/* Until nothing that touches these bytes runs. */
void sc_sched_wait_running (uintptr_t start, size_t size);
/* Starts the worker. */
bool sc_sched_start (void);
