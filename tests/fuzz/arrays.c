/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* CUDA arrays of others, as a binding reads them from a dictionary: what is taken
 * lies in its allocations, has the array's address, and goes back once. */

#include <string.h>

#include "fuzzdevice.h"
#include "fuzzowner.h"

#define MAX_DIMS 6

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  fuzz_init (argc, argv);
  fuzz_device ();
  return 0;
}

static gboolean
make_info (FuzzInput *in, GstVideoInfo *info)
{
  GstVideoFormat format = fuzz_format (in);
  gint width = fuzz_size (in), height = fuzz_size (in);

  return width > 0 && height > 0 && format >= GST_VIDEO_FORMAT_I420 &&
      gst_video_info_set_format (info, format, width, height);
}

static const gchar *
make_typestr (FuzzInput *in, gint bytes)
{
  static const gchar *const words[] = { "|u1", "<u2", "<u4", ">u2", "=u2",
    "|i1", "<f4", "|u0", "|u11", "u1", "", "|u", "|u99999999999999999999",
    "<u2 and more", NULL };

  if (!fuzz_chance (in, 8))
    return words[bytes / 2];
  return words[fuzz_below (in, G_N_ELEMENTS (words))];
}

/* The shape of a plane in one of the ways that are usual. */
static guint
usual_shape (FuzzInput *in, const GstZcPlane *plane, gint64 *shape)
{
  guint n = 0;

  if (fuzz_chance (in, 8))
    shape[n++] = 1;
  shape[n++] = plane->height;
  if (fuzz_chance (in, 4)) {
    shape[n++] = (gint64) plane->width * plane->n_channels;
  } else {
    shape[n++] = plane->width;
    shape[n++] = plane->n_channels;
  }
  return n;
}

/* All planes in one array. */
static guint
stacked_shape (FuzzInput *in, const GstZcImage *image, gint64 *shape)
{
  guint n = 0;

  if (fuzz_chance (in, 2)) {
    shape[n++] = image->n_planes;
    shape[n++] = image->height;
  } else {
    shape[n++] = image->height / 2 * 3;
  }
  shape[n++] = image->width;
  if (fuzz_chance (in, 4))
    shape[n++] = 1;
  return n;
}

static void
usual_strides (guint n_dims, const gint64 *shape, gint bytes, gint64 *strides)
{
  guint64 next = bytes;

  for (guint i = n_dims; i-- > 0;) {
    strides[i] = (gint64) next;
    next *= (guint64) shape[i];
  }
}

static GstZcArray *
make_array (FuzzInput *in, const GstZcImage *image, guint plane, guint n_arrays)
{
  static const gint64 streams[] = { GST_ZC_CAI_NO_STREAM, GST_ZC_CAI_NONE, 0, 1,
    2, -2 };
  const GstZcPlane *p = &image->plane[plane % image->n_planes];
  const FuzzBlock *block = &fuzz_device ()->block[fuzz_below (in, FUZZ_BLOCKS)];
  gint64 shape[MAX_DIMS] = { 0 }, strides[MAX_DIMS] = { 0 };
  const gchar *typestr = make_typestr (in, p->channel_bytes);
  g_autoptr (GError) error = NULL;
  GstZcArray *array;
  guint n;

  n = n_arrays == 1 && image->n_planes > 1 ? stacked_shape (in, image, shape)
                                           : usual_shape (in, p, shape);
  usual_strides (n, shape, p->channel_bytes, strides);
  for (guint i = 0; i < n; i++) {
    shape[i] = fuzz_near (in, shape[i]);
    strides[i] = fuzz_near (in, strides[i]);
  }
  if (fuzz_chance (in, 16))
    n = fuzz_below (in, MAX_DIMS + 1);
  array = gst_zc_array_new (block->start +
          (guint64) fuzz_near (in, (gint64) block->size / 4 * plane),
      typestr, n, shape, fuzz_chance (in, 3) ? NULL : strides,
      streams[fuzz_below (in, G_N_ELEMENTS (streams))], &error);
  fuzz_check_error (array != NULL, &error);
  return array;
}

/* A struct that anybody can write to. */
static void
spoil (FuzzInput *in, GstZcArray *array)
{
  array->n_dims = (guint) fuzz_near (in, array->n_dims);
  array->device = fuzz_near_int (in, array->device);
  array->read_only = fuzz_chance (in, 2);
  if (fuzz_chance (in, 4))
    memset (array->typestr, fuzz_u8 (in), sizeof (array->typestr));
}

static gboolean
is_bottom_up (GstZcArray *const *arrays, guint n)
{
  for (guint i = 0; i < n; i++) {
    for (guint dim = 0; dim < arrays[i]->n_dims; dim++) {
      if (arrays[i]->strides[dim] < 0)
        return TRUE;
    }
  }
  return FALSE;
}

static void
check_buffer (FuzzInput *in, GstBuffer *buffer, const GstVideoInfo *info,
    gboolean is_copy)
{
  gint plane = (gint) fuzz_below (in, 6) - 1;
  g_autoptr (GstZcArray) array = NULL;
  g_autoptr (GError) error = NULL;

  fuzz_check_buffer (buffer, info, is_copy);
  array = gst_zc_buffer_get_array (buffer, info, plane, GST_MAP_READ,
      GST_ZC_ARRAY_SYNC_NONE, &error);
  fuzz_check_error (array != NULL, &error);
}

static void
use (FuzzInput *in, const GstVideoInfo *info, GstZcArray **arrays, guint n,
    FuzzOwner *owner)
{
  GstCudaContext *context =
      fuzz_chance (in, 2) ? NULL : fuzz_device ()->context;
  GError *error = NULL;
  GstBuffer *buffer = gst_zc_buffer_new_from_arrays (context, info, arrays, n,
      owner, fuzz_owner_tell, &error);

  fuzz_check_error (buffer != NULL, &error);
  if (buffer != NULL) {
    check_buffer (in, buffer, info, is_bottom_up (arrays, n));
    gst_buffer_unref (buffer);
  }
  fuzz_owner_expect (owner, 1);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  FuzzInput in = { data, size };
  GstZcArray *arrays[GST_ZC_MAX_PLANES + 1] = { NULL };
  GstVideoInfo info;
  GstZcImage image;
  guint n, made = 0;

  if (!make_info (&in, &info) ||
      !gst_zc_image_init_packed (&image, GST_VIDEO_INFO_FORMAT (&info),
          GST_VIDEO_INFO_WIDTH (&info), GST_VIDEO_INFO_HEIGHT (&info), 0, 1,
          NULL, NULL))
    return 0;
  n = fuzz_chance (&in, 3) ? fuzz_below (&in, G_N_ELEMENTS (arrays) + 1)
                           : image.n_planes;
  while (made < n && (arrays[made] = make_array (&in, &image, made, n)) != NULL)
    made++;
  if (made > 0 && fuzz_chance (&in, 8))
    spoil (&in, arrays[fuzz_below (&in, made)]);
  if (made == n)
    use (&in, &info, arrays, n, fuzz_owner_new (data, size));
  while (made > 0)
    gst_zc_array_free (arrays[--made]);
  return 0;
}
