/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Our declarations of DLPack's structs are those of its header. */

#include <dlpack/dlpack.h>
#include <glib.h>
#include <gst/zc/gstzcdlpackabi.h>
#include <stddef.h>

#define SAME_SIZE(a, b) g_assert_cmpuint (sizeof (a), ==, sizeof (b))
#define SAME_PLACE(a, member_a, b, member_b)                                   \
  G_STMT_START                                                                 \
  {                                                                            \
    g_assert_cmpuint (offsetof (a, member_a), ==, offsetof (b, member_b));     \
    g_assert_cmpuint (sizeof (((a *) 0)->member_a), ==,                        \
        sizeof (((b *) 0)->member_b));                                         \
  }                                                                            \
  G_STMT_END

static void
test_tensor (void)
{
  SAME_SIZE (ZcDLTensor, DLTensor);
  SAME_SIZE (ZcDLDataType, DLDataType);
  SAME_PLACE (ZcDLDataType, code, DLDataType, code);
  SAME_PLACE (ZcDLDataType, bits, DLDataType, bits);
  SAME_PLACE (ZcDLDataType, lanes, DLDataType, lanes);
  SAME_PLACE (ZcDLTensor, data, DLTensor, data);
  SAME_PLACE (ZcDLTensor, device_type, DLTensor, device.device_type);
  SAME_PLACE (ZcDLTensor, device_id, DLTensor, device.device_id);
  SAME_PLACE (ZcDLTensor, ndim, DLTensor, ndim);
  SAME_PLACE (ZcDLTensor, dtype, DLTensor, dtype);
  SAME_PLACE (ZcDLTensor, shape, DLTensor, shape);
  SAME_PLACE (ZcDLTensor, strides, DLTensor, strides);
  SAME_PLACE (ZcDLTensor, byte_offset, DLTensor, byte_offset);
}

static void
test_managed (void)
{
  SAME_SIZE (ZcDLManagedTensor, DLManagedTensor);
  SAME_PLACE (ZcDLManagedTensor, dl_tensor, DLManagedTensor, dl_tensor);
  SAME_PLACE (ZcDLManagedTensor, manager_ctx, DLManagedTensor, manager_ctx);
  SAME_PLACE (ZcDLManagedTensor, deleter, DLManagedTensor, deleter);
}

static void
test_versioned (void)
{
  SAME_SIZE (ZcDLManagedTensorVersioned, struct DLManagedTensorVersioned);
  SAME_PLACE (ZcDLManagedTensorVersioned, major,
      struct DLManagedTensorVersioned, version.major);
  SAME_PLACE (ZcDLManagedTensorVersioned, minor,
      struct DLManagedTensorVersioned, version.minor);
  SAME_PLACE (ZcDLManagedTensorVersioned, manager_ctx,
      struct DLManagedTensorVersioned, manager_ctx);
  SAME_PLACE (ZcDLManagedTensorVersioned, deleter,
      struct DLManagedTensorVersioned, deleter);
  SAME_PLACE (ZcDLManagedTensorVersioned, flags,
      struct DLManagedTensorVersioned, flags);
  SAME_PLACE (ZcDLManagedTensorVersioned, dl_tensor,
      struct DLManagedTensorVersioned, dl_tensor);
}

static void
test_values (void)
{
  g_assert_cmpint (ZC_DL_CUDA, ==, kDLCUDA);
  g_assert_cmpint (ZC_DL_CUDA_MANAGED, ==, kDLCUDAManaged);
  g_assert_cmpint (ZC_DL_UINT, ==, kDLUInt);
  g_assert_cmpint (ZC_DL_MAJOR, ==, DLPACK_MAJOR_VERSION);
  g_assert_cmphex (ZC_DL_READ_ONLY, ==, DLPACK_FLAG_BITMASK_READ_ONLY);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/dlpack-abi/tensor", test_tensor);
  g_test_add_func ("/dlpack-abi/managed", test_managed);
  g_test_add_func ("/dlpack-abi/versioned", test_versioned);
  g_test_add_func ("/dlpack-abi/values", test_values);
  return g_test_run ();
}
