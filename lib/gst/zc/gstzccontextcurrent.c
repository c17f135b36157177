/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The context that somebody else's code has made current. */

#include "gstzccontext-private.h"

/* Retaining would make one, where there is none. */
static gboolean
is_primary (CUcontext handle, CUdevice device)
{
  CUcontext primary = NULL;
  unsigned int flags;
  int active = 0;

  if (!ZC_CU (NULL, cuDevicePrimaryCtxGetState, device, &flags, &active) ||
      !active || !ZC_CU (NULL, cuDevicePrimaryCtxRetain, &primary, device))
    return FALSE;
  ZC_CU (NULL, cuDevicePrimaryCtxRelease, device);
  return primary == handle;
}

/* By handle: it may be that of a context which is gone, so nothing is asked of
 * it. */
static ZcContext *
find_primary (CUcontext handle)
{
  GstCudaContext *wrapper = NULL;
  ZcContext *self;
  int count = 0, i;

  if (!ZC_CU (NULL, cuDeviceGetCount, &count))
    return NULL;
  for (i = 0; !wrapper && i < count; i++) {
    CUdevice device;

    if (ZC_CU (NULL, cuDeviceGet, &device, i) && is_primary (handle, device))
      wrapper = gst_zc_context_new (i, NULL);
  }
  if (!wrapper)
    return NULL;
  self = zc_context_get (wrapper, NULL);
  gst_object_unref (wrapper);
  return self;
}

ZcContext *
zc_context_find_current (void)
{
  static gsize said = 0;
  CUcontext handle = NULL;
  ZcContext *self;

  if (!zc_cuda_init (NULL) || !ZC_CU (NULL, cuCtxGetCurrent, &handle) ||
      !handle)
    return NULL;
  self = zc_context_find (handle);
  if (!self)
    self = find_primary (handle);
  if (!self && g_once_init_enter (&said)) {
    GST_WARNING ("Frames are used in a CUDA context of which this library does "
                 "not know; it can't come after what is read there. Tell it "
                 "with gst_zc_buffer_mark_read()");
    g_once_init_leave (&said, 1);
  }
  return self;
}
