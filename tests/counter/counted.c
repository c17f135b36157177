/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The counter itself: it sees one call of each function that counts, and passes
 * it on. */

#include <cuda.h>
#include <dlfcn.h>

#include "calls.h"

/* Enough for any of them: zeros are refused or do nothing. */
typedef CUresult (*AnyFunc) (gsize, gsize, gsize, gsize, gsize, gsize);

static gpointer
driver_function (const gchar *name)
{
  return dlsym (dlopen ("libcuda.so.1", RTLD_NOW), name);
}

static void
test_seen (gconstpointer data)
{
  CallKind kind = GPOINTER_TO_UINT (data);
  const gchar *const *names = calls_functions (kind);

  if (!calls_are_counted ())
    return;
  for (guint i = 0; names[i]; i++) {
    AnyFunc call = (AnyFunc) driver_function (names[i]);
    Calls before, after;

    g_assert_nonnull (call);
    calls_get (&before);
    /* Before cuInit (), so that nothing is done. */
    g_test_message ("%s: %d", names[i], call (0, 0, 0, 0, 0, 0));
    calls_get (&after);
    for (guint k = 0; k < CALLS_N_KINDS; k++)
      g_assert_cmpuint (after.n[k] - before.n[k], ==, k == kind);
  }
}

/* The CUDA runtime has its functions from here. */
static void
test_asked_for (void)
{
  CUresult (*ask) (const char *, void **, int, cuuint64_t, int *) =
      driver_function ("cuGetProcAddress_v2");
  CUresult (*version) (int *) = NULL;
  gulong before;
  int status, number;

  if (!calls_are_counted ())
    return;
  if (ask ("cuDriverGetVersion", (void **) &version, 12000, 0, &status) !=
      CUDA_SUCCESS) {
    g_test_skip ("there is no driver behind");
    return;
  }
  before = calls_of ("cuDriverGetVersion");
  g_assert_cmpint (version (&number), ==, CUDA_SUCCESS);
  g_assert_cmpint (number, >=, 12000);
  g_assert_cmpuint (calls_of ("cuDriverGetVersion"), ==, before + 1);
  g_assert_cmpuint (calls_beginning ("cuDriverGetV"), ==, before + 1);
  g_assert_cmpuint (calls_beginning ("cuDriverGetX"), ==, 0);
}

/* A function is found by what found it, too. */
static void
test_asked_for_itself (void)
{
  static const char *const names[] = { "cuGetProcAddress",
    "cuGetProcAddress_v2" };

  if (!calls_are_counted ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (names); i++) {
    CUresult (*ask) (const char *, void **, int, cuuint64_t, int *) =
        driver_function (names[i]);
    gpointer found = NULL;
    int status;

    if (ask ("cuGetProcAddress", &found, i ? 12000 : 11030, 0, &status) ==
        CUDA_SUCCESS)
      g_assert_true (found == driver_function (names[i]));
    else
      g_test_skip ("there is no driver behind");
  }
}

/* Arguments and results go through. */
static void
test_passed_on (void)
{
  CUresult (*version) (int *) = driver_function ("cuDriverGetVersion");
  CUresult (*text) (CUresult, const char **) =
      driver_function ("cuGetErrorName");
  const char *name = NULL;
  int number = 0;

  if (!calls_are_counted ())
    return;
  if (version (&number) == CUDA_ERROR_STUB_LIBRARY) {
    g_test_skip ("there is no driver behind");
    return;
  }
  g_assert_cmpint (number, >=, 12000);
  g_assert_cmpint (text (CUDA_ERROR_NOT_READY, &name), ==, CUDA_SUCCESS);
  g_assert_cmpstr (name, ==, "CUDA_ERROR_NOT_READY");
  g_assert_cmpuint (calls_of ("cuGetErrorName"), ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);

  for (guint kind = 0; kind < CALLS_N_KINDS; kind++) {
    g_autofree gchar *path =
        g_strdup_printf ("/counter/seen/%s", calls_kind_name (kind));

    g_test_add_data_func (path, GUINT_TO_POINTER (kind), test_seen);
  }
  g_test_add_func ("/counter/asked-for", test_asked_for);
  g_test_add_func ("/counter/asked-for-itself", test_asked_for_itself);
  g_test_add_func ("/counter/passed-on", test_passed_on);
  return g_test_run ();
}
