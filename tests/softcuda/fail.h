/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Calls that are told to fail. */

#pragma once

#include "cudaapi.h"

/* With the lock held. The error that this call, is
 * to return instead of running, or CUDA_SUCCESS. */
CUresult sc_fail_next (const char *name);

/* From now on: the @nth call of @name (0: each of them) returns @error; with
 * @sticky the current context is lost with it. */
void sc_fail_add (const char *name, unsigned nth, CUresult error, bool sticky);
/* One call in @one_in of those that can fail returns @error; 0: none. */
void sc_fail_random (unsigned one_in, CUresult error);
void sc_fail_clear (void);
