/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Writes JSON into a string: of the tracer's file and of gst-zc-info. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct
{
  GString *text; /* not owned */
  gboolean follows; /* something stands before in the same brackets */
} ZcJson;

#define ZC_JSON_INIT(text) { (text), FALSE }

/* @key is NULL in an array and at the top. @bracket is '{' or '['. */
void zc_json_open (ZcJson *self, const gchar *key, gchar bracket);
/* @bracket is '}' or ']'. */
void zc_json_close (ZcJson *self, gchar bracket);

/* NULL is null. */
void zc_json_string (ZcJson *self, const gchar *key, const gchar *value);
void zc_json_int (ZcJson *self, const gchar *key, gint64 value);
void zc_json_bool (ZcJson *self, const gchar *key, gboolean value);
/* @value of 10^-digits, as 12345 with 3 digits for 12.345. */
void zc_json_decimal (ZcJson *self, const gchar *key, gint64 value,
    guint digits);

G_END_DECLS
