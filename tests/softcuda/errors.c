/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "call.h"

#include "errornames.h"

typedef struct
{
  CUresult code;
  const char *name;
} ErrorName;

static const ErrorName names[] = { SC_ERROR_NAMES };

static const char *
find_name (CUresult code)
{
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].code == code)
      return names[i].name;
  return NULL;
}

static CUresult
answer (const char **text, const char *found)
{
  if (text)
    *text = found;
  return text && found ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE;
}

/* No lock and no failure injection: programs ask while they report one, and a
 * stub library answers too. */
CUresult CUDAAPI
cuGetErrorName (CUresult error, const char **text)
{
  return answer (text, find_name (error));
}

CUresult CUDAAPI
cuGetErrorString (CUresult error, const char **text)
{
  return answer (text, find_name (error));
}
