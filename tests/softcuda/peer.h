/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Which context may reach the memory of which other one. */

#pragma once

#include "context.h"

/* With the lock held. @ctx is gone. */
void sc_peer_forget (const ScContext *ctx);
/* Whether memory may be copied from one device to another. */
CUresult sc_peer_check_copy (CUdeviceptr a, CUdeviceptr b);
