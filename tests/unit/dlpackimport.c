/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* DLPack tensors of others as buffers. */

#include <gst/zc/gstzcdlpackabi.h>

#include "cudapanel.h"
#include "foreignconsumer.h"
#include "frametest.h"
#include "testrows.h"

#define WIDTH 64
#define HEIGHT 48
#define PITCH 80
#define DELAY_MS 40

/* A tensor of somebody else's, and how often it was given back. */
typedef struct
{
  union
  {
    ZcDLManagedTensor plain;
    ZcDLManagedTensorVersioned versioned;
  } managed;
  gint64 shape[4];
  gint64 strides[4];
  ForeignPicture *picture;
} Tensor;

static void
plain_is_deleted (ZcDLManagedTensor *managed)
{
  foreign_picture_notify (managed->manager_ctx);
}

static void
versioned_is_deleted (ZcDLManagedTensorVersioned *managed)
{
  foreign_picture_notify (managed->manager_ctx);
}

/* (rows, elements) of 8 bits, rows PITCH apart, @offset from the start. */
static ZcDLTensor
describe (Tensor *self, gint64 rows, gint64 elements, gsize offset)
{
  self->shape[0] = rows;
  self->shape[1] = elements;
  self->shape[2] = 1;
  self->strides[0] = PITCH;
  self->strides[1] = 1;
  self->strides[2] = 1;
  return (ZcDLTensor) { .data = (gpointer) (guintptr) self->picture->memory[0],
    .device_type = 2,
    .ndim = 2,
    .dtype = { 1, 8, 1 },
    .shape = self->shape,
    .strides = self->strides,
    .byte_offset = offset };
}

static ZcDLTensor *
tensor_init (Tensor *self, ForeignPicture *picture, GstZcDLPackFlags flags,
    gint64 rows, gint64 elements, gsize offset)
{
  ZcDLTensor tensor;

  self->picture = picture;
  tensor = describe (self, rows, elements, offset);
  if (flags & GST_ZC_DLPACK_VERSIONED) {
    self->managed.versioned =
        (ZcDLManagedTensorVersioned) { 1, 0, picture, versioned_is_deleted };
    self->managed.versioned.dl_tensor = tensor;
    return &self->managed.versioned.dl_tensor;
  }
  self->managed.plain =
      (ZcDLManagedTensor) { tensor, picture, plain_is_deleted };
  return &self->managed.plain.dl_tensor;
}

typedef struct
{
  GstCudaContext *context;
  ForeignPicture picture; /* NV12, 64x48, rows PITCH apart, planes touching */
  GstVideoInfo info;
} Fixture;

static gboolean
fixture_init (Fixture *self)
{
  self->context = cuda_test_context (0);
  if (!self->context)
    return FALSE;
  foreign_picture_init (&self->picture, self->context, &foreign_one);
  foreign_picture_info (&self->picture, &self->info);
  return TRUE;
}

static void
fixture_clear (Fixture *self)
{
  cuda_test_assert_none_pushed ();
  foreign_picture_clear (&self->picture);
  gst_object_unref (self->context);
}

/* Both planes in one tensor. */
static ZcDLTensor *
stacked_init (Fixture *self, Tensor *tensor, GstZcDLPackFlags flags)
{
  return tensor_init (tensor, &self->picture, flags, HEIGHT * 3 / 2, WIDTH, 0);
}

static GstBuffer *
import_stacked (Fixture *self, Tensor *tensor, GstZcDLPackFlags flags,
    gint64 stream, GError **error)
{
  return gst_zc_buffer_new_from_dlpack (self->context, &self->info,
      (gpointer[]) { tensor }, 1, flags, stream, error);
}

/* A tensor a plane; each is given back once. */
static void
test_planes (gconstpointer data)
{
  GstZcDLPackFlags flags = GPOINTER_TO_UINT (data);
  g_autoptr (GError) error = NULL;
  ZcDLTensor *chroma;
  GstBuffer *buffer;
  Tensor tensors[2];
  Fixture self;

  if (!fixture_init (&self))
    return;
  tensor_init (&tensors[0], &self.picture, flags, HEIGHT, WIDTH, 0);
  chroma = tensor_init (&tensors[1], &self.picture, flags, HEIGHT / 2,
      WIDTH / 2, PITCH * HEIGHT);
  chroma->ndim = 3;
  tensors[1].shape[2] = tensors[1].strides[1] = 2;
  buffer = gst_zc_buffer_new_from_dlpack (self.context, &self.info,
      (gpointer[]) { &tensors[0], &tensors[1] }, 2, flags, GST_ZC_CAI_NONE,
      &error);
  g_assert_no_error (error);
  foreign_assert_no_copy (&self.picture, buffer, GST_MAP_READ);
  g_assert_cmpuint (self.picture.n_notify, ==, 0);
  gst_buffer_unref (buffer);
  foreign_picture_wait_for_notifies (&self.picture, 2);
  g_assert_cmpuint (self.picture.n_notify, ==, 2);
  fixture_clear (&self);
}

