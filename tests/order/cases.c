/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "cases.h"

static const OrderCase *const tables[] = { random_cases, hazard_cases,
  lifetime_cases, capture_cases, tee_cases, transfer_cases, pipe_cases, NULL };

const OrderCase *
order_case_find (const gchar *name)
{
  for (guint i = 0; tables[i]; i++) {
    for (const OrderCase *one = tables[i]; one->name; one++) {
      if (g_str_equal (one->name, name))
        return one;
    }
  }
  return NULL;
}

void
order_case_foreach (void (*func) (const OrderCase *one, gpointer data),
    gpointer data)
{
  for (guint i = 0; tables[i]; i++) {
    for (const OrderCase *one = tables[i]; one->name; one++)
      func (one, data);
  }
}
