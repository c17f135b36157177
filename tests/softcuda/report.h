/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What a program did wrong, named on stderr and counted. */

#pragma once

#include <stdint.h>

/* With the lock held. Names the call that the thread is in. */
void sc_report (const char *format, ...)
    __attribute__ ((format (printf, 1, 2)));
/* Counts it only. */
void sc_report_quietly (const char *format, ...)
    __attribute__ ((format (printf, 1, 2)));
uint64_t sc_report_count (void);
const char *sc_report_last (void);
void sc_report_reset (void);