static void
test_stacked (void)
{
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer;
  Tensor tensor;
  Fixture self;

  if (!fixture_init (&self))
    return;
  stacked_init (&self, &tensor, GST_ZC_DLPACK_NONE);
  buffer = import_stacked (&self, &tensor, GST_ZC_DLPACK_NONE, GST_ZC_CAI_NONE,
      &error);
  g_assert_no_error (error);
  foreign_assert_no_copy (&self.picture, buffer, GST_MAP_READ);
  gst_buffer_unref (buffer);
  foreign_picture_wait_for_notify (&self.picture);
  fixture_clear (&self);
}

/* Its deleter may be NULL, its strides too where rows follow each other. */
static void
test_bare (void)
{
  g_autoptr (GError) error = NULL;
  GstVideoInfo info;
  ZcDLTensor *dl;
  GstBuffer *buffer;
  Tensor tensor;
  Fixture self;

  if (!fixture_init (&self))
    return;
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, PITCH, HEIGHT);
  dl = tensor_init (&tensor, &self.picture, GST_ZC_DLPACK_NONE, HEIGHT * 3 / 2,
      PITCH, 0);
  dl->strides = NULL;
  tensor.managed.plain.deleter = NULL;
  buffer = gst_zc_buffer_new_from_dlpack (NULL, &info, (gpointer[]) { &tensor },
      1, GST_ZC_DLPACK_NONE, GST_ZC_CAI_NONE, &error);
  g_assert_no_error (error);
  gst_buffer_unref (buffer);
  fixture_clear (&self);
}

/* The stream that was given to the producer writes late. */
static void
test_producer (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GstZcStream) stream = NULL, reader = NULL;
  GstBuffer *buffer;
  guint8 *seen;
  Tensor tensor;
  Fixture self;

  if (!fixture_init (&self))
    return;
  stream = frame_test_stream (self.context);
  reader = frame_test_stream (self.context);
  cuda_test_delay (stream, DELAY_MS);
  cuda_test_fill (stream, &self.picture.image, 7);
  stacked_init (&self, &tensor, GST_ZC_DLPACK_NONE);
  buffer = import_stacked (&self, &tensor, GST_ZC_DLPACK_NONE,
      (gint64) (guintptr) gst_zc_stream_get_handle (stream), &error);
  g_assert_no_error (error);
  seen = frame_test_read (buffer, &self.info, reader, WIDTH);
  gst_buffer_unref (buffer);
  foreign_picture_wait_for_notify (&self.picture);
  frame_test_expect_on (reader, seen, WIDTH, 7);
  fixture_clear (&self);
}

/* What makes a good tensor a bad one, and the field that the error names. */
typedef struct
{
  const gchar *name;
  GstZcDLPackFlags flags;
  void (*spoil) (Tensor *tensor, ZcDLTensor *dl);
  const gchar *field;
  GstZcError code;
} Bad;

static void
spoil_version (Tensor *tensor, ZcDLTensor *dl)
{
  tensor->managed.versioned.major = 2;
}

static void
spoil_host (Tensor *tensor, ZcDLTensor *dl)
{
  dl->device_type = 1;
}

static void
spoil_ordinal (Tensor *tensor, ZcDLTensor *dl)
{
  dl->device_id = 1;
}

static void
spoil_float (Tensor *tensor, ZcDLTensor *dl)
{
  dl->dtype.code = 2;
}

static void
spoil_lanes (Tensor *tensor, ZcDLTensor *dl)
{
  dl->dtype.lanes = 4;
}

static void
spoil_bits (Tensor *tensor, ZcDLTensor *dl)
{
  dl->dtype.bits = 64;
}

static void
spoil_depth (Tensor *tensor, ZcDLTensor *dl)
{
  dl->dtype.bits = 16;
  tensor->strides[0] = PITCH / 2;
  tensor->shape[1] = WIDTH / 2;
}

static void
spoil_rank_0 (Tensor *tensor, ZcDLTensor *dl)
{
  dl->ndim = 0;
}

static void
spoil_rank_1 (Tensor *tensor, ZcDLTensor *dl)
{
  dl->ndim = 1;
}

static void
spoil_rank_5 (Tensor *tensor, ZcDLTensor *dl)
{
  dl->ndim = 5;
}

static void
spoil_data (Tensor *tensor, ZcDLTensor *dl)
{
  dl->data = NULL;
}

