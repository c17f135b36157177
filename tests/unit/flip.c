/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* gst_zc_image_flip() against the reference: every format, orientation and
 * memory layout, with canary around each plane; and what it refuses. */

#include <cuda.h>

#include "cudapanel.h"
#include "cudatest.h"
#include "gst/zc/gstzccontext-private.h"
#include "reference.h"

#define SEED 20240303
/* Bytes of device memory for a plane */
#define PLANE_ROOM (1 << 20)
#define LARGE_PLANE_ROOM (9 << 20)

typedef struct
{
  GstCudaContext *context;
  GstZcStream *stream;
  CUdeviceptr memory[2]; /* of the source's planes, of the destination's */
  gsize room; /* of a plane */
} Fixture;

static void
setup_room (Fixture *f, gsize room)
{
  f->room = room;
  f->context = cuda_test_context (0);
  if (f->context == NULL)
    return;
  f->stream = gst_zc_stream_new (f->context, NULL);
  cuda_test_push (f->context);
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (zc_cu.cuMemAlloc (&f->memory[i], REF_MAX_PLANES * room),
        ==, CUDA_SUCCESS);
}

static void
setup (Fixture *f, gconstpointer data)
{
  setup_room (f, PLANE_ROOM);
}

static void
setup_large (Fixture *f, gconstpointer data)
{
  setup_room (f, LARGE_PLANE_ROOM);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  if (f->context == NULL)
    return;
  for (guint i = 0; i < 2; i++)
    g_assert_cmpint (zc_cu.cuMemFree (f->memory[i]), ==, CUDA_SUCCESS);
  cuda_test_pop ();
  gst_zc_stream_unref (f->stream);
  gst_clear_object (&f->context);
}

/* Queues a copy of all of a plane's memory, canary included. */
static void
copy_plane (Fixture *f, const RefPlane *plane, CUdeviceptr device,
    gboolean upload)
{
  CUDA_MEMCPY2D copy = {
    .srcMemoryType = upload ? CU_MEMORYTYPE_HOST : CU_MEMORYTYPE_DEVICE,
    .dstMemoryType = upload ? CU_MEMORYTYPE_DEVICE : CU_MEMORYTYPE_HOST,
    .srcHost = plane->memory,
    .dstHost = plane->memory,
    .srcDevice = device,
    .dstDevice = device,
    .WidthInBytes = plane->size,
    .Height = 1,
  };

  g_assert_cmpuint (plane->size, <=, f->room);
  g_assert_cmpint (zc_cu.cuMemcpy2DAsync (&copy,
                       gst_zc_stream_get_handle (f->stream)),
      ==, CUDA_SUCCESS);
}

static void
copy_frame (Fixture *f, const RefFrame *frame, guint side, gboolean upload)
{
  for (guint i = 0; i < frame->n_planes; i++)
    copy_plane (f, &frame->plane[i], f->memory[side] + i * f->room, upload);
}

static void
describe (Fixture *f, GstZcImage *image, const RefFrame *frame, guint side)
{
  g_autoptr (GError) error = NULL;
  guint64 data[REF_MAX_PLANES] = { 0 };
  gint64 stride[REF_MAX_PLANES] = { 0 };

  for (guint i = 0; i < frame->n_planes; i++) {
    const RefPlane *plane = &frame->plane[i];

    data[i] = f->memory[side] + i * f->room + (plane->data - plane->memory);
    stride[i] = plane->stride;
  }
  gst_zc_image_init (image, frame->format, frame->width, frame->height, 0, data,
      stride, &error);
  g_assert_no_error (error);
}

static void
flip_on_device (Fixture *f, RefFrame *dst, const RefFrame *src,
    GstVideoOrientationMethod orientation)
{
  g_autoptr (GError) error = NULL;
  GstZcImage from, to;

  describe (f, &from, src, 0);
  describe (f, &to, dst, 1);
  copy_frame (f, src, 0, TRUE);
  copy_frame (f, dst, 1, TRUE);
  gst_zc_image_flip (&to, &from, orientation, f->stream, &error);
  g_assert_no_error (error);
  copy_frame (f, dst, 1, FALSE);
  gst_zc_stream_synchronize (f->stream, &error);
  g_assert_no_error (error);
}

