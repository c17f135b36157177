/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* For dladdr(). */
#define _GNU_SOURCE

#include "gstzcdeviceinfo.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

#include "flipfatbin.h"
#include "gstzccuda.h"

static gchar *
path_of (gconstpointer function)
{
  g_autofree char *real = NULL;
  Dl_info info;

  if (!function || !dladdr (function, &info) || !info.dli_fname)
    return NULL;
  real = realpath (info.dli_fname, NULL);
  return g_strdup (real ? real : info.dli_fname);
}

static void
add_version (GstStructure *structure)
{
  int version = 0, count = 0;

  if (zc_cu.cuDriverGetVersion (&version) == CUDA_SUCCESS)
    gst_structure_set (structure, "version", G_TYPE_UINT, version, NULL);
  if (zc_cu.cuDeviceGetCount (&count) == CUDA_SUCCESS)
    gst_structure_set (structure, "devices", G_TYPE_UINT, count, NULL);
}

GstStructure *
gst_zc_driver_info (void)
{
  GstStructure *structure = gst_structure_new_empty ("application/x-zc-driver");
  g_autoptr (GError) error = NULL;
  g_autofree gchar *path = NULL;

  if (zc_cuda_init (&error))
    add_version (structure);
  else
    gst_structure_set (structure, "error", G_TYPE_STRING, error->message,
        "error-code", G_TYPE_INT, error->code, NULL);
  path = path_of (*(gconstpointer *) &zc_cu.cuInit);
  if (path)
    gst_structure_set (structure, "path", G_TYPE_STRING, path, NULL);
  return structure;
}

const gchar *
gst_zc_kernel_architectures (void)
{
  return zc_flip_fatbin_architectures;
}

/* Code for sm_80 runs on 8.6, not on 9.0; PTX for compute_75 on all from 7.5. */
static const gchar *
kernels_for (guint major, guint minor)
{
  g_auto (GStrv) names = g_strsplit (zc_flip_fatbin_architectures, " ", -1);
  const gchar *found = "none";

  for (guint i = 0; names[i]; i++) {
    guint number = 0;

    if (sscanf (names[i], "sm_%u", &number) == 1 && number / 10 == major &&
        number % 10 <= minor)
      return "cubin";
    if (sscanf (names[i], "compute_%u", &number) == 1 &&
        number <= major * 10 + minor)
      found = "ptx";
  }
  return found;
}

static gboolean
find_device (guint device_id, CUdevice *device, GError **error)
{
  int count;

  if (!zc_cuda_init (error) || !ZC_CU (error, cuDeviceGetCount, &count))
    return FALSE;
  if (device_id < (guint) count)
    return ZC_CU (error, cuDeviceGet, device, device_id);
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_WRONG_DEVICE,
      "There is no CUDA device %u: this process sees %d, numbered from 0",
      device_id, count);
  return FALSE;
}

/* To be freed with g_free(). */
static gchar *
uuid_text (const CUuuid *uuid)
{
  GString *text = g_string_new ("GPU-");

  for (guint i = 0; i < sizeof (uuid->bytes); i++)
    g_string_append_printf (text, "%s%02x",
        i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "",
        (guint8) uuid->bytes[i]);
  return g_string_free (text, FALSE);
}

GstStructure *
gst_zc_device_info (guint device_id, GError **error)
{
  g_autofree gchar *uuid = NULL;
  char name[256], bus[32];
  unsigned int flags;
  CUuuid uuid_bytes;
  CUdevice device;
  size_t memory;
  int major, minor, active;

  if (!find_device (device_id, &device, error) ||
      !ZC_CU (error, cuDeviceGetName, name, sizeof (name), device) ||
      !ZC_CU (error, cuDeviceGetPCIBusId, bus, sizeof (bus), device) ||
      !ZC_CU (error, cuDeviceGetUuid, &uuid_bytes, device) ||
      !ZC_CU (error, cuDeviceTotalMem, &memory, device) ||
      !ZC_CU (error, cuDeviceGetAttribute, &major,
          CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device) ||
      !ZC_CU (error, cuDeviceGetAttribute, &minor,
          CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device) ||
      !ZC_CU (error, cuDevicePrimaryCtxGetState, device, &flags, &active))
    return NULL;
  uuid = uuid_text (&uuid_bytes);
  return gst_structure_new ("application/x-zc-device", "name", G_TYPE_STRING,
      name, "pci-bus-id", G_TYPE_STRING, bus, "uuid", G_TYPE_STRING, uuid,
      "memory", G_TYPE_UINT64, (guint64) memory, "major", G_TYPE_UINT, major,
      "minor", G_TYPE_UINT, minor, "primary-context-active", G_TYPE_BOOLEAN,
      active != 0, "kernels", G_TYPE_STRING, kernels_for (major, minor), NULL);
}

gboolean
gst_zc_device_can_access_peer (guint device_id, guint peer_id, GError **error)
{
  CUdevice device, peer;
  int can = 0;

  return find_device (device_id, &device, error) &&
      find_device (peer_id, &peer, error) &&
      ZC_CU (error, cuDeviceCanAccessPeer, &can, device, peer) && can;
}
