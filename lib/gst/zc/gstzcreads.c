/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "gstzcreads.h"

void
zc_reads_init (ZcReads *self)
{
  self->marks = g_array_new (FALSE, TRUE, sizeof (ZcMark));
  g_array_set_clear_func (self->marks, zc_mark_clear);
}

void
zc_reads_clear (ZcReads *self)
{
  g_clear_pointer (&self->marks, g_array_unref);
}

static ZcMark *
mark_at (ZcReads *self, guint i)
{
  return &g_array_index (self->marks, ZcMark, i);
}

ZcMark *
zc_reads_find (ZcReads *self, const ZcStreamKey *stream)
{
  ZcMark *free_mark = NULL;
  guint i;

  for (i = 0; i < self->marks->len; i++) {
    ZcMark *mark = mark_at (self, i);

    if (zc_mark_is_of (mark, stream))
      return mark;
    if (!mark->pending)
      free_mark = mark;
  }
  for (i = 0; !free_mark && i < self->marks->len; i++) {
    if (zc_mark_is_done (mark_at (self, i)))
      free_mark = mark_at (self, i);
  }
  if (free_mark)
    return free_mark;

  g_array_set_size (self->marks, self->marks->len + 1);
  return mark_at (self, self->marks->len - 1);
}

gboolean
zc_reads_wait (ZcReads *self, ZcBarrier which, const ZcStreamKey *stream,
    GError **error)
{
  guint i;

  for (i = 0; i < self->marks->len; i++) {
    if (!zc_mark_barrier (mark_at (self, i), which, stream, error))
      return FALSE;
  }
  return TRUE;
}

void
zc_reads_forget (ZcReads *self)
{
  guint i;

  for (i = 0; i < self->marks->len; i++)
    mark_at (self, i)->pending = FALSE;
}

gboolean
zc_reads_are_done (ZcReads *self)
{
  guint i;

  for (i = 0; i < self->marks->len; i++) {
    if (!zc_mark_is_done (mark_at (self, i)))
      return FALSE;
  }
  return TRUE;
}