static void
check_flip (Fixture *f, const RefFrame *src,
    GstVideoOrientationMethod orientation, RefLayout to)
{
  g_auto (RefFrame) expected = { 0 };
  g_auto (RefFrame) got = { 0 };
  g_autofree gchar *message = NULL;

  ref_frame_init_turned (&expected, src, orientation, to);
  ref_frame_init_turned (&got, src, orientation, to);
  ref_frame_flip (&expected, src, orientation);
  flip_on_device (f, &got, src, orientation);
  message = ref_frame_compare (&expected, &got);
  if (message)
    g_error ("%s to %s: %s", ref_orientation_name (orientation),
        ref_layout_name (to), message);
}

/* To the layout that is @step further on. */
static void
check_size (Fixture *f, GstVideoFormat format, gint width, gint height,
    RefLayout from, guint step)
{
  g_auto (RefFrame) src = { 0 };

  ref_frame_init (&src, format, width, height, from);
  ref_frame_fill_random (&src, SEED);
  for (guint o = 0; o <= GST_VIDEO_ORIENTATION_UR_LL; o++) {
    if (ref_is_defined (format, o))
      check_flip (f, &src, o, (from + step) % REF_N_LAYOUTS);
  }
}

static const gint small_sizes[][2] = { { 1, 1 }, { 2, 3 }, { 3, 5 }, { 17, 31 },
  { 48, 18 } };

static void
test_format (Fixture *f, gconstpointer data)
{
  GstVideoFormat format = GPOINTER_TO_INT (data);

  if (f->context == NULL)
    return;
  for (guint i = 0; i < G_N_ELEMENTS (small_sizes); i++) {
    for (guint from = 0; from < REF_N_LAYOUTS; from++) {
      for (guint step = 0; step < REF_N_LAYOUTS; step++)
        check_size (f, format, small_sizes[i][0], small_sizes[i][1], from,
            step);
    }
  }
  for (guint from = 0; from < REF_N_LAYOUTS; from++)
    check_size (f, format, 321, 241, from, from % 2);
  check_size (f, format, 322, 242, REF_PADDED, 0);
}

static gboolean
stands_for_its_kind (GstVideoFormat format)
{
  return format == GST_VIDEO_FORMAT_NV12 ||
      format == GST_VIDEO_FORMAT_P010_10LE || format == GST_VIDEO_FORMAT_RGBA ||
      format == GST_VIDEO_FORMAT_RGB || format == GST_VIDEO_FORMAT_YUY2;
}

/* As cameras and decoders make them. */
static void
test_full_hd (Fixture *f, gconstpointer data)
{
  GstVideoFormat format = GPOINTER_TO_INT (data);

  if (f->context == NULL)
    return;
  if (softcuda_panel () != NULL && !stands_for_its_kind (format)) {
    g_test_skip ("takes too long on softcuda; others stand for this kind");
    return;
  }
  check_size (f, format, 1920, 1080, REF_PADDED, 0);
}

/* What can be turned is what the reference has an answer for. */
static void
test_can_orient (void)
{
  guint n;
  const GstVideoFormat *formats = gst_zc_format_list (&n);

  for (guint i = 0; i < n; i++) {
    for (guint o = 0; o <= GST_VIDEO_ORIENTATION_UR_LL; o++) {
      g_test_message ("%s, %s", gst_video_format_to_string (formats[i]),
          ref_orientation_name (o));
      g_assert_cmpint (gst_zc_format_can_orient (formats[i], o), ==,
          ref_is_defined (formats[i], o));
    }
  }
}

