/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* What this process has in use: of the host, and of the device. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum
{
  USE_RESIDENT, /* bytes */
  USE_HEAP,     /* bytes that malloc() has given */
  USE_DESCRIPTORS,
  USE_THREADS,
  USE_DEVICE, /* bytes that a device lacks, contexts included */
  USE_DEVICE_ALLOCATIONS,
  USE_PINNED_ALLOCATIONS,
  USE_REGISTRATIONS,
  USE_EVENTS,
  USE_STREAMS,
  USE_MODULES,
  USE_CONTEXTS,
  USE_N_KINDS
} UseKind;

typedef struct
{
  gint64 n[USE_N_KINDS]; /* -1: not known here */
} Use;

/* Where events, allocations and streams are counted: by softcuda, or by the
 * libcuda.so.1 of tests/counter in front of a driver; or nowhere. */
const gchar *use_source (void);

/* As it is now. Makes a context for a moment, unless there is one. */
void use_get (Use *self);

/* The same with nothing at work: threads that wait for work are ended first and
 * free memory goes back to the system. */
void use_get_quiet (Use *self);

/* As use_get_quiet(), again and again for some seconds, until nothing is more
 * than in @base plus @allowed. Returns what is still more, or NULL. */
gchar *use_settle (Use *self, const Use *base, const Use *allowed);

/* What is more than in @base plus @allowed, in words, or NULL. */
gchar *use_compare (const Use *self, const Use *base, const Use *allowed);

/* One line of all that is known. */
gchar *use_to_string (const Use *self);
const gchar *use_kind_name (UseKind kind);

G_END_DECLS
