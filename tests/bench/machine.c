/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "machine.h"

#include "driver.h"

#include <dlfcn.h>
#include <gst/gst.h>

/* By NVML, since the driver API tells the version of CUDA only */
static gchar *
driver_version (void)
{
  void *nvml = dlopen ("libnvidia-ml.so.1", RTLD_NOW);
  int (*init) (void) = nvml ? dlsym (nvml, "nvmlInit_v2") : NULL;
  int (*get) (char *, unsigned) =
      nvml ? dlsym (nvml, "nvmlSystemGetDriverVersion") : NULL;
  char text[80];

  if (init && get && init () == 0 && get (text, sizeof text) == 0)
    return g_strdup (text);
  return g_strdup ("unknown");
}

static gchar *
gpu_name (void)
{
  CUdevice device;
  char text[256];

  if (cu.cuDeviceGet (&device, 0) == CUDA_SUCCESS &&
      cu.cuDeviceGetName (text, sizeof text, device) == CUDA_SUCCESS)
    return g_strdup (text);
  return g_strdup ("no GPU");
}

static gchar *
cuda_version (void)
{
  int version = 0;

  cu.cuDriverGetVersion (&version);
  return g_strdup_printf ("%d.%d", version / 1000, version % 1000 / 10);
}

void
machine_init (Machine *self)
{
  guint major, minor, micro, nano;
  gboolean loaded = driver_load (NULL);

  gst_version (&major, &minor, &micro, &nano);
  *self = (Machine) {
    .gpu = loaded ? gpu_name () : g_strdup ("no GPU"),
    .driver = driver_version (),
    .cuda = loaded ? cuda_version () : g_strdup ("none"),
    .gstreamer = g_strdup_printf ("%u.%u.%u", major, minor, micro),
  };
  self->soft = g_str_has_prefix (self->gpu, "softcuda");
}

void
machine_clear (Machine *self)
{
  g_free (self->gpu);
  g_free (self->driver);
  g_free (self->cuda);
  g_free (self->gstreamer);
  *self = (Machine) { 0 };
}
