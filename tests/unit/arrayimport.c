/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Arrays of others as buffers: the shapes that a picture may have, what is
 * refused and why, and that the owner is told once in any case. cases.md 42,
 * 47. */

#include <gst/cuda/gstcudamemory.h>
#include <stdio.h>
#include <string.h>

#include "cudapanel.h"
#include "foreignconsumer.h"
#include "frametest.h"
#include "testrows.h"

#define DELAY_MS 40

/* name, format, width, height, offsets, strides, bytes, split, memories */
static const ForeignLayout nv12 = { "nv12", GST_VIDEO_FORMAT_NV12, 64, 48,
  { 0, 80 * 48 }, { 80, 80 }, 80 * 72, FALSE, 1 };
static const ForeignLayout i420 = { "i420", GST_VIDEO_FORMAT_I420, 64, 48,
  { 0, 64 * 48, 64 * 60 }, { 64, 32, 32 }, 64 * 72, FALSE, 1 };
static const ForeignLayout rgbp = { "rgbp", GST_VIDEO_FORMAT_RGBP, 30, 20,
  { 0, 32 * 21, 32 * 42 }, { 32, 32, 32 }, 32 * 63, FALSE, 1 };
static const ForeignLayout rgba = { "rgba", GST_VIDEO_FORMAT_RGBA, 30, 20,
  { 0 }, { 128 }, 128 * 20, FALSE, 1 };
static const ForeignLayout p010 = { "p010", GST_VIDEO_FORMAT_P010_10LE, 30, 20,
  { 0, 64 * 20 }, { 64, 64 }, 64 * 30, FALSE, 1 };
static const ForeignLayout row = { "row", GST_VIDEO_FORMAT_RGB, 30, 1, { 0 },
  { 90 }, 90, FALSE, 1 };

typedef struct
{
  GstCudaContext *context;
  ForeignPicture picture;
  GstVideoInfo info;
  RefFrame frame;
} Fixture;

static gboolean
fixture_init_on (Fixture *self, const ForeignLayout *layout, guint device)
{
  self->context = cuda_test_context (device);
  if (!self->context)
    return FALSE;
  foreign_picture_init (&self->picture, self->context, layout);
  foreign_picture_info (&self->picture, &self->info);
  foreign_picture_new_frame (&self->picture, &self->frame);
  foreign_picture_write (&self->picture, &self->frame);
  return TRUE;
}

static gboolean
fixture_init (Fixture *self, const ForeignLayout *layout)
{
  return fixture_init_on (self, layout, 0);
}

static void
fixture_clear (Fixture *self)
{
  foreign_picture_clear_told (&self->picture);
  ref_frame_clear (&self->frame);
  gst_object_unref (self->context);
}

/* Arrays as some library has them. @data counts from the picture's start. */
typedef struct
{
  const gchar *typestr;
  guint n_dims;
  gint64 shape[GST_ZC_ARRAY_MAX_DIMS];
  gint64 strides[GST_ZC_ARRAY_MAX_DIMS]; /* all 0: none given */
  gint64 data;
} Array;

typedef struct
{
  const gchar *name;
  const ForeignLayout *layout;
  guint n_arrays;
  Array array[GST_ZC_MAX_PLANES];
  const gchar *word; /* in the error, or NULL */
} Row;

