/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Calls that are told to fail. */

#pragma once

#include "context.h"

/* The next call of this thread is about @ctx, current or not: that is the one
 * that a sticky error loses. No lock needed. */
void sc_fail_about (ScContext *ctx);
/* With the lock held. The error that this call, is
 * to return instead of running, or CUDA_SUCCESS. */
CUresult sc_fail_next (const char *name);

/* From now on: the @nth call of @name (0: each of them) returns @error; with
 * @sticky the current context, or the one that the call names, is lost. */
void sc_fail_add (const char *name, unsigned nth, CUresult error, bool sticky);
/* One call in @one_in of those that can fail returns @error; 0: none. */
void sc_fail_random (unsigned one_in, CUresult error);
void sc_fail_clear (void);
