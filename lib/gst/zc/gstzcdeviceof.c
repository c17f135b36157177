/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Where pixels live, for callers who have no context yet. */

#include <gst/cuda/gstcudamemory.h>

#include "gstzcaccess.h"
#include "gstzccontext-private.h"
#include "gstzcforeign.h"

gboolean
gst_zc_buffer_get_device (GstBuffer *buffer, gint *device, GError **error)
{
  g_autoptr (ZcContext) context = NULL;
  GstCudaMemory *memory;

  g_return_val_if_fail (GST_IS_BUFFER (buffer), FALSE);
  g_return_val_if_fail (device != NULL, FALSE);

  if (!zc_access_check_memories (buffer, error))
    return FALSE;
  memory = (GstCudaMemory *) gst_buffer_peek_memory (buffer, 0);
  context = zc_context_get (memory->context, error);
  if (!context)
    return FALSE;
  *device = context->device;
  return TRUE;
}

gboolean
gst_zc_address_get_device (guint64 address, gint *device, GError **error)
{
  int ordinal;

  g_return_val_if_fail (device != NULL, FALSE);

  if (!zc_cuda_init (error))
    return FALSE;
  if (!ZC_CU (NULL, cuPointerGetAttribute, &ordinal,
          CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address)) {
    g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT,
        "data: the driver does not know the address 0x%" G_GINT64_MODIFIER
        "x; give a device address that is still allocated",
        address);
    return FALSE;
  }
  *device = ordinal;
  return TRUE;
}
