/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "oplist.h"

#include <stdlib.h>
#include <string.h>

void
sc_op_list_add (ScOpList *list, ScOp *op)
{
  if (list->n == list->room) {
    list->room = list->room ? 2 * list->room : 4;
    list->items = realloc (list->items, list->room * sizeof *list->items);
    if (!list->items)
      abort ();
  }
  list->items[list->n++] = op;
}

void
sc_op_list_remove (ScOpList *list, const ScOp *op)
{
  for (unsigned i = 0; i < list->n; i++)
    if (list->items[i] == op) {
      list->items[i] = list->items[--list->n];
      return;
    }
}

ScOp *
sc_op_list_pop (ScOpList *list)
{
  ScOp *first;

  if (list->n == 0)
    return NULL;
  first = list->items[0];
  list->n--;
  memmove (list->items, list->items + 1, list->n * sizeof *list->items);
  return first;
}
