/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "zctracernumbers.h"

typedef struct
{
  gpointer context;
  gpointer stream; /* NULL: the context itself */
} Key;

static GArray *contexts; /* of Key */
static GArray *streams;

static guint
number_of (GArray **known, Key key)
{
  if (*known == NULL)
    *known = g_array_new (FALSE, FALSE, sizeof (Key));
  for (guint i = 0; i < (*known)->len; i++) {
    const Key *other = &g_array_index (*known, Key, i);

    if (other->context == key.context && other->stream == key.stream)
      return i + 1;
  }
  g_array_append_val (*known, key);
  return (*known)->len;
}

guint
zc_tracer_context_number (gpointer context)
{
  return number_of (&contexts, (Key) { context, NULL });
}

guint
zc_tracer_stream_number (gpointer context, gpointer stream)
{
  return stream ? number_of (&streams, (Key) { context, stream }) : 0;
}

void
zc_tracer_numbers_clear (void)
{
  g_clear_pointer (&contexts, g_array_unref);
  g_clear_pointer (&streams, g_array_unref);
}
