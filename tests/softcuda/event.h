/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Events: each points at the operation that was last recorded in it. */

#pragma once

#include "capture.h"

struct CUevent_st
{
  ScContext *ctx;
  uint64_t ctx_id;
  unsigned flags;
  ScCapture *capture; /* held; recorded in it, or NULL */
  ScClock recorded; /* there */
  ScOp *op; /* NULL until recorded, by this process */
  struct _ScIpcEvent *shared; /* NULL unless CU_EVENT_INTERPROCESS */
  bool imported;
};

/* With the lock held, in the current context. */
CUresult sc_event_new (CUevent *made, unsigned flags,
    struct _ScIpcEvent *shared);
/* A new mark of @ctx that comes after what is recorded in @event now. */
ScOp *sc_event_follow (CUevent event, ScContext *ctx);

/* For a question or a wait: what was recorded in a capture can't be had. */
CUresult sc_event_check_captured (CUevent event);
/* INVALID_HANDLE, CONTEXT_IS_DESTROYED or success; reports the first two. */
CUresult sc_event_check (CUevent event);
/* Of live contexts. */
unsigned sc_event_count (void);
