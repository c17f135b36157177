/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Leaks on purpose, to see that they are noticed. */
#pragma once

#include "use.h"

G_BEGIN_DECLS

typedef struct
{
  const gchar *name;
  UseKind kind;   /* that grows */
  void (*leak) (void);
} Leak;

extern const Leak leaks[];
extern const guint n_leaks;

/* NULL for a word that is none. */
const Leak *leak_find (const gchar *name);

G_END_DECLS
