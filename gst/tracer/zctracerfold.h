/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A program that plays a thousand files has one kind of pipeline, not a
 * thousand. */

#pragma once

#include "zctracermodel.h"

G_BEGIN_DECLS

/* TRUE if the same kinds of elements were linked in the same way and got the
 * same kinds of memory. */
gboolean zc_runs_alike (const ZcRun *a, const ZcRun *b);
/* Adds what @other has to @self. */
void zc_run_fold (ZcRun *self, const ZcRun *other);

G_END_DECLS
