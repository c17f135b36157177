/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the driver was asked to do so far. */

#pragma once

#include "softcuda.h"

/* With the lock held. */
SoftcudaCounters *sc_counters (void);
