/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#pragma once

/* Private: what the makers of arrays share. */

#include <gst/zc/gstzcarray.h>
#include <gst/zc/gstzcstream-private.h>

G_BEGIN_DECLS

/* Has @array name @stream, which it keeps. (transfer full) */
void zc_array_take_stream (GstZcArray *array, GstZcStream *stream);

/* Bytes of an element, or 0 for what is no type. */
gsize zc_array_item_size (const gchar *typestr);

G_END_DECLS