/* clang-format off */
static const Row good[] = {
  { "planes", &nv12, 2, { { "|u1", 3, { 48, 64, 1 }, { 80, 1, 1 } },
      { "|u1", 3, { 24, 32, 2 }, { 80, 2, 1 }, 80 * 48 } } },
  { "planes-of-two-dims", &nv12, 2, { { "<u1", 2, { 48, 64 }, { 80, 1 } },
      { "=u1", 2, { 24, 64 }, { 80, 1 }, 80 * 48 } } },
  { "batch-of-one", &nv12, 2, { { "|u1", 4, { 1, 48, 64, 1 }, { 7, 80, 1, 1 } },
      { "|u1", 3, { 1, 24, 64 }, { 7, 80, 1 }, 80 * 48 } } },
  { "stacked", &nv12, 1, { { "|u1", 3, { 72, 64, 1 }, { 80, 1, 1 } } } },
  { "stacked-two-dims", &nv12, 1, { { "|u1", 2, { 72, 64 }, { 80, 1 } } } },
  { "stacked-batch", &nv12, 1,
      { { "|u1", 4, { 1, 72, 64, 1 }, { 0, 80, 1, 0 } } } },
  { "stacked-16-bit", &p010, 1, { { "<u2", 2, { 30, 30 }, { 64, 2 } } } },
  { "stacked-planar", &i420, 1, { { "|u1", 2, { 72, 64 } } } },
  { "planar", &i420, 3, { { "|u1", 2, { 48, 64 } },
      { "|u1", 2, { 24, 32 }, { 0 }, 64 * 48 },
      { "|u1", 3, { 24, 32, 1 }, { 0 }, 64 * 60 } } },
  { "equal-planes", &rgbp, 1,
      { { "|u1", 3, { 3, 20, 30 }, { 32 * 21, 32, 1 } } } },
  { "equal-planes-batch", &rgbp, 1,
      { { "|u1", 4, { 1, 3, 20, 30 }, { 1, 32 * 21, 32, 1 } } } },
  { "equal-planes-channel", &rgbp, 1,
      { { "|u1", 4, { 3, 20, 30, 1 }, { 32 * 21, 32, 1, 1 } } } },
  { "packed", &rgba, 1, { { "|u1", 3, { 20, 30, 4 }, { 128, 4, 1 } } } },
  { "packed-two-dims", &rgba, 1, { { "|u1", 2, { 20, 120 }, { 128, 1 } } } },
  { "16-bit", &p010, 2, { { "<u2", 2, { 20, 30 }, { 64, 2 } },
      { "=u2", 3, { 10, 15, 2 }, { 64, 4, 2 }, 64 * 20 } } },
  { "one-row", &row, 1, { { "|u1", 3, { 1, 30, 3 }, { -5, 3, 1 } } } },
};

static const Row bad[] = {
  { "dtype", &rgba, 1, { { "|i1", 3, { 20, 30, 4 } } }, "typestr" },
  { "wide-dtype", &rgba, 1, { { "<f4", 3, { 20, 30, 4 } } }, "typestr" },
  { "byte-order", &p010, 2, { { ">u2", 2, { 20, 30 } },
      { "<u2", 2, { 10, 30 } } }, "typestr" },
  { "second-dtype", &nv12, 2, { { "|u1", 2, { 48, 64 }, { 80, 1 } },
      { "<u2", 2, { 24, 64 }, { 80, 1 }, 80 * 48 } }, "Array 1: typestr" },
  { "rank", &rgba, 1, { { "|u1", 1, { 2400 } } }, "shape" },
  { "size", &rgba, 1, { { "|u1", 3, { 30, 20, 4 } } }, "shape" },
  { "channels", &rgba, 1, { { "|u1", 3, { 20, 30, 3 } } }, "shape" },
  { "batch-of-two", &rgba, 1, { { "|u1", 4, { 2, 20, 30, 4 } } }, "shape" },
  { "chroma", &nv12, 2, { { "|u1", 2, { 48, 64 }, { 80, 1 } },
      { "|u1", 3, { 24, 31, 2 }, { 80, 2, 1 }, 80 * 48 } }, "Array 1: shape" },
  { "not-stacked", &nv12, 1, { { "|u1", 2, { 48, 64 } } }, "shape" },
  { "broadcast", &rgba, 1, { { "|u1", 3, { 20, 30, 4 }, { 0, 4, 1 } } },
      "strides[0]" },
  { "broadcast-pixel", &rgba, 1, { { "|u1", 3, { 20, 30, 4 }, { 128, 0, 1 } } },
      "strides[1]" },
  { "overlapping-rows", &rgba, 1,
      { { "|u1", 3, { 20, 30, 4 }, { 119, 4, 1 } } }, "strides[0]" },
  { "overlapping-rows-bottom-up", &rgba, 1,
      { { "|u1", 3, { 20, 30, 4 }, { -119, 4, 1 }, 2400 } }, "strides[0]" },
  { "pixels-apart", &row, 1, { { "|u1", 3, { 1, 30, 3 }, { 128, 4, 1 } } },
      "strides[1]" },
  { "channels-reversed", &rgba, 1,
      { { "|u1", 3, { 20, 30, 4 }, { 128, 4, -1 }, 3 } }, "strides[2]" },
  { "mirrored", &rgba, 1, { { "|u1", 3, { 20, 30, 4 }, { 128, -4, 1 }, 116 } },
      "strides[1]" },
  { "outside", &rgba, 1, { { "|u1", 3, { 20, 30, 4 }, { 129, 4, 1 } } },
      "stride" },
  { "outside-below", &rgba, 1,
      { { "|u1", 3, { 20, 30, 4 }, { -128, 4, 1 } } }, "Plane 0" },
  { "padded-planar", &i420, 1, { { "|u1", 2, { 72, 64 }, { 65, 1 } } },
      "strides[0]" },
  { "stacked-bottom-up", &nv12, 1,
      { { "|u1", 2, { 72, 64 }, { -80, 1 }, 80 * 71 } }, "strides[0]" },
  { "planes-overlap", &rgbp, 1,
      { { "|u1", 3, { 3, 20, 30 }, { 32, 32, 1 } } }, "strides" },
  { "too-few", &i420, 2, { { "|u1", 2, { 48, 64 } },
      { "|u1", 2, { 24, 32 }, { 0 }, 64 * 48 } }, "2 arrays" },
};
/* clang-format on */

