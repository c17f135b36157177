/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Memory that is mapped piece by piece at reserved addresses, as PyTorch's
 * expandable segments are: what the driver says of it. */

#include <string.h>

#include "driver.h"

#define N_PIECES 2

typedef struct
{
  CUdeviceptr start;
  gsize piece;
  CUmemGenericAllocationHandle handles[N_PIECES];
} Mapped;

static const CUmemAllocationProp prop = {
  .type = CU_MEM_ALLOCATION_TYPE_PINNED,
  .location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 },
};

/* One piece more is reserved. */
static void
map (Mapped *self)
{
  CUmemAccessDesc access = { prop.location,
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE };

  OK (cuMemGetAllocationGranularity (&self->piece, &prop,
      CU_MEM_ALLOC_GRANULARITY_MINIMUM));
  OK (cuMemAddressReserve (&self->start, (N_PIECES + 1) * self->piece, 0, 0,
      0));
  for (guint i = 0; i < N_PIECES; i++) {
    OK (cuMemCreate (&self->handles[i], self->piece, &prop, 0));
    OK (cuMemMap (self->start + i * self->piece, self->piece, 0,
        self->handles[i], 0));
  }
  OK (cuMemSetAccess (self->start, N_PIECES * self->piece, &access, 1));
}

static void
unmap (Mapped *self)
{
  OK (cuCtxSynchronize ());
  OK (cuMemUnmap (self->start, N_PIECES * self->piece));
  for (guint i = 0; i < N_PIECES; i++)
    OK (cuMemRelease (self->handles[i]));
  OK (cuMemAddressFree (self->start, (N_PIECES + 1) * self->piece));
}

/* The library puts ranges together itself: they may be of a piece. */
static void
test_ranges (Scene *scene, gconstpointer data)
{
  CUdeviceptr base, at;
  gsize size;
  Mapped self;

  NEEDS (scene);
  map (&self);
  at = self.start;
  while (at < self.start + N_PIECES * self.piece) {
    OK (cuMemGetAddressRange (&base, &size, at + 1));
    g_assert_cmphex (base, ==, at);
    g_assert_cmpuint (size % self.piece, ==, 0);
    g_test_message ("a range of %" G_GSIZE_FORMAT " pieces", size / self.piece);
    g_assert_cmpuint (size, >, 0);
    at += MAX (size, self.piece);
  }
  g_assert_cmphex (at, ==, self.start + N_PIECES * self.piece);
  /* Behind them nothing is mapped. */
  g_assert_cmpint (cu.cuMemGetAddressRange (&base, &size, at), !=,
      CUDA_SUCCESS);
  unmap (&self);
}

static void
test_attributes (Scene *scene, gconstpointer data)
{
  CUmemorytype type = 0;
  guint8 capable = 1;
  int device = -1;
  Mapped self;

  NEEDS (scene);
  map (&self);
  for (guint i = 0; i < N_PIECES; i++) {
    CUdeviceptr at = self.start + i * self.piece + 17;

    OK (cuPointerGetAttribute (&device, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
        at));
    g_assert_cmpint (device, ==, 0);
    OK (cuPointerGetAttribute (&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, at));
    g_assert_cmpint (type, ==, CU_MEMORYTYPE_DEVICE);
    OK (cuPointerGetAttribute (&capable,
        CU_POINTER_ATTRIBUTE_IS_LEGACY_CUDA_IPC_CAPABLE, at));
    g_assert_cmpint (capable, ==, 0);
  }
  unmap (&self);
  g_assert_cmpint (cu.cuPointerGetAttribute (&device,
                       CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, self.start),
      !=, CUDA_SUCCESS);
}

/* From one piece to the next. */
static void
test_copies (Scene *scene, gconstpointer data)
{
  enum
  {
    SIZE = 8192
  };
  g_autofree guint8 *in = g_malloc (SIZE);
  g_autofree guint8 *out = g_malloc0 (SIZE);
  CUDA_MEMCPY2D rows = { .WidthInBytes = 64,
    .Height = 64,
    .srcMemoryType = CU_MEMORYTYPE_DEVICE,
    .srcPitch = 128,
    .dstMemoryType = CU_MEMORYTYPE_HOST,
    .dstPitch = 128,
    .dstHost = out };
  CUdeviceptr across;
  Mapped self;

  NEEDS (scene);
  map (&self);
  across = self.start + self.piece - SIZE / 2;
  for (guint i = 0; i < SIZE; i++)
    in[i] = i * 7 % 251;
  OK (cuMemcpyHtoD (across, in, SIZE));
  OK (cuMemcpyDtoH (out, across, SIZE));
  g_assert_cmpmem (in, SIZE, out, SIZE);
  memset (out, 0, SIZE);
  rows.srcDevice = across;
  OK (cuMemcpy2DAsync (&rows, scene->stream));
  OK (cuStreamSynchronize (scene->stream));
  for (guint i = 0; i < 64; i++)
    g_assert_cmpmem (in + 128 * i, 64, out + 128 * i, 64);
  unmap (&self);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_set_nonfatal_assertions (); /* list each difference */
  ADD_TEST ("/driver/mapped/ranges", test_ranges);
  ADD_TEST ("/driver/mapped/attributes", test_attributes);
  ADD_TEST ("/driver/mapped/copies", test_copies);
  return g_test_run ();
}
