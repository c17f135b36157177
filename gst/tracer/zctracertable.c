/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "zctracertable.h"

#include <string.h>

#define GAP 2

ZcTable *
zc_table_new (guint n_columns, guint right, const gchar *const *heads)
{
  ZcTable *self = g_new0 (ZcTable, 1);

  self->n_columns = n_columns;
  self->right = right;
  self->cells = g_ptr_array_new_with_free_func (g_free);
  for (guint i = 0; i < n_columns; i++)
    zc_table_take (self, g_strdup (heads[i]));
  return self;
}

void
zc_table_take (ZcTable *self, gchar *cell)
{
  g_ptr_array_add (self->cells, cell);
}

guint
zc_table_rows (const ZcTable *self)
{
  return self->cells->len / self->n_columns - 1;
}

static glong
width_of (const ZcTable *self, guint column)
{
  glong width = 0;

  for (guint i = column; i < self->cells->len; i += self->n_columns)
    width = MAX (width, g_utf8_strlen (g_ptr_array_index (self->cells, i), -1));
  return width;
}

static void
append_spaces (GString *text, glong n)
{
  while (n-- > 0)
    g_string_append_c (text, ' ');
}

void
zc_table_append_to (const ZcTable *self, GString *text)
{
  for (guint i = 0; i < self->cells->len; i++) {
    const gchar *cell = g_ptr_array_index (self->cells, i);
    guint column = i % self->n_columns;
    gboolean right = (self->right >> column & 1) != 0;
    gboolean last = column + 1 == self->n_columns;
    glong space = width_of (self, column) - g_utf8_strlen (cell, -1);

    append_spaces (text, GAP + (right ? space : 0));
    g_string_append (text, cell);
    if (!right && !last)
      append_spaces (text, space);
    if (last)
      g_string_append_c (text, '\n');
  }
}

void
zc_table_free (ZcTable *self)
{
  g_ptr_array_unref (self->cells);
  g_free (self);
}