static GstZcArray *
array_new (const Fixture *self, const Array *array, gint64 cai_stream)
{
  g_autoptr (GError) error = NULL;
  guint64 start = self->picture.memory[0];
  gboolean strided = FALSE;
  GstZcArray *made;

  for (guint i = 0; i < array->n_dims; i++)
    strided |= array->strides[i] != 0;
  made = gst_zc_array_new (start + array->data, array->typestr, array->n_dims,
      array->shape, strided ? array->strides : NULL, cai_stream, &error);
  g_assert_no_error (error);
  return made;
}

/* To be ended with arrays_clear(). */
static void
arrays_init (const Fixture *self, const Row *r, GstZcArray **arrays)
{
  for (guint i = 0; i < r->n_arrays; i++)
    arrays[i] = array_new (self, &r->array[i], GST_ZC_CAI_NONE);
}

static void
arrays_clear (GstZcArray **arrays, guint n_arrays)
{
  for (guint i = 0; i < n_arrays; i++)
    gst_zc_array_free (arrays[i]);
}

static GstBuffer *
import_arrays (Fixture *self, GstCudaContext *context, GstZcArray **arrays,
    guint n_arrays, GError **error)
{
  return gst_zc_buffer_new_from_arrays (context, &self->info, arrays, n_arrays,
      &self->picture, foreign_picture_notify, error);
}

static GstBuffer *
import (Fixture *self, const Row *r, GError **error)
{
  GstZcArray *arrays[GST_ZC_MAX_PLANES];
  GstBuffer *buffer;

  arrays_init (self, r, arrays);
  buffer = import_arrays (self, self->context, arrays, r->n_arrays, error);
  arrays_clear (arrays, r->n_arrays);
  return buffer;
}

static void
test_good (gconstpointer data)
{
  const Row *r = data;
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer;
  Fixture self;

  if (!fixture_init (&self, r->layout))
    return;
  buffer = import (&self, r, &error);
  g_assert_no_error (error);
  foreign_assert_no_copy (&self.picture, buffer, GST_MAP_READ);
  gst_buffer_unref (buffer);
  fixture_clear (&self);
}

static void
test_bad (gconstpointer data)
{
  const Row *r = data;
  g_autoptr (GError) error = NULL;
  Fixture self;

  if (!fixture_init (&self, r->layout))
    return;
  g_assert_null (import (&self, r, &error));
  g_assert_true (error && error->domain == GST_ZC_ERROR);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, r->word));
  fixture_clear (&self);
}

