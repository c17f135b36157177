/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Memory and events that other processes may open. */

#pragma once

#include "event.h"

/* What processes share of an event, in a page of the arena. */
typedef struct _ScIpcEvent ScIpcEvent;

/* With the lock held. NULL without memory. */
ScIpcEvent *sc_ipc_event_new (void);
/* The operation to record in @event; others than these are for one process. */
ScOp *sc_ipc_event_record (CUevent event, ScContext *ctx);
/* An operation that is done once all that is recorded in @event now is. */
ScOp *sc_ipc_event_wait (CUevent event, ScContext *ctx);
bool sc_ipc_event_done (CUevent event);
