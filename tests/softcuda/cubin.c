/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "cubin.h"

#include <elf.h>
#include <stdlib.h>
#include <string.h>

#define INFO_PREFIX ".nv.info."

/* Records of a .nv.info section: a format byte, an attribute byte, then a
 * 16-bit value or, for the sized format, a size and so many bytes. */
#define FORMAT_SIZED 0x04
#define ATTRIBUTE_PARAM_INFO 0x17 /* index, ordinal, offset, packed size */
#define ATTRIBUTE_ARGS_SIZE 0x19
#define PARAM_SIZE_SHIFT 18

typedef struct
{
  uint8_t format, attribute;
  uint16_t value;
} Record;

typedef struct
{
  uint32_t index;
  uint16_t ordinal, offset;
  uint32_t packed;
} ParamInfo;

bool
sc_cubin_is (const void *image)
{
  return !memcmp (image, ELFMAG, SELFMAG) &&
      ((const unsigned char *) image)[EI_CLASS] == ELFCLASS64;
}

static void
read_param (ScKernelInfo *kernel, const void *data)
{
  ParamInfo info;

  memcpy (&info, data, sizeof info);
  if (info.ordinal >= SC_MAX_PARAMS)
    return;
  kernel->params[info.ordinal] =
      (ScParam) { info.offset, info.packed >> PARAM_SIZE_SHIFT };
  if (info.ordinal >= kernel->n_params)
    kernel->n_params = info.ordinal + 1u;
}

static void
read_info (ScKernelInfo *kernel, const char *data, size_t size)
{
  Record record;

  for (size_t at = 0; at + sizeof record <= size; at += sizeof record) {
    memcpy (&record, data + at, sizeof record);
    if (record.attribute == ATTRIBUTE_ARGS_SIZE)
      kernel->args_size = record.value;
    if (record.format != FORMAT_SIZED)
      continue;
    if (record.value > size - at - sizeof record)
      return;
    if (record.attribute == ATTRIBUTE_PARAM_INFO &&
        record.value >= sizeof (ParamInfo))
      read_param (kernel, data + at + sizeof record);
    at += record.value;
  }
}

static ScKernelInfo *
read_kernel (const char *name, const char *data, size_t size)
{
  ScKernelInfo *kernel = calloc (1, sizeof *kernel);

  if (kernel)
    kernel->name = strdup (name);
  if (kernel)
    read_info (kernel, data, size);
  return kernel;
}

ScKernelInfo *
sc_cubin_read (const void *image)
{
  const char *base = image;
  const Elf64_Ehdr *elf = image;
  const Elf64_Shdr *sections = (const Elf64_Shdr *) (base + elf->e_shoff);
  ScKernelInfo *kernels = NULL;
  const char *names;

  if (!elf->e_shoff || elf->e_shstrndx >= elf->e_shnum)
    return NULL;
  names = base + sections[elf->e_shstrndx].sh_offset;
  for (unsigned i = 0; i < elf->e_shnum; i++) {
    const char *name = names + sections[i].sh_name;
    ScKernelInfo *kernel;
    if (strncmp (name, INFO_PREFIX, strlen (INFO_PREFIX)))
      continue;
    kernel = read_kernel (name + strlen (INFO_PREFIX),
        base + sections[i].sh_offset, sections[i].sh_size);
    if (!kernel)
      continue;
    kernel->next = kernels;
    kernels = kernel;
  }
  return kernels;
}

void
sc_cubin_free (ScKernelInfo *kernels)
{
  while (kernels) {
    ScKernelInfo *next = kernels->next;
    free (kernels->name);
    free (kernels);
    kernels = next;
  }
}
