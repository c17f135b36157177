/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Which errors a driver function may return. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define FAULT_MAX_ERRORS 16

typedef struct
{
  gint code; /* a CUresult */
  gboolean sticky; /* takes the context with it */
} FaultError;

/* Fills @errors with those that @function, by the name of its symbol, may
 * return; returns how many. */
guint fault_errors_of (const gchar *function,
    FaultError errors[FAULT_MAX_ERRORS]);

/* TRUE if what @function was to free stays where it fails. */
gboolean fault_frees (const gchar *function);

G_END_DECLS
