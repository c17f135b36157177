/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "zcjson.h"

static void
append_quoted (GString *text, const gchar *value)
{
  g_autofree gchar *valid = g_utf8_make_valid (value, -1);

  g_string_append_c (text, '"');
  for (const gchar *at = valid; *at; at++) {
    if (*at == '"' || *at == '\\')
      g_string_append_c (text, '\\');
    if ((guchar) *at < 0x20)
      g_string_append_printf (text, "\\u%04x", *at);
    else
      g_string_append_c (text, *at);
  }
  g_string_append_c (text, '"');
}

static void
begin (ZcJson *self, const gchar *key)
{
  if (self->follows)
    g_string_append_c (self->text, ',');
  self->follows = TRUE;
  if (key == NULL)
    return;
  append_quoted (self->text, key);
  g_string_append_c (self->text, ':');
}

void
zc_json_open (ZcJson *self, const gchar *key, gchar bracket)
{
  begin (self, key);
  g_string_append_c (self->text, bracket);
  self->follows = FALSE;
}

void
zc_json_close (ZcJson *self, gchar bracket)
{
  g_string_append_c (self->text, bracket);
  self->follows = TRUE;
}

void
zc_json_string (ZcJson *self, const gchar *key, const gchar *value)
{
  begin (self, key);
  if (value != NULL)
    append_quoted (self->text, value);
  else
    g_string_append (self->text, "null");
}

void
zc_json_int (ZcJson *self, const gchar *key, gint64 value)
{
  begin (self, key);
  g_string_append_printf (self->text, "%" G_GINT64_FORMAT, value);
}

void
zc_json_bool (ZcJson *self, const gchar *key, gboolean value)
{
  begin (self, key);
  g_string_append (self->text, value ? "true" : "false");
}

void
zc_json_decimal (ZcJson *self, const gchar *key, gint64 value, guint digits)
{
  guint64 part = ABS (value), unit = 1;

  for (guint i = 0; i < digits; i++)
    unit *= 10;
  begin (self, key);
  g_string_append_printf (self->text, "%s%" G_GUINT64_FORMAT ".%0*u",
      value < 0 ? "-" : "", part / unit, digits, (guint) (part % unit));
}
