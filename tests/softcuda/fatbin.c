/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "fatbin.h"

#include <string.h>

#include "cubin.h"
#include "report.h"

#define FATBIN_MAGIC 0xba55ed50u
#define WRAPPER_MAGIC 0x466243b1u
#define KIND_PTX 1
#define KIND_CUBIN 2

typedef struct
{
  uint32_t magic;
  uint16_t version, header_size;
  uint64_t size; /* of the entries, behind the header */
} Fatbin;

typedef struct
{
  uint32_t magic, version;
  const void *fatbin;
} Wrapper;

typedef struct
{
  uint16_t kind, version;
  uint32_t header_size;
  uint64_t size; /* of the payload, behind the header */
  uint32_t compressed_size, unused;
  uint16_t minor, major;
  uint32_t architecture; /* 90 for sm_90 */
} Entry;

/* Code runs on devices of its own major version from its minor one on. */
static bool
runs_on (const Entry *entry, int capability)
{
  int architecture = (int) entry->architecture;

  return entry->kind == KIND_CUBIN && architecture <= capability &&
      architecture / 10 == capability / 10;
}

/* A driver makes code of PTX for all devices from its own version on. */
static bool
compiles_for (const Entry *entry, int capability)
{
  return entry->kind == KIND_PTX && (int) entry->architecture <= capability;
}

static CUresult
take (const Entry *entry, const void **cubin)
{
  const void *payload = (const char *) entry + entry->header_size;

  if (entry->compressed_size || !sc_cubin_is (payload)) {
    sc_report ("the image for sm_%u is compressed: softcuda wants "
               "nvcc --no-compress",
        entry->architecture);
    return CUDA_ERROR_INVALID_IMAGE;
  }
  *cubin = payload;
  return CUDA_SUCCESS;
}

/* What can be had of the entries of a fatbin. */
typedef struct
{
  const Entry *best, *any; /* cubins */
  bool compiles;
} Choice;

static void
look_at (Choice *self, const Entry *entry, int capability)
{
  if (entry->kind == KIND_CUBIN)
    self->any = entry;
  if (compiles_for (entry, capability))
    self->compiles = true;
  if (runs_on (entry, capability) &&
      (!self->best || entry->architecture > self->best->architecture))
    self->best = entry;
}

/* What would be made of PTX has the names and parameters of any cubin beside it,
 * and no more of it is looked at here. */
static CUresult
select_entry (const Fatbin *fatbin, int capability, const void **cubin)
{
  const char *at = (const char *) fatbin + fatbin->header_size;
  const char *end = at + fatbin->size;
  Choice choice = { 0 };

  while (at + sizeof (Entry) <= end) {
    const Entry *entry = (const Entry *) at;
    if (entry->header_size < sizeof (Entry) ||
        entry->size > (size_t) (end - at))
      return CUDA_ERROR_INVALID_IMAGE;
    look_at (&choice, entry, capability);
    at += entry->header_size + entry->size;
  }
  if (!choice.best && choice.compiles)
    choice.best = choice.any;
  return choice.best ? take (choice.best, cubin) : CUDA_ERROR_NO_BINARY_FOR_GPU;
}

CUresult
sc_fatbin_select (const void *image, int capability, const void **cubin)
{
  uint32_t magic;

  memcpy (&magic, image, sizeof magic);
  if (magic == WRAPPER_MAGIC)
    return sc_fatbin_select (((const Wrapper *) image)->fatbin, capability,
        cubin);
  if (magic == FATBIN_MAGIC)
    return select_entry (image, capability, cubin);
  if (!sc_cubin_is (image))
    return CUDA_ERROR_JIT_COMPILER_NOT_FOUND; /* the text of a PTX program */
  *cubin = image;
  return CUDA_SUCCESS;
}
