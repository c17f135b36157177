/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "testrows.h"

void
cuda_test_add_rows (const gchar *prefix, const gchar *const *name,
    gsize row_size, guint n, GTestDataFunc test)
{
  for (guint i = 0; i < n; i++) {
    const gchar *const *row =
        (gconstpointer) ((const guint8 *) name + i * row_size);
    g_autofree gchar *path = g_strdup_printf ("%s/%s", prefix, *row);

    g_test_add_data_func (path, row, test);
  }
}
