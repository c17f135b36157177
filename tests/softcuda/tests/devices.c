/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Which devices there are, and copies between two of them. */

#include "control.h"

#include <dlfcn.h>

#define SIZE 4096

static CUresult
init (int *count)
{
  void *library = dlopen ("libcuda.so.1", RTLD_NOW);
  CUresult (*cu_init) (unsigned) =
      (CUresult (*) (unsigned)) dlsym (library, "cuInit");
  CUresult (*get_count) (int *) =
      (CUresult (*) (int *)) dlsym (library, "cuDeviceGetCount");
  CUresult result = cu_init (0);

  *count = 0;
  return result == CUDA_SUCCESS ? get_count (count) : result;
}

static void
expect_count (gconstpointer data)
{
  int count;

  g_assert_cmpint (init (&count), ==, CUDA_SUCCESS);
  g_assert_cmpint (count, ==, GPOINTER_TO_INT (data));
}

static void
expect_error (gconstpointer data)
{
  int count;

  g_assert_cmpint (init (&count), ==, GPOINTER_TO_INT (data));
  g_assert_cmpint (init (&count), ==, GPOINTER_TO_INT (data));
}

/* The card behind an ordinal; no device of this process is asked. */
static void
expect_order (gconstpointer data)
{
  const char *why;
  CUuuid uuid;
  int count;

  g_assert_true (driver_load (&why));
  OK (cuDeviceGetCount (&count));
  g_assert_cmpint (count, ==, 2);
  for (int i = 0; i < count; i++) {
    OK (cuDeviceGetUuid (&uuid, i));
    g_assert_cmpint (uuid.bytes[0], ==, 2 - i);
  }
}

/* Copies between devices where neither reaches the other, by mode. */
static void
run_no_access (gconstpointer data)
{
  CUresult expected = (CUresult) GPOINTER_TO_INT (data);
  CUDA_MEMCPY3D_PEER box = { .srcMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .WidthInBytes = SIZE,
    .Height = 1,
    .Depth = 1 };
  CUcontext first, second;
  const char *why;
  int can;

  g_assert_true (driver_load (&why));
  OK (cuDeviceCanAccessPeer (&can, 0, 1));
  g_assert_false (can);
  OK (create_context (&first, 0, 0));
  OK (cuMemAlloc (&box.srcDevice, SIZE));
  OK (create_context (&second, 0, 1));
  OK (cuMemAlloc (&box.dstDevice, SIZE));
  EXPECT (CUDA_ERROR_PEER_ACCESS_UNSUPPORTED, cuCtxEnablePeerAccess (first, 0));
  box.srcContext = first;
  box.dstContext = second;
  EXPECT (expected, cuMemcpy3DPeerAsync (&box, NULL));
  EXPECT (expected,
      cuMemcpyPeerAsync (box.dstDevice, second, box.srcDevice, first, SIZE,
          NULL));
  OK (cuMemcpyPeerAsync (box.dstDevice, second, box.dstDevice, second, SIZE,
      NULL));
  OK (cuCtxSynchronize ());
}

typedef struct
{
  const char *path, *variable, *value;
  void (*func) (gconstpointer expected);
  int expected;
} Case;

static const Case cases[] = {
  { "standard", "SOFTCUDA_DEVICES", "", expect_count, 2 },
  { "five", "SOFTCUDA_DEVICES", "5", expect_count, 5 },
  { "visible", "CUDA_VISIBLE_DEVICES", "1", expect_count, 1 },
  { "visible-two", "CUDA_VISIBLE_DEVICES", "1,0", expect_count, 2 },
  { "visible-cut", "CUDA_VISIBLE_DEVICES", "0,7,1", expect_count, 1 },
  { "visible-minus", "CUDA_VISIBLE_DEVICES", "0,-1,1", expect_count, 1 },
  { "visible-words", "CUDA_VISIBLE_DEVICES", "1gpu2,0x", expect_count, 2 },
  { "visible-uuid", "CUDA_VISIBLE_DEVICES",
      "GPU-02736f66-7463-7564-612d-646576696365", expect_count, 1 },
  { "visible-prefix", "CUDA_VISIBLE_DEVICES", "GPU-02,GPU-01", expect_count,
      2 },
  { "visible-mixed", "CUDA_VISIBLE_DEVICES", "GPU-02,0", expect_count, 1 },
  { "visible-ambiguous", "CUDA_VISIBLE_DEVICES", "GPU-0", expect_error,
      CUDA_ERROR_NO_DEVICE },
  { "visible-unknown", "CUDA_VISIBLE_DEVICES", "GPU-7", expect_error,
      CUDA_ERROR_NO_DEVICE },
  { "visible-mig", "CUDA_VISIBLE_DEVICES", "MIG-01", expect_error,
      CUDA_ERROR_NO_DEVICE },
  { "visible-twice", "CUDA_VISIBLE_DEVICES", "0,1,0", expect_error,
      CUDA_ERROR_INVALID_DEVICE },
  { "order", "CUDA_VISIBLE_DEVICES", "1,0", expect_order, 0 },
  { "order-uuid", "CUDA_VISIBLE_DEVICES", "GPU-02,GPU-01", expect_order, 0 },
  { "staged", "SOFTCUDA_PEERS", "staged", run_no_access, CUDA_SUCCESS },
  { "no-access", "SOFTCUDA_PEERS", "none", run_no_access,
      CUDA_ERROR_PEER_ACCESS_UNSUPPORTED },
  { "none", "CUDA_VISIBLE_DEVICES", "", expect_error, CUDA_ERROR_NO_DEVICE },
  { "no-card", "SOFTCUDA_DEVICES", "0", expect_error, CUDA_ERROR_NO_DEVICE },
  { "stub", "SOFTCUDA_MODE", "stub", expect_error, CUDA_ERROR_STUB_LIBRARY },
};

