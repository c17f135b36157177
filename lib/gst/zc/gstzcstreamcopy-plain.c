/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* For processors of which nothing better is known. */

#include "gstzcstreamcopy.h"

#include <string.h>

void
zc_stream_copy_rows (guint8 *to, gsize to_stride, const guint8 *from,
    gsize from_stride, gsize row_bytes, gsize rows)
{
  for (gsize y = 0; y < rows; y++)
    memcpy (to + y * to_stride, from + y * from_stride, row_bytes);
}
