/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Columns of text that are as wide as what is in them. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  guint n_columns;
  guint right; /* bit n: column n is aligned right */
  GPtrArray *cells; /* of gchar, owned; row by row, the heads first */
} ZcTable;

/* @heads: one for each column. */
ZcTable *zc_table_new (guint n_columns, guint right, const gchar *const *heads);
/* Takes @cell. */
void zc_table_take (ZcTable *self, gchar *cell);
guint zc_table_rows (const ZcTable *self); /* without the heads */
void zc_table_append_to (const ZcTable *self, GString *text);
void zc_table_free (ZcTable *self);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (ZcTable, zc_table_free)

G_END_DECLS