static void
test_case (gconstpointer data)
{
  const Case *c = data;
  g_autofree char *path =
      g_strdup_printf ("/softcuda/devices/subprocess/%s", c->path);

  if (softcuda_panel ())
    control_run_with (path, c->variable, c->value);
  else
    g_test_skip ("needs the control panel of softcuda");
}

static void
test_peers (Scene *scene, gconstpointer data)
{
  CUcontext second;
  CUdeviceptr here, there;
  guint8 byte;
  int can;

  NEEDS (scene);
  OK (cuDeviceCanAccessPeer (&can, 0, 1));
  g_assert_true (can);
  OK (cuMemAlloc (&here, SIZE));
  OK (create_context (&second, 0, 1));
  OK (cuMemAlloc (&there, SIZE));
  OK (cuMemsetD8 (there, 9, SIZE));
  OK (cuCtxSynchronize ());
  OK (cuCtxEnablePeerAccess (scene->ctx, 0));
  EXPECT (CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED,
      cuCtxEnablePeerAccess (scene->ctx, 0));
  OK (cuMemcpyPeerAsync (here, scene->ctx, there, second, SIZE, NULL));
  OK (cuCtxSynchronize ());
  OK (cuCtxDestroy (second));
  OK (cuMemcpyDtoH (&byte, here + SIZE - 1, 1));
  g_assert_cmpuint (byte, ==, 9);
  OK (cuMemFree (here));
}

/* Two slices of two rows, from one device into the middle of a box of the
 * other one. */
static void
test_boxes (Scene *scene, gconstpointer data)
{
  CUDA_MEMCPY3D_PEER box = { .srcMemoryType = CU_MEMORYTYPE_DEVICE,
    .srcPitch = 16,
    .srcHeight = 2,
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstXInBytes = 8,
    .dstY = 1,
    .dstPitch = 32,
    .dstHeight = 4,
    .WidthInBytes = 16,
    .Height = 2,
    .Depth = 2 };
  guint8 src[64], dst[256];
  CUcontext second;

  NEEDS (scene);
  for (guint i = 0; i < sizeof src; i++)
    src[i] = (guint8) (i + 1);
  OK (cuMemAlloc (&box.dstDevice, sizeof dst));
  OK (cuMemsetD8 (box.dstDevice, 0, sizeof dst));
  OK (cuCtxSynchronize ());
  OK (create_context (&second, 0, 1));
  OK (cuMemAlloc (&box.srcDevice, sizeof src));
  OK (cuMemcpyHtoD (box.srcDevice, src, sizeof src));
  box.srcContext = second;
  box.dstContext = scene->ctx;
  OK (cuMemcpy3DPeerAsync (&box, NULL));
  OK (cuCtxSynchronize ());
  OK (cuCtxDestroy (second));
  OK (cuMemcpyDtoH (dst, box.dstDevice, sizeof dst));
  for (int z = 0; z < 2; z++)
    for (int y = 0; y < 2; y++)
      g_assert_cmpmem (&dst[(4 * z + y + 1) * 32 + 8], 16,
          &src[(2 * z + y) * 16], 16);
  g_assert_cmpuint (dst[32 + 7], ==, 0);
  g_assert_cmpuint (dst[32 + 24], ==, 0);
  OK (cuMemFree (box.dstDevice));
}

static void
add_case (const Case *c)
{
  g_autofree char *path = g_strdup_printf ("/softcuda/devices/%s", c->path);
  g_autofree char *sub =
      g_strdup_printf ("/softcuda/devices/subprocess/%s", c->path);

  g_test_add_data_func (path, c, test_case);
  g_test_add_data_func (sub, GINT_TO_POINTER (c->expected), c->func);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    add_case (&cases[i]);
  ADD_CONTROL_TEST ("/softcuda/devices/peers", test_peers);
  ADD_CONTROL_TEST ("/softcuda/devices/boxes", test_boxes);
  return g_test_run ();
}
