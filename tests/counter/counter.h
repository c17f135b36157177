/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What the forwarding libcuda.so.1 exports beside the driver's functions. */

#pragma once

/* Calls of one driver function by the exact name of its symbol, since the start.
 * Any thread. */
__attribute__ ((visibility ("default"))) unsigned long counter_calls (const char
        *name);
/* Calls of all whose names begin so, those included that a program got from
 * cuGetProcAddress (). */
__attribute__ ((visibility ("default"))) unsigned long
counter_calls_of (const char *prefix);
