/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "devicetest.h"

#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/zc.h>

#include "cudacall.h"

guint
device_test_count (void)
{
  g_autoptr (GError) error = NULL;
  GstCudaContext *first = gst_zc_context_new (0, &error);
  int count;

  if (!first)
    return 0;
  gst_object_unref (first);
  CUDA_TEST_CALL ("cuDeviceGetCount", (int *), &count);
  return count;
}

gboolean
device_test_have (guint needed)
{
  guint count = device_test_count ();
  g_autofree gchar *why =
      g_strdup_printf ("needs %u devices, there are %u", needed, count);

  if (count < needed)
    g_test_skip (why);
  return count >= needed;
}

static gint
device_of_address (CUdeviceptr address)
{
  int ordinal = -1;

  CUDA_TEST_CALL ("cuPointerGetAttribute",
      (void *, CUpointer_attribute, CUdeviceptr), &ordinal,
      CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address);
  return ordinal;
}

static gint
device_of_memory (GstMemory *memory)
{
  GstMapInfo map;
  gint device;

  g_assert_true (gst_is_cuda_memory (memory));
  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ | GST_MAP_CUDA));
  device = device_of_address ((CUdeviceptr) (guintptr) map.data);
  g_assert_cmpint (device_of_address ((CUdeviceptr) (guintptr) map.data +
                       map.size - 1),
      ==, device);
  gst_memory_unmap (memory, &map);
  return device;
}

gint
device_test_of (GstBuffer *buffer)
{
  gint device = device_of_memory (gst_buffer_peek_memory (buffer, 0));

  for (guint i = 1; i < gst_buffer_n_memory (buffer); i++)
    g_assert_cmpint (device_of_memory (gst_buffer_peek_memory (buffer, i)), ==,
        device);
  return device;
}

gboolean
device_test_is_legacy_ipc_capable (GstBuffer *buffer)
{
  int capable = 0; /* of which the driver may write a byte */
  GstMapInfo map;

  g_assert_true (gst_buffer_map (buffer, &map, GST_MAP_READ | GST_MAP_CUDA));
  CUDA_TEST_CALL ("cuPointerGetAttribute",
      (void *, CUpointer_attribute, CUdeviceptr), &capable,
      CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE,
      (CUdeviceptr) (guintptr) map.data);
  gst_buffer_unmap (buffer, &map);
  return capable != 0;
}

gchar *
device_test_uuid (guint device)
{
  GString *text = g_string_new ("GPU-");
  CUuuid uuid;

  CUDA_TEST_CALL ("cuDeviceGetUuid", (CUuuid *, CUdevice), &uuid, device);
  for (guint i = 0; i < sizeof uuid.bytes; i++) {
    if (i == 4 || i == 6 || i == 8 || i == 10)
      g_string_append_c (text, '-');
    g_string_append_printf (text, "%02x", (guint8) uuid.bytes[i]);
  }
  return g_string_free (text, FALSE);
}
