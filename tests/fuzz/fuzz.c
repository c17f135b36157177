/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "fuzz.h"

#include <gst/zc/zc.h>
#include <stdlib.h>
#include <string.h>

guint8
fuzz_u8 (FuzzInput *self)
{
  if (self->left == 0)
    return 0;
  self->left--;
  return *self->data++;
}

guint64
fuzz_u64 (FuzzInput *self)
{
  gsize n = MIN (self->left, sizeof (guint64));
  guint64 value = 0;

  memcpy (&value, self->data, n);
  self->data += n;
  self->left -= n;
  return value;
}

guint
fuzz_below (FuzzInput *self, guint n)
{
  return fuzz_u8 (self) % n;
}

gboolean
fuzz_chance (FuzzInput *self, guint n)
{
  return fuzz_u8 (self) % n == n - 1;
}

/* Where types, pages and sizes end. */
static const gint64 edges[] = { 0, 1, -1, 2, G_MAXINT8, G_MAXUINT8, 256, 512,
  4096, G_MAXINT16, G_MAXUINT16, 65536, G_MAXINT / 2, G_MAXINT - 1, G_MAXINT,
  G_MININT, G_MAXUINT, (gint64) G_MAXUINT + 1, G_MAXINT64 / 2, G_MAXINT64,
  G_MININT64 };

gint64
fuzz_near (FuzzInput *self, gint64 usual)
{
  guint8 how = fuzz_u8 (self);

  if (how < 160)
    return usual;
  if (how < 220)
    return (gint64) ((guint64) usual + (gint8) fuzz_u8 (self));
  if (how < 250)
    return edges[fuzz_below (self, G_N_ELEMENTS (edges))];
  return (gint64) fuzz_u64 (self);
}

gint
fuzz_near_int (FuzzInput *self, gint usual)
{
  return (gint) fuzz_near (self, usual);
}

gint
fuzz_size (FuzzInput *self)
{
  return fuzz_near_int (self, 1 + fuzz_below (self, 40));
}

GstVideoFormat
fuzz_format (FuzzInput *self)
{
  guint n, which = fuzz_u8 (self);
  const GstVideoFormat *served = gst_zc_format_list (&n);

  return which < 200 ? served[which % n] : (GstVideoFormat) (which - 200);
}

/* GLib's own way to end a program is a signal that libFuzzer does not know. */
static void
on_log (const gchar *domain, GLogLevelFlags level, const gchar *message,
    gpointer data)
{
  g_printerr ("%s: %s\n", domain ? domain : "", message);
  if (level & (G_LOG_LEVEL_CRITICAL | G_LOG_LEVEL_ERROR))
    abort ();
}

void
fuzz_init (int *argc, char ***argv)
{
  g_log_set_default_handler (on_log, NULL);
  gst_init (NULL, NULL);
  gst_debug_set_active (FALSE);
}

void
fuzz_check_error (gboolean ok, GError **error)
{
  fuzz_assert (ok == (*error == NULL));
  if (!ok)
    fuzz_assert (*error != NULL && (*error)->message[0] != '\0');
  g_clear_error (error);
}

gboolean
fuzz_lies_in (guint64 first, guint64 size, guint64 start, guint64 room)
{
  guint64 end;

  return g_uint64_checked_add (&end, first, size) && first >= start &&
      end - start <= room;
}
