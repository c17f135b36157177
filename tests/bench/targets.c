/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "targets.h"

typedef struct
{
  gchar *what;
  gchar *where; /* the worst */
  gdouble share, least;
  guint n, n_met;
} Target;

struct _Targets
{
  GPtrArray *list; /* of Target */
};

static void
target_free (gpointer data)
{
  Target *target = data;

  g_free (target->what);
  g_free (target->where);
  g_free (target);
}

Targets *
targets_new (void)
{
  Targets *self = g_new0 (Targets, 1);

  self->list = g_ptr_array_new_with_free_func (target_free);
  return self;
}

void
targets_free (Targets *self)
{
  g_ptr_array_unref (self->list);
  g_free (self);
}

static Target *
find (Targets *self, const gchar *what)
{
  Target *target;

  for (guint i = 0; i < self->list->len; i++) {
    target = g_ptr_array_index (self->list, i);
    if (g_str_equal (target->what, what))
      return target;
  }
  target = g_new0 (Target, 1);
  target->what = g_strdup (what);
  g_ptr_array_add (self->list, target);
  return target;
}

void
targets_add (Targets *self, const gchar *what, const gchar *where,
    gdouble share, gdouble least)
{
  Target *target = find (self, what);

  target->n++;
  target->n_met += share >= least;
  if (target->where && share / least >= target->share / target->least)
    return;
  g_free (target->where);
  target->where = g_strdup (where);
  target->share = share;
  target->least = least;
}

void
targets_print (const Targets *self)
{
  for (guint i = 0; i < self->list->len; i++) {
    const Target *target = g_ptr_array_index (self->list, i);

    g_print ("%-6s %u of %u: %s: worst %.3f of the limit where %.3f is asked "
             "for, %s\n",
        target->n_met == target->n ? "met" : "MISSED", target->n_met, target->n,
        target->what, target->share, target->least, target->where);
  }
}