static void
test_orientations (void)
{
  for (guint o = 0; o <= GST_VIDEO_ORIENTATION_UR_LL; o++)
    g_assert_cmpint (gst_zc_orientation_transposes (o), ==,
        ref_is_transposing (o));
  g_assert_false (gst_zc_orientation_transposes (GST_VIDEO_ORIENTATION_AUTO));
  g_assert_cmpint (gst_zc_orientation_from_flip_code (0), ==,
      GST_VIDEO_ORIENTATION_VERT);
  g_assert_cmpint (gst_zc_orientation_from_flip_code (1), ==,
      GST_VIDEO_ORIENTATION_HORIZ);
  g_assert_cmpint (gst_zc_orientation_from_flip_code (-1), ==,
      GST_VIDEO_ORIENTATION_180);
}

/* Images that no launch touches, of one device address */
static GstZcImage
image_of (GstVideoFormat format, gint width, gint height)
{
  g_autoptr (GError) error = NULL;
  GstZcImage image;

  gst_zc_image_init_packed (&image, format, width, height, 0, 4096, NULL,
      &error);
  g_assert_no_error (error);
  return image;
}

static void
assert_refused (Fixture *f, const GstZcImage *dst, const GstZcImage *src,
    GstVideoOrientationMethod orientation, GstZcError code)
{
  g_autoptr (GError) error = NULL;

  g_assert_false (gst_zc_image_flip (dst, src, orientation, f->stream, &error));
  g_assert_error (error, GST_ZC_ERROR, (gint) code);
  g_test_message ("%s", error->message);
}

static void
test_refused (Fixture *f, gconstpointer data)
{
  GstZcImage wide = image_of (GST_VIDEO_FORMAT_NV12, 64, 32);
  GstZcImage other = image_of (GST_VIDEO_FORMAT_I420, 64, 32);
  GstZcImage halved = image_of (GST_VIDEO_FORMAT_Y42B, 32, 32);
  GstZcImage elsewhere = wide;

  if (f->context == NULL)
    return;
  elsewhere.device = 1;
  assert_refused (f, &wide, &wide, GST_VIDEO_ORIENTATION_90R,
      GST_ZC_ERROR_LAYOUT);
  assert_refused (f, &other, &wide, GST_VIDEO_ORIENTATION_180,
      GST_ZC_ERROR_LAYOUT);
  assert_refused (f, &halved, &halved, GST_VIDEO_ORIENTATION_90L,
      GST_ZC_ERROR_UNSUPPORTED);
  assert_refused (f, &wide, &wide, GST_VIDEO_ORIENTATION_AUTO,
      GST_ZC_ERROR_UNSUPPORTED);
  assert_refused (f, &elsewhere, &wide, GST_VIDEO_ORIENTATION_180,
      GST_ZC_ERROR_WRONG_DEVICE);
  assert_refused (f, &wide, &elsewhere, GST_VIDEO_ORIENTATION_180,
      GST_ZC_ERROR_WRONG_DEVICE);
}

int
main (int argc, char **argv)
{
  guint n;
  const GstVideoFormat *formats = gst_zc_format_list (&n);

  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  g_test_message ("seed %u", SEED);
  g_test_add_func ("/flip/can-orient", test_can_orient);
  g_test_add_func ("/flip/orientations", test_orientations);
  g_test_add ("/flip/refused", Fixture, NULL, setup, test_refused, teardown);
  for (guint i = 0; i < n; i++) {
    const gchar *name = gst_video_format_to_string (formats[i]);
    g_autofree gchar *path = g_strdup_printf ("/flip/format/%s", name);
    g_autofree gchar *full_hd = g_strdup_printf ("/flip/1920x1080/%s", name);

    g_test_add (path, Fixture, GINT_TO_POINTER (formats[i]), setup, test_format,
        teardown);
    g_test_add (full_hd, Fixture, GINT_TO_POINTER (formats[i]), setup_large,
        test_full_hd, teardown);
  }
  return g_test_run ();
}
