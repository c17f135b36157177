/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Memory that a program maps into addresses that it has reserved. */

#pragma once

#include "cudaapi.h"

/* With the lock held. The mapping that has @address, or FALSE. */
bool sc_mapped_range (uintptr_t address, uintptr_t *start, size_t *size);
