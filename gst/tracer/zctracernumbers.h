/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Contexts and streams have numbers, by first sight, from 1. With the tracer's
 * lock. */

#pragma once

#include <glib.h>

G_BEGIN_DECLS

guint zc_tracer_context_number (gpointer context);
/* NULL, the legacy stream, is 0. */
guint zc_tracer_stream_number (gpointer context, gpointer stream);
void zc_tracer_numbers_clear (void);

G_END_DECLS