static void
spoil_zero (Tensor *tensor, ZcDLTensor *dl)
{
  tensor->shape[0] = 0;
}

static void
spoil_huge (Tensor *tensor, ZcDLTensor *dl)
{
  tensor->shape[0] = G_GINT64_CONSTANT (1) << 40;
}

static void
spoil_rows (Tensor *tensor, ZcDLTensor *dl)
{
  tensor->shape[0]--;
}

static void
spoil_gaps (Tensor *tensor, ZcDLTensor *dl)
{
  tensor->strides[1] = 2;
}

static void
spoil_overlap (Tensor *tensor, ZcDLTensor *dl)
{
  tensor->strides[0] = WIDTH - 1;
}

static void
spoil_end (Tensor *tensor, ZcDLTensor *dl)
{
  dl->byte_offset = PITCH;
}

static void
spoil_address (Tensor *tensor, ZcDLTensor *dl)
{
  dl->data = tensor;
}

static void
spoil_shape (Tensor *tensor, ZcDLTensor *dl)
{
  dl->shape = NULL;
}

static void
spoil_stride (Tensor *tensor, ZcDLTensor *dl)
{
  tensor->strides[0] = G_MAXINT64;
}

static void
spoil_stride_16 (Tensor *tensor, ZcDLTensor *dl)
{
  dl->dtype.bits = 16;
  tensor->strides[0] = G_MAXINT64 / 2 + 1;
}

static void
spoil_channels (Tensor *tensor, ZcDLTensor *dl)
{
  dl->dtype.bits = 32;
  dl->ndim = 3;
  tensor->shape[2] = G_MAXINT / 2;
  tensor->strides[1] = G_MAXINT / 2;
}

static const Bad bad[] = {
  { "version", GST_ZC_DLPACK_VERSIONED, spoil_version, "version",
      GST_ZC_ERROR_UNSUPPORTED },
  { "host-memory", 0, spoil_host, "device", GST_ZC_ERROR_NOT_CUDA },
  { "other-device", 0, spoil_ordinal, "device", GST_ZC_ERROR_WRONG_DEVICE },
  { "float", 0, spoil_float, "dtype", GST_ZC_ERROR_UNSUPPORTED },
  { "lanes", 0, spoil_lanes, "dtype", GST_ZC_ERROR_UNSUPPORTED },
  { "64-bits", 0, spoil_bits, "typestr", GST_ZC_ERROR_UNSUPPORTED },
  { "depth", 0, spoil_depth, "typestr", GST_ZC_ERROR_UNSUPPORTED },
  { "rank-0", 0, spoil_rank_0, "ndim", GST_ZC_ERROR_LAYOUT },
  { "rank-1", 0, spoil_rank_1, "shape", GST_ZC_ERROR_LAYOUT },
  { "rank-5", 0, spoil_rank_5, "ndim", GST_ZC_ERROR_LAYOUT },
  { "no-data", 0, spoil_data, "data", GST_ZC_ERROR_LAYOUT },
  { "no-rows", 0, spoil_zero, "shape", GST_ZC_ERROR_LAYOUT },
  { "too-many-rows", 0, spoil_huge, "shape", GST_ZC_ERROR_LAYOUT },
  { "fewer-rows", 0, spoil_rows, "shape", GST_ZC_ERROR_LAYOUT },
  { "no-shape", 0, spoil_shape, "shape", GST_ZC_ERROR_LAYOUT },
  { "too-many-channels", 0, spoil_channels, "typestr",
      GST_ZC_ERROR_UNSUPPORTED },
  { "far-rows", 0, spoil_stride, "stride", GST_ZC_ERROR_LAYOUT },
  { "far-rows-16", 0, spoil_stride_16, "strides", GST_ZC_ERROR_LAYOUT },
  { "gaps", 0, spoil_gaps, "strides", GST_ZC_ERROR_LAYOUT },
  { "overlap", 0, spoil_overlap, "strides", GST_ZC_ERROR_LAYOUT },
  { "past-the-end", 0, spoil_end, "memory ends", GST_ZC_ERROR_LAYOUT },
  { "host-address", 0, spoil_address, "0x", GST_ZC_ERROR_LAYOUT },
};

/* It is refused, and given back once. */
static void
expect_refused (Fixture *self, Tensor *tensor, GstZcDLPackFlags flags,
    GstZcError code, const gchar *word)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (import_stacked (self, tensor, flags, GST_ZC_CAI_NONE, &error));
  frame_test_assert_refused (error, code, word);
  foreign_picture_wait_for_notify (&self->picture);
  g_assert_cmpuint (self->picture.n_notify, ==, 1);
}

