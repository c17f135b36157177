/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The driver's functions by name, found at run time. */
#pragma once

#include <cuda.h>
#include <glib.h>

G_BEGIN_DECLS

/* Any that is missing ends the program. */
gpointer cuda_test_find (const gchar *symbol);

/* The result of a call: CUDA_TEST_RESULT ("cuStreamQuery", (CUstream), NULL) */
#define CUDA_TEST_RESULT(symbol, params, ...)                                  \
  (((CUresult (*) params) cuda_test_find (symbol)) (__VA_ARGS__))

/* Any failure ends the test. */
#define CUDA_TEST_CALL(...)                                                    \
  g_assert_cmpint (CUDA_TEST_RESULT (__VA_ARGS__), ==, CUDA_SUCCESS)

G_END_DECLS
