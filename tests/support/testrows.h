/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* A test for each row of a table. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Adds PREFIX/NAME for each of @n rows, which lie @row_size bytes apart and begin
 * with the pointer to their name; @name is the first row's. @test is given its
 * row. */
void cuda_test_add_rows (const gchar *prefix, const gchar *const *name,
    gsize row_size, guint n, GTestDataFunc test);

/* The same for an array that lives as long as the program, of structures whose
 * first field is a name. */
#define CUDA_TEST_ADD_ROWS(prefix, rows, test)                                 \
  cuda_test_add_rows (prefix, &(rows)[0].name, sizeof ((rows)[0]),             \
      G_N_ELEMENTS (rows), test)

G_END_DECLS