static void
test_bad (gconstpointer data)
{
  const Bad *row = data;
  Tensor tensor;
  Fixture self;

  if (!fixture_init (&self))
    return;
  row->spoil (&tensor, stacked_init (&self, &tensor, row->flags));
  expect_refused (&self, &tensor, row->flags, row->code, row->field);
  fixture_clear (&self);
}

/* It says that it is on a device, and is not, or not any more. */
static void
expect_refused_at (Fixture *self, gpointer address, GstZcError code,
    const gchar *word)
{
  Tensor tensor;

  stacked_init (self, &tensor, GST_ZC_DLPACK_NONE)->data = address;
  expect_refused (self, &tensor, GST_ZC_DLPACK_NONE, code, word);
}

static void
test_pinned (void)
{
  gpointer pinned;
  Fixture self;

  if (!fixture_init (&self))
    return;
  pinned = cuda_test_alloc_pinned (self.context, 1 << 14);
  expect_refused_at (&self, pinned, GST_ZC_ERROR_NOT_CUDA, "host");
  cuda_test_free_pinned (pinned);
  fixture_clear (&self);
}

/* The real driver need not notice. */
static void
test_freed (void)
{
  guint64 freed;
  Fixture self;

  if (!cuda_test_panel () || !fixture_init (&self))
    return;
  freed = cuda_test_alloc (self.context, 1 << 14);
  cuda_test_free (self.context, freed);
  expect_refused_at (&self, (gpointer) (gsize) freed, GST_ZC_ERROR_LAYOUT,
      "0x");
  fixture_clear (&self);
}

/* 16 bits at an odd address, or rows an odd number of bytes apart. */
static void
test_odd (gconstpointer data)
{
  gboolean rows = GPOINTER_TO_UINT (data);
  const gint64 shape[] = { 12, 16 };
  const gint64 strides[] = { rows ? 33 : 34, 2 };
  g_autoptr (GstZcArray) array = NULL;
  g_autoptr (GError) error = NULL;
  GstVideoInfo info;
  Fixture self;

  if (!fixture_init (&self))
    return;
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_P010_10LE, 16, 8);
  array = gst_zc_array_new (self.picture.memory[0] + (rows ? 0 : 1), "<u2", 2,
      shape, strides, GST_ZC_CAI_NONE, &error);
  g_assert_no_error (error);
  g_assert_null (gst_zc_buffer_new_from_arrays (NULL, &info, &array, 1, NULL,
      NULL, &error));
  frame_test_assert_refused (error, GST_ZC_ERROR_LAYOUT, "strides");
  fixture_clear (&self);
}

/* What a tensor says of itself. */
static void
test_array (void)
{
  g_autoptr (GstZcArray) array = NULL;
  g_autoptr (GError) error = NULL;
  Tensor tensor;
  Fixture self;

  if (!fixture_init (&self))
    return;
  tensor_init (&tensor, &self.picture, GST_ZC_DLPACK_VERSIONED, HEIGHT, WIDTH,
      PITCH);
  tensor.managed.versioned.flags = 1;
  array = gst_zc_array_new_from_dlpack (&tensor, GST_ZC_DLPACK_VERSIONED, 7,
      &error);
  g_assert_no_error (error);
  g_assert_cmphex (array->data, ==, self.picture.memory[0] + PITCH);
  g_assert_cmpstr (array->typestr, ==, "|u1");
  g_assert_cmpint (array->shape[0], ==, HEIGHT);
  g_assert_cmpint (array->strides[0], ==, PITCH);
  g_assert_cmpint (array->device, ==, 0);
  g_assert_true (array->read_only);
  g_assert_cmpint (array->cai_stream, ==, 7);
  fixture_clear (&self);
}

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_add_data_func ("/dlpack-import/planes/plain",
      GUINT_TO_POINTER (GST_ZC_DLPACK_NONE), test_planes);
  g_test_add_data_func ("/dlpack-import/planes/versioned",
      GUINT_TO_POINTER (GST_ZC_DLPACK_VERSIONED), test_planes);
  g_test_add_func ("/dlpack-import/stacked", test_stacked);
  g_test_add_func ("/dlpack-import/bare", test_bare);
  g_test_add_func ("/dlpack-import/producer", test_producer);
  g_test_add_func ("/dlpack-import/array", test_array);
  g_test_add_data_func ("/dlpack-import/odd/data", GUINT_TO_POINTER (FALSE),
      test_odd);
  g_test_add_data_func ("/dlpack-import/odd/rows", GUINT_TO_POINTER (TRUE),
      test_odd);
  g_test_add_func ("/dlpack-import/bad/pinned", test_pinned);
  g_test_add_func ("/dlpack-import/bad/freed", test_freed);
  CUDA_TEST_ADD_ROWS ("/dlpack-import/bad", bad, test_bad);
  return g_test_run ();
}
