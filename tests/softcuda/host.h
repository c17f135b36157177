/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Host functions in streams: each context has one thread that calls them in
 * turn, as the real driver does. */

#pragma once

#include "op.h"

/* @op is running from here on, and done when its function has returned. */
void sc_host_queue (ScOp *op);