/* Somebody has written to the struct. */
static void
test_spoilt (void)
{
  for (guint i = 0; i < 5; i++) {
    g_autoptr (GError) error = NULL;
    GstZcArray *array;
    Fixture self;

    if (!fixture_init (&self, &row))
      return;
    array = gst_zc_array_new (self.picture.memory[0], "|u1", 3,
        (const gint64[]) { 1, 30, 3 }, NULL, GST_ZC_CAI_NONE, NULL);
    if (i < 2)
      array->n_dims = i * (GST_ZC_ARRAY_MAX_DIMS + 1);
    else if (i == 2)
      memset (array->typestr, '1', sizeof (array->typestr));
    else if (i == 3)
      array->shape[1] = 0;
    else
      array->data = 0;
    g_assert_null (import_arrays (&self, self.context, &array, 1, &error));
    g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_LAYOUT);
    gst_zc_array_free (array);
    fixture_clear (&self);
  }
}

/* What goes out comes in as the same, in each format. */
static void
test_round_trip (gconstpointer format)
{
  GstZcArray *arrays[GST_ZC_MAX_PLANES];
  g_autoptr (GError) error = NULL;
  GstCudaContext *context = cuda_test_context (0);
  GstBufferPool *pool;
  GstBuffer *ours, *again;
  GstVideoInfo info;
  guint n;

  if (!context)
    return;
  pool = cuda_test_pool (context, GPOINTER_TO_INT (format), 33, 17, &info);
  ours = cuda_test_acquire (pool);
  n = GST_VIDEO_INFO_N_PLANES (&info);
  for (guint i = 0; i < n; i++)
    arrays[i] = gst_zc_buffer_get_array (ours, &info, i, GST_MAP_READ,
        GST_ZC_ARRAY_SYNC_NONE, &error);
  again = gst_zc_buffer_new_from_arrays (NULL, &info, arrays, n, ours,
      (GDestroyNotify) gst_buffer_unref, &error);
  g_assert_no_error (error);
  g_assert_true (GST_MEMORY_IS_READONLY (gst_buffer_peek_memory (again, 0)));
  for (guint i = 0; i < n; i++) {
    g_autoptr (GstZcArray) array = gst_zc_buffer_get_array (again, &info, i,
        GST_MAP_READ, GST_ZC_ARRAY_SYNC_NONE, &error);

    g_assert_no_error (error);
    g_assert_cmphex (array->data, ==, arrays[i]->data);
    g_assert_cmpmem (array->shape, sizeof (array->shape), arrays[i]->shape,
        sizeof (array->shape));
    g_assert_cmpmem (array->strides, sizeof (array->strides),
        arrays[i]->strides, sizeof (array->strides));
    gst_zc_array_free (arrays[i]);
  }
  gst_buffer_unref (again);
  cuda_test_pool_free (pool);
  gst_object_unref (context);
}

/* a[::-1]: no buffer can say so, so it is copied. */
static void
test_bottom_up (void)
{
  static const Row r = { "bottom-up", &rgba, 1,
    { { "|u1", 3, { 20, 30, 4 }, { -128, 4, 1 }, 128 * 19 } } };
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer;
  Fixture self;

  if (!fixture_init (&self, &rgba))
    return;
  buffer = import (&self, &r, &error);
  g_assert_no_error (error);
  foreign_assert_on_cpu (&self.picture, buffer, &self.frame, 1);
  gst_buffer_unref (buffer);
  fixture_clear (&self);
}

/* Planes that different streams write, both of them late. */
static void
test_two_streams (void)
{
  static const Row *planes = &good[0];
  g_autoptr (GError) error = NULL;
  GstZcStream *writer[2], *reader;
  GstZcArray *arrays[2];
  GstBuffer *buffer;
  ForeignSeen seen;
  Fixture self;

  if (!fixture_init (&self, &nv12))
    return;
  reader = frame_test_stream (self.context);
  for (guint i = 0; i < 2; i++) {
    GstZcImage image = { .n_planes = 1,
      .plane = { self.picture.image.plane[i] } };

    writer[i] = frame_test_stream (self.context);
    cuda_test_delay (writer[i], DELAY_MS);
    cuda_test_fill (writer[i], &image, 0x5a);
    arrays[i] = array_new (&self, &planes->array[i],
        (gint64) (gsize) gst_zc_stream_get_handle (writer[i]));
  }
  buffer = import_arrays (&self, self.context, arrays, 2, &error);
  g_assert_no_error (error);
  /* The handles are not touched again. */
  for (guint i = 0; i < 2; i++) {
    gst_zc_array_free (arrays[i]);
    gst_zc_stream_unref (writer[i]);
  }
  seen = foreign_read_frame (&self.picture, buffer, reader);
  frame_test_synchronize (reader);
  foreign_seen_assert (&seen, 0x5a);
  gst_buffer_unref (buffer);
  gst_zc_stream_unref (reader);
  fixture_clear (&self);
}

