/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* libnvrtc.so with g++ for a compiler: what it makes runs on softcuda only. */

#include "nvrtc.h"

#include <stdlib.h>
#include <string.h>

#include "compile.h"

typedef struct
{
  char *source, *log;
  void *image;
  size_t size;
} Program;

NvrtcResult
nvrtcVersion (int *major, int *minor)
{
  *major = 12;
  *minor = 4;
  return NVRTC_SUCCESS;
}

const char *
nvrtcGetErrorString (NvrtcResult result)
{
  return result == NVRTC_SUCCESS ? "NVRTC_SUCCESS" : "NVRTC_ERROR";
}

NvrtcResult
nvrtcCreateProgram (void **made, const char *source, const char *name,
    int n_headers, const char *const *headers, const char *const *include_names)
{
  Program *program;

  if (!made || !source || n_headers > 0)
    return NVRTC_ERROR_INVALID_INPUT;
  program = calloc (1, sizeof *program);
  if (!program)
    return NVRTC_ERROR_OUT_OF_MEMORY;
  program->source = strdup (source);
  *made = program;
  return NVRTC_SUCCESS;
}

NvrtcResult
nvrtcDestroyProgram (void **handle)
{
  Program *program = *handle;

  if (program) {
    free (program->source);
    free (program->log);
    free (program->image);
  }
  free (program);
  *handle = NULL;
  return NVRTC_SUCCESS;
}

NvrtcResult
nvrtcCompileProgram (void *handle, int n, const char *const *options)
{
  Program *program = handle;

  return sc_compile (program->source, options, n, &program->image,
             &program->size, &program->log)
      ? NVRTC_SUCCESS
      : NVRTC_ERROR_COMPILATION;
}

static NvrtcResult
get_size (const Program *program, size_t *size)
{
  *size = program->size;
  return program->image ? NVRTC_SUCCESS : NVRTC_ERROR_INVALID_PROGRAM;
}

static NvrtcResult
get_image (const Program *program, char *image)
{
  if (!program->image)
    return NVRTC_ERROR_INVALID_PROGRAM;
  memcpy (image, program->image, program->size);
  return NVRTC_SUCCESS;
}

NvrtcResult
nvrtcGetPTXSize (void *program, size_t *size)
{
  return get_size (program, size);
}

NvrtcResult
nvrtcGetPTX (void *program, char *ptx)
{
  return get_image (program, ptx);
}

NvrtcResult
nvrtcGetCUBINSize (void *program, size_t *size)
{
  return get_size (program, size);
}

NvrtcResult
nvrtcGetCUBIN (void *program, char *cubin)
{
  return get_image (program, cubin);
}

NvrtcResult
nvrtcGetProgramLogSize (void *handle, size_t *size)
{
  const Program *program = handle;

  *size = program->log ? strlen (program->log) + 1 : 1;
  return NVRTC_SUCCESS;
}

NvrtcResult
nvrtcGetProgramLog (void *handle, char *log)
{
  const Program *program = handle;

  strcpy (log, program->log ? program->log : "");
  return NVRTC_SUCCESS;
}
