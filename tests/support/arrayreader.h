/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Other software that is handed a CUDA array and respects the stream that it
 * names, as CuPy does. */
#pragma once

#include "cudatest.h"

G_BEGIN_DECLS

/* The plane that @array, of three dimensions, describes. */
GstZcPlane array_reader_plane (const GstZcArray *array);

/* Makes @stream, of the primary context, wait for what @array says. */
void array_reader_wait (const GstZcArray *array, GstZcStream *stream);

/* The bytes of all rows, without what is between them, read on a stream of its
 * own in the primary context. To be freed with g_free(). */
guint8 *array_reader_bytes (const GstZcArray *array);

G_END_DECLS