static void
test_read_only (void)
{
  g_autoptr (GError) error = NULL;
  GstZcArray *arrays[2];
  GstBuffer *buffer;
  Fixture self;

  if (!fixture_init (&self, &nv12))
    return;
  arrays_init (&self, &good[0], arrays);
  arrays[0]->read_only = TRUE;
  buffer = import_arrays (&self, self.context, arrays, 2, &error);
  g_assert_no_error (error);
  g_assert_true (GST_MEMORY_IS_READONLY (gst_buffer_peek_memory (buffer, 0)));
  gst_buffer_unref (buffer);
  arrays_clear (arrays, 2);
  fixture_clear (&self);
}

static void
expect_refused (Fixture *self, GstCudaContext *context, GstZcArray **arrays,
    guint n_arrays, GstZcError code, const gchar *word)
{
  g_autoptr (GError) error = NULL;

  self->picture.n_notify = 0;
  g_assert_null (import_arrays (self, context, arrays, n_arrays, &error));
  frame_test_assert_refused (error, code, word);
  g_assert_cmpuint (self->picture.n_notify, ==, 1);
}

/* Addresses that are none, or of another kind. */
static void
test_addresses (void)
{
  GstZcArray *array;
  Fixture self;
  g_autofree gpointer pageable = g_malloc (1 << 14);
  gpointer pinned;

  if (!fixture_init (&self, &rgba))
    return;
  array = array_new (&self, &good[12].array[0], GST_ZC_CAI_NONE);
  expect_refused (&self, NULL, NULL, 0, GST_ZC_ERROR_LAYOUT, "0 arrays");
  array->data = 0x1000;
  expect_refused (&self, NULL, &array, 1, GST_ZC_ERROR_LAYOUT, "data");
  expect_refused (&self, self.context, &array, 1, GST_ZC_ERROR_LAYOUT,
      "0x1000");
  array->data = (guint64) (gsize) pageable;
  expect_refused (&self, NULL, &array, 1, GST_ZC_ERROR_LAYOUT, "data");
  expect_refused (&self, self.context, &array, 1, GST_ZC_ERROR_LAYOUT, "0x");
  pinned = cuda_test_alloc_pinned (self.context, 1 << 14);
  array->data = (guint64) (gsize) pinned;
  expect_refused (&self, NULL, &array, 1, GST_ZC_ERROR_NOT_CUDA, "host");
  cuda_test_free_pinned (pinned);
  array->device = 7;
  expect_refused (&self, self.context, &array, 1, GST_ZC_ERROR_WRONG_DEVICE,
      "device is 7");
  gst_zc_array_free (array);
  fixture_clear (&self);
}

/* The real driver need not notice. */
static void
test_freed (void)
{
  guint64 freed;
  GstZcArray *array;
  Fixture self;

  if (!cuda_test_panel () || !fixture_init (&self, &rgba))
    return;
  freed = cuda_test_alloc (self.context, 1 << 14);
  cuda_test_free (self.context, freed);
  array = array_new (&self, &good[12].array[0], GST_ZC_CAI_NONE);
  array->data = freed;
  expect_refused (&self, NULL, &array, 1, GST_ZC_ERROR_LAYOUT, "data");
  expect_refused (&self, self.context, &array, 1, GST_ZC_ERROR_LAYOUT, "0x");
  gst_zc_array_free (array);
  fixture_clear (&self);
}

