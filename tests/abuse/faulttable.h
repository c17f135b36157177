/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Calls and what became of them, a row for each driver function. */
#pragma once

#include "faultcase.h"

G_BEGIN_DECLS

/* What became of a function's cases. */
typedef struct
{
  guint calls; /* in one run of the pipeline */
  guint n[FAULT_N_OUTCOMES];
} FaultRow;

/* A GHashTable from names to rows. */
GHashTable *fault_table_new (void);
/* The row of @function, made where there is none. */
FaultRow *fault_table_row (GHashTable *self, const gchar *function);
void fault_table_add (GHashTable *self, GHashTable *other);
/* As comments of TAP. */
void fault_table_print (GHashTable *self, const gchar *title);

G_END_DECLS
