/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "device.h"

#include <stdio.h>
#include <strings.h>

#include "arena.h"
#include "attributes.h"
#include "call.h"
#include "config.h"
#include "scheduler.h"
#include "visible.h"

static bool initialized;
static int n_devices;
static int numbers[SC_MAX_DEVICES]; /* of the cards behind the ordinals */

static CUresult
init (unsigned flags)
{
  if (flags)
    return CUDA_ERROR_INVALID_VALUE;
  if (initialized)
    return CUDA_SUCCESS;
  n_devices = sc_visible_cards (sc_config ()->devices, numbers);
  if (n_devices <= 0)
    return n_devices == 0 ? CUDA_ERROR_NO_DEVICE : CUDA_ERROR_INVALID_DEVICE;
  if (!sc_arena_open () || !sc_sched_start ())
    return CUDA_ERROR_OUT_OF_MEMORY;
  initialized = true;
  return CUDA_SUCCESS;
}

bool
sc_device_initialized (void)
{
  return initialized;
}

bool
sc_device_valid (CUdevice device)
{
  return device >= 0 && device < n_devices;
}

static CUresult
get (CUdevice *device, int ordinal)
{
  if (!device)
    return CUDA_ERROR_INVALID_VALUE;
  if (!sc_device_valid (ordinal))
    return CUDA_ERROR_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

static CUresult
get_name (char *name, int size, CUdevice device)
{
  snprintf (name, (size_t) size, "softcuda %d", numbers[device]);
  return CUDA_SUCCESS;
}

static CUresult
get_uuid (CUuuid *uuid, CUdevice device)
{
  sc_card_uuid (numbers[device], (unsigned char *) uuid->bytes);
  return CUDA_SUCCESS;
}

static CUresult
get_luid (char *luid, unsigned *mask, CUdevice device)
{
  return CUDA_ERROR_NOT_SUPPORTED; /* Windows has them */
}

static CUresult
get_bus_id (char *id, int size, CUdevice device)
{
  snprintf (id, (size_t) size, "0000:%02X:00.0", numbers[device] + 1);
  return CUDA_SUCCESS;
}

static CUresult
by_bus_id (CUdevice *device, const char *id)
{
  char other[16];

  for (*device = 0; *device < n_devices; ++*device) {
    get_bus_id (other, sizeof other, *device);
    if (!strcasecmp (id, other))
      return CUDA_SUCCESS;
  }
  return CUDA_ERROR_INVALID_DEVICE;
}

static CUresult
get_attribute (int *value, CUdevice_attribute attribute, CUdevice device)
{
  if (!value)
    return CUDA_ERROR_INVALID_VALUE;
  if (attribute == CU_DEVICE_ATTRIBUTE_PCI_BUS_ID) {
    *value = numbers[device] + 1;
    return CUDA_SUCCESS;
  }
  return sc_attribute (value, attribute);
}

static CUresult
get_version (int *version)
{
  if (!version)
    return CUDA_ERROR_INVALID_VALUE;
  *version = CUDA_VERSION;
  return CUDA_SUCCESS;
}

#define ON_DEVICE(device, expr)                                                \
  SC_API (SC_NEED_INIT,                                                        \
      sc_device_valid (device) ? (expr) : CUDA_ERROR_INVALID_DEVICE)

CUresult CUDAAPI
cuInit (unsigned int flags)
{
  SC_API (SC_NEED_NOTHING, init (flags));
}

CUresult CUDAAPI
cuDriverGetVersion (int *version)
{
  SC_API (SC_NEED_NOTHING, get_version (version));
}

CUresult CUDAAPI
cuDeviceGet (CUdevice *device, int ordinal)
{
  SC_API (SC_NEED_INIT, get (device, ordinal));
}

CUresult CUDAAPI
cuDeviceGetCount (int *count)
{
  SC_API (SC_NEED_INIT, (*count = n_devices, CUDA_SUCCESS));
}

CUresult CUDAAPI
cuDeviceGetName (char *name, int size, CUdevice device)
{
  ON_DEVICE (device, get_name (name, size, device));
}

CUresult CUDAAPI
cuDeviceGetUuid (CUuuid *uuid, CUdevice device)
{
  ON_DEVICE (device, get_uuid (uuid, device));
}

CUresult CUDAAPI
cuDeviceGetUuid_v2 (CUuuid *uuid, CUdevice device)
{
  ON_DEVICE (device, get_uuid (uuid, device));
}

CUresult CUDAAPI
cuDeviceGetLuid (char *luid, unsigned int *mask, CUdevice device)
{
  ON_DEVICE (device, get_luid (luid, mask, device));
}

CUresult CUDAAPI
cuDeviceGetPCIBusId (char *id, int size, CUdevice device)
{
  ON_DEVICE (device, get_bus_id (id, size, device));
}

CUresult CUDAAPI
cuDeviceGetByPCIBusId (CUdevice *device, const char *id)
{
  SC_API (SC_NEED_INIT, by_bus_id (device, id));
}

CUresult CUDAAPI
cuDeviceTotalMem_v2 (size_t *bytes, CUdevice device)
{
  ON_DEVICE (device, (*bytes = sc_config ()->memory, CUDA_SUCCESS));
}

CUresult CUDAAPI
cuDeviceComputeCapability (int *major, int *minor, CUdevice device)
{
  ON_DEVICE (device,
      (*major = sc_config ()->capability / 10,
          *minor = sc_config ()->capability % 10, CUDA_SUCCESS));
}

CUresult CUDAAPI
cuDeviceGetAttribute (int *value, CUdevice_attribute attribute, CUdevice device)
{
  ON_DEVICE (device, get_attribute (value, attribute, device));
}
