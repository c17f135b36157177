/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Kinds of driver calls that a frame may not make, as the forwarding
 * libcuda.so.1 counts them. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  CALLS_HOST_WAITS,
  CALLS_ALLOCATIONS, /* and frees, of device and of page-locked memory */
  CALLS_EVENTS,      /* made or destroyed */
  CALLS_STREAMS,
  CALLS_REGISTRATIONS,
  CALLS_SET_CURRENT,
  CALLS_MODULES,
  CALLS_N_KINDS
} CallKind;

typedef struct
{
  gulong n[CALLS_N_KINDS];
} Calls;

/* FALSE, and the running test is skipped, if calls are not counted. */
gboolean calls_are_counted (void);
void calls_get (Calls *calls);
const gchar *calls_kind_name (CallKind kind);
/* The functions of a kind; ends with NULL. */
const gchar *const *calls_functions (CallKind kind);
/* Calls of one function. */
gulong calls_of (const gchar *function);
/* Of all whose names begin so: "cuMemcpy". */
gulong calls_beginning (const gchar *prefix);

G_END_DECLS
