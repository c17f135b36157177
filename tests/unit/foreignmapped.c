/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Pictures in memory that is mapped piece by piece at reserved addresses, as
 * PyTorch's expandable segments are. One may lie across two pieces, none may go
 * on where nothing is mapped. */

#include <gst/cuda/gstcudamemory.h>
#include <string.h>

#include "cudacall.h"
#include "frametest.h"

#define CALL(...) CUDA_TEST_CALL (__VA_ARGS__)
#define WIDTH 512 /* of RGBA: rows of 2048 bytes, pieces of whole rows */
#define ROW (4 * WIDTH)
#define HEIGHT 64

/* Pieces 0, 1 and 3 of four. */
typedef struct
{
  GstCudaContext *context;
  CUdeviceptr start;
  gsize piece;
  CUmemGenericAllocationHandle handles[4];
  guint n_notify;
} Fixture;

static const CUmemAllocationProp prop = {
  .type = CU_MEM_ALLOCATION_TYPE_PINNED,
  .location = { CU_MEM_LOCATION_TYPE_DEVICE, 0 },
};

static gboolean
is_mapped (guint piece)
{
  return piece != 2;
}

static void
map_piece (Fixture *self, guint i)
{
  CUmemAccessDesc access = { prop.location,
    CU_MEM_ACCESS_FLAGS_PROT_READWRITE };
  CUdeviceptr at = self->start + i * self->piece;

  CALL ("cuMemCreate",
      (CUmemGenericAllocationHandle *, size_t, const CUmemAllocationProp *,
          unsigned long long),
      &self->handles[i], self->piece, &prop, 0);
  CALL ("cuMemMap",
      (CUdeviceptr, size_t, size_t, CUmemGenericAllocationHandle,
          unsigned long long),
      at, self->piece, 0, self->handles[i], 0);
  CALL ("cuMemSetAccess",
      (CUdeviceptr, size_t, const CUmemAccessDesc *, size_t), at, self->piece,
      &access, 1);
}

static gboolean
fixture_init (Fixture *self)
{
  *self = (Fixture) { .context = cuda_test_context (0) };
  if (!self->context)
    return FALSE;
  cuda_test_push (self->context);
  CALL ("cuMemGetAllocationGranularity",
      (size_t *, const CUmemAllocationProp *, CUmemAllocationGranularity_flags),
      &self->piece, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM);
  CALL ("cuMemAddressReserve",
      (CUdeviceptr *, size_t, size_t, CUdeviceptr, unsigned long long),
      &self->start, 4 * self->piece, 0, 0, 0);
  for (guint i = 0; i < 4; i++)
    if (is_mapped (i))
      map_piece (self, i);
  cuda_test_pop ();
  return TRUE;
}

static void
unmap_piece (Fixture *self, guint i)
{
  CALL ("cuMemUnmap", (CUdeviceptr, size_t), self->start + i * self->piece,
      self->piece);
  CALL ("cuMemRelease", (CUmemGenericAllocationHandle), self->handles[i]);
}

static void
fixture_clear (Fixture *self)
{
  cuda_test_assert_none_pushed ();
  cuda_test_synchronize (self->context);
  cuda_test_push (self->context);
  for (guint i = 4; i-- > 0;)
    if (is_mapped (i) && self->handles[i])
      unmap_piece (self, i);
  CALL ("cuMemAddressFree", (CUdeviceptr, size_t), self->start,
      4 * self->piece);
  cuda_test_pop ();
  gst_object_unref (self->context);
}

static void
count_notify (gpointer data)
{
  g_atomic_int_inc ((gint *) data);
}

static GstBuffer *
wrap (Fixture *self, guint64 at, GError **error)
{
  const GstZcProducer producer = { GST_ZC_PRODUCER_NONE };
  GstZcImage image;

  g_assert_true (gst_zc_image_init_packed (&image, GST_VIDEO_FORMAT_RGBA, WIDTH,
      HEIGHT, 0, at, NULL, NULL));
  self->n_notify = 0;
  return gst_zc_buffer_new_wrapped (self->context, &image, &producer,
      &self->n_notify, count_notify, error);
}

static void
wait_for_notify (Fixture *self)
{
  for (guint i = 0; i < 5000 && !g_atomic_int_get (&self->n_notify); i++)
    g_usleep (1000);
  g_assert_cmpuint (g_atomic_int_get (&self->n_notify), ==, 1);
}

static void
expect_pixels (Fixture *self, GstBuffer *buffer, const guint8 *pixels)
{
  g_autoptr (GstZcStream) stream = frame_test_stream (self->context);
  guint8 *seen = cuda_test_alloc_pinned (self->context, ROW * HEIGHT);
  GstVideoInfo info;
  GstZcFrame frame;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  frame_test_map (&frame, buffer, &info, GST_MAP_READ, stream);
  cuda_test_read_rows (stream, &frame.image.plane[0], seen);
  frame_test_unmap (&frame);
  frame_test_synchronize (stream);
  g_assert_cmpmem (seen, ROW * HEIGHT, pixels, ROW * HEIGHT);
  cuda_test_free_pinned (seen);
}

/* Where the picture begins, in rows before the end of the first piece. */
static void
test_wrapped (gconstpointer rows)
{
  g_autofree guint8 *pixels = g_malloc (ROW * HEIGHT);
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer;
  guint64 at;
  Fixture self;

  if (!fixture_init (&self))
    return;
  for (gsize i = 0; i < ROW * HEIGHT; i++)
    pixels[i] = i * 31 % 251;
  at = self.start + self.piece - (gsize) GPOINTER_TO_UINT (rows) * ROW;
  cuda_test_copy_in (self.context, at, pixels, ROW * HEIGHT);
  buffer = wrap (&self, at, &error);
  g_assert_no_error (error);
  expect_pixels (&self, buffer, pixels);
  gst_buffer_unref (buffer);
  wait_for_notify (&self);
  fixture_clear (&self);
}

static void
expect_refused (Fixture *self, guint64 at, const gchar *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (wrap (self, at, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, word));
  wait_for_notify (self);
}

/* It goes on into addresses that are reserved, or begins there. */
static void
test_hole (void)
{
  Fixture self;

  if (!fixture_init (&self))
    return;
  expect_refused (&self, self.start + 2 * self.piece - ROW,
      "its memory ends 129024 bytes earlier");
  expect_refused (&self, self.start + 2 * self.piece, "Plane 0 is at 0x");
  expect_refused (&self, self.start + 4 * self.piece - ROW, "its memory ends");
  fixture_clear (&self);
}

static void
test_unmapped (void)
{
  Fixture self;

  if (!fixture_init (&self))
    return;
  cuda_test_push (self.context);
  unmap_piece (&self, 3);
  self.handles[3] = 0;
  cuda_test_pop ();
  expect_refused (&self, self.start + 3 * self.piece, "Plane 0 is at 0x");
  fixture_clear (&self);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

  g_test_add_data_func ("/foreign-mapped/wrapped/one-piece",
      GUINT_TO_POINTER (HEIGHT), test_wrapped);
  g_test_add_data_func ("/foreign-mapped/wrapped/two-pieces",
      GUINT_TO_POINTER (HEIGHT / 2), test_wrapped);
  g_test_add_data_func ("/foreign-mapped/wrapped/one-row", GUINT_TO_POINTER (1),
      test_wrapped);
  g_test_add_func ("/foreign-mapped/hole", test_hole);
  g_test_add_func ("/foreign-mapped/unmapped", test_unmapped);
  return g_test_run ();
}