/* Found by its address. */
static void
test_second_device (void)
{
  g_autoptr (GError) error = NULL;
  GstCudaContext *first = cuda_test_context (0);
  GstBuffer *buffer;
  GstZcArray *array;
  Fixture self;

  if (!first)
    return;
  if (fixture_init_on (&self, &rgba, 1)) {
    array = array_new (&self, &good[12].array[0], GST_ZC_CAI_NONE);
    expect_refused (&self, first, &array, 1, GST_ZC_ERROR_WRONG_DEVICE,
        "device 1");
    self.picture.n_notify = 0;
    buffer = import_arrays (&self, NULL, &array, 1, &error);
    g_assert_no_error (error);
    foreign_assert_no_copy (&self.picture, buffer, GST_MAP_READ);
    gst_buffer_unref (buffer);
    gst_zc_array_free (array);
    fixture_clear (&self);
  }
  gst_object_unref (first);
}

static guint64
resident_kib (void)
{
  g_autofree gchar *status = NULL;
  const gchar *line;

  g_assert_true (g_file_get_contents ("/proc/self/status", &status, NULL,
      NULL));
  line = strstr (status, "VmRSS:");
  g_assert_nonnull (line);
  return g_ascii_strtoull (line + 6, NULL, 10);
}

static void
import_and_view (Fixture *self)
{
  g_autoptr (GError) error = NULL;
  GstBuffer *buffer = import (self, &good[3], &error);
  g_autoptr (GstZcArray) view = NULL;

  g_assert_no_error (error);
  view = gst_zc_buffer_get_array (buffer, &self->info, GST_ZC_ARRAY_STACKED,
      GST_MAP_READ, GST_ZC_ARRAY_SYNC_NONE, &error);
  g_assert_no_error (error);
  gst_buffer_unref (buffer);
}

#define MANY 100000
#define WARM 20000

/* 100,000 buffers and arrays of them: memory stays as it is. On a busy machine
 * those that wait to be let go of would pile up. */
static void
test_flat (void)
{
  const SoftcudaPanel *panel;
  SoftcudaOutstanding before, after;
  guint64 resident = 0;
  Fixture self;

  if (!fixture_init (&self, &nv12))
    return;
  panel = softcuda_panel ();
  if (panel)
    panel->get_outstanding (&before);
  for (guint i = 0; i < MANY; i++) {
    if (i % 1000 == 0)
      foreign_picture_wait_for_notifies (&self.picture, i);
    if (i == WARM)
      resident = resident_kib ();
    import_and_view (&self);
  }
  foreign_picture_wait_for_notifies (&self.picture, MANY);
  g_test_message ("%" G_GUINT64_FORMAT " KiB, then %" G_GUINT64_FORMAT,
      resident, resident_kib ());
#ifndef __SANITIZE_ADDRESS__ /* which keeps what is freed for a while */
  g_assert_cmpuint (resident_kib (), <, resident + 4096);
#endif
  if (panel) {
    /* The last one's stream goes after its notify. */
    for (guint i = 0; i < 5000; i++) {
      panel->get_outstanding (&after);
      if (after.streams == before.streams)
        break;
      g_usleep (1000);
    }
    g_assert_cmpuint (after.streams, ==, before.streams);
    g_assert_cmpuint (after.device_allocations, ==, before.device_allocations);
  }
  self.picture.n_notify = 1;
  fixture_clear (&self);
}

int
main (int argc, char **argv)
{
  const GstVideoFormat *formats;
  guint n_formats;

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  gst_cuda_memory_init_once ();

  formats = gst_zc_format_list (&n_formats);
  for (guint i = 0; i < n_formats; i++) {
    g_autofree gchar *path = g_strdup_printf ("/array-import/round-trip/%s",
        gst_video_format_to_string (formats[i]));

    g_test_add_data_func (path, GINT_TO_POINTER (formats[i]), test_round_trip);
  }
  CUDA_TEST_ADD_ROWS ("/array-import/shape", good, test_good);
  CUDA_TEST_ADD_ROWS ("/array-import/refused", bad, test_bad);
  g_test_add_func ("/array-import/spoilt", test_spoilt);
  g_test_add_func ("/array-import/bottom-up", test_bottom_up);
  g_test_add_func ("/array-import/two-streams", test_two_streams);
  g_test_add_func ("/array-import/read-only", test_read_only);
  g_test_add_func ("/array-import/addresses", test_addresses);
  g_test_add_func ("/array-import/freed", test_freed);
  g_test_add_func ("/array-import/second-device", test_second_device);
  g_test_add_func ("/array-import/flat", test_flat);
  return g_test_run ();
}
