/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "faulttable.h"

#include <string.h>

GHashTable *
fault_table_new (void)
{
  return g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
}

FaultRow *
fault_table_row (GHashTable *self, const gchar *function)
{
  FaultRow *row = g_hash_table_lookup (self, function);

  if (row == NULL) {
    row = g_new0 (FaultRow, 1);
    g_hash_table_insert (self, g_strdup (function), row);
  }
  return row;
}

void
fault_table_add (GHashTable *self, GHashTable *other)
{
  GHashTableIter iter;
  gpointer name, row;

  g_hash_table_iter_init (&iter, other);
  while (g_hash_table_iter_next (&iter, &name, &row)) {
    FaultRow *sum = fault_table_row (self, name);

    sum->calls += ((FaultRow *) row)->calls;
    for (guint i = 0; i < FAULT_N_OUTCOMES; i++)
      sum->n[i] += ((FaultRow *) row)->n[i];
  }
}

static void
print_row (const gchar *function, const FaultRow *row)
{
  g_autoptr (GString) line = g_string_new (NULL);

  g_string_printf (line, "# %-38s %5u", function, row->calls);
  for (guint i = 0; i < FAULT_N_OUTCOMES; i++)
    g_string_append_printf (line, " %9u", row->n[i]);
  g_print ("%s\n", line->str);
}

void
fault_table_print (GHashTable *self, const gchar *title)
{
  g_autoptr (GList) names = g_hash_table_get_keys (self);
  g_autoptr (GString) line = g_string_new (NULL);
  FaultRow all = { 0 };

  g_string_printf (line, "# %-38s %5s", title, "calls");
  for (guint i = 0; i < FAULT_N_OUTCOMES; i++)
    g_string_append_printf (line, " %9s", fault_outcome_name (i));
  g_print ("%s\n", line->str);
  names = g_list_sort (names, (GCompareFunc) strcmp);
  for (GList *link = names; link != NULL; link = link->next) {
    const FaultRow *row = g_hash_table_lookup (self, link->data);

    print_row (link->data, row);
    all.calls += row->calls;
    for (guint i = 0; i < FAULT_N_OUTCOMES; i++)
      all.n[i] += row->n[i];
  }
  print_row ("all", &all);
}
