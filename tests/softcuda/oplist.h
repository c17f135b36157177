/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Growing arrays of operations; they hold no references of their own. */

#pragma once

typedef struct _ScOp ScOp;

typedef struct
{
  ScOp **items;
  unsigned n, room;
} ScOpList;

void sc_op_list_add (ScOpList *list, ScOp *op);
/* The order of the others changes. */
void sc_op_list_remove (ScOpList *list, const ScOp *op);
/* The order of the others stays. NULL if empty. */
ScOp *sc_op_list_pop (ScOpList *list);
