/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* DLPack's tensors of others: what is taken lies in its allocations, and each
 * deleter is called once. */

#include <gst/zc/gstzcdlpack.h>
#include <gst/zc/gstzcdlpackabi.h>
#include <string.h>

#include "fuzzdevice.h"
#include "fuzzowner.h"

#define MAX_DIMS 5

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  fuzz_init (argc, argv);
  fuzz_device ();
  return 0;
}

/* A tensor of either struct, with room for as many numbers as it says. */
typedef struct
{
  union
  {
    ZcDLManagedTensor plain;
    ZcDLManagedTensorVersioned versioned;
  } tensor;
  gint64 *shape; /* owned */
  gint64 *strides; /* owned, or NULL */
  FuzzOwner *owner; /* who counts deletions */
} Tensor;

static void
tensor_free (Tensor *self)
{
  fuzz_owner_tell (self->owner);
  g_free (self->shape);
  g_free (self->strides);
  g_free (self);
}

static void
delete_plain (ZcDLManagedTensor *tensor)
{
  tensor_free (tensor->manager_ctx);
}

static void
delete_versioned (ZcDLManagedTensorVersioned *tensor)
{
  tensor_free (tensor->manager_ctx);
}

/* Elements. */
static void
fill_numbers (FuzzInput *in, Tensor *self, const GstZcPlane *plane, gint ndim)
{
  const gint64 usual[] = { plane->height, plane->width, plane->n_channels };
  const gint64 usual_strides[] = { (gint64) plane->width * plane->n_channels,
    plane->n_channels, 1 };

  self->shape = g_new0 (gint64, MAX (ndim, 0));
  self->strides = g_new0 (gint64, MAX (ndim, 0));
  for (gint i = 0; i < ndim; i++) {
    self->shape[i] = fuzz_near (in, i < 3 ? usual[i] : 1);
    self->strides[i] = fuzz_near (in, i < 3 ? usual_strides[i] : 1);
  }
  if (fuzz_chance (in, 3))
    g_clear_pointer (&self->strides, g_free);
}

static ZcDLTensor
describe (FuzzInput *in, Tensor *self, const GstZcPlane *plane, guint index)
{
  const FuzzBlock *block = &fuzz_device ()->block[fuzz_below (in, FUZZ_BLOCKS)];
  guint64 data =
      block->start + (guint64) fuzz_near (in, (gint64) block->size / 4 * index);
  gint ndim = fuzz_chance (in, 8) ? (gint) fuzz_below (in, MAX_DIMS + 1)
      : plane->n_channels == 1 && fuzz_chance (in, 2) ? 2
                                                      : 3;
  ZcDLTensor tensor = { .data = (gpointer) (guintptr) data,
    .device_type = fuzz_near_int (in, ZC_DL_CUDA),
    .device_id = fuzz_near_int (in, 0),
    .ndim = ndim,
    .dtype = { (guint8) fuzz_near_int (in, ZC_DL_UINT),
        (guint8) fuzz_near_int (in, plane->channel_bytes * 8),
        (guint16) fuzz_near_int (in, 1) },
    .byte_offset = (guint64) fuzz_near (in, 0) };

  fill_numbers (in, self, plane, ndim);
  tensor.shape = self->shape;
  tensor.strides = self->strides;
  if (fuzz_chance (in, 32))
    tensor.shape = NULL;
  if (fuzz_chance (in, 32))
    tensor.ndim = -ndim;
  return tensor;
}

static gpointer
tensor_new (FuzzInput *in, const GstZcPlane *plane, guint index,
    GstZcDLPackFlags flags, FuzzOwner *owner)
{
  Tensor *self = g_new0 (Tensor, 1);
  ZcDLTensor tensor = describe (in, self, plane, index);

  self->owner = owner;
  if (!(flags & GST_ZC_DLPACK_VERSIONED)) {
    self->tensor.plain = (ZcDLManagedTensor) { tensor, self, delete_plain };
    return &self->tensor.plain;
  }
  self->tensor.versioned =
      (ZcDLManagedTensorVersioned) { (guint32) fuzz_near (in, ZC_DL_MAJOR),
        (guint32) fuzz_near (in, 0), self, delete_versioned,
        (guint64) fuzz_near (in, 0), tensor };
  return &self->tensor.versioned;
}

static GstBuffer *
use (FuzzInput *in, const GstZcImage *image, gpointer *tensors, guint n,
    GstZcDLPackFlags flags, GError **error)
{
  gint64 stream = fuzz_chance (in, 2) ? 1 : GST_ZC_CAI_NONE;
  GstVideoInfo info;

  fuzz_assert (gst_video_info_set_format (&info, image->format, 16, 16));
  info.width = fuzz_near_int (in, image->width);
  info.height = fuzz_near_int (in, image->height);
  return gst_zc_buffer_new_from_dlpack (fuzz_device ()->context, &info, tensors,
      n, flags, stream, error);
}

static const ZcDLTensor *
tensor_of (gpointer tensor, GstZcDLPackFlags flags)
{
  return flags & GST_ZC_DLPACK_VERSIONED
      ? &((ZcDLManagedTensorVersioned *) tensor)->dl_tensor
      : &((ZcDLManagedTensor *) tensor)->dl_tensor;
}

/* In any dimension: those of 1 in front are not looked at. */
static gboolean
is_bottom_up (const gpointer *tensors, guint n, GstZcDLPackFlags flags)
{
  for (guint i = 0; i < n; i++) {
    const ZcDLTensor *tensor = tensor_of (tensors[i], flags);

    for (gint dim = 0; tensor->strides != NULL && dim < tensor->ndim; dim++) {
      if (tensor->strides[dim] < 0)
        return TRUE;
    }
  }
  return FALSE;
}

static void
check (GstBuffer *buffer, gboolean is_copy)
{
  const GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  GstVideoInfo info;

  fuzz_assert (gst_video_info_set_format (&info, meta->format, meta->width,
      meta->height));
  fuzz_check_buffer (buffer, &info, is_copy);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  FuzzInput in = { data, size };
  GstVideoFormat format = fuzz_format (&in);
  gint width = fuzz_size (&in), height = fuzz_size (&in);
  GstZcDLPackFlags flags =
      fuzz_chance (&in, 2) ? GST_ZC_DLPACK_VERSIONED : GST_ZC_DLPACK_NONE;
  gpointer tensors[GST_ZC_MAX_PLANES];
  GError *error = NULL;
  GstZcImage image;
  GstBuffer *buffer;
  FuzzOwner *owner;
  gboolean bottom_up;
  guint n;

  if (!gst_zc_image_init_packed (&image, format, width, height, 0, 1, NULL,
          NULL))
    return 0;
  owner = fuzz_owner_new (data, size);
  n = fuzz_chance (&in, 4) ? 1 + fuzz_below (&in, GST_ZC_MAX_PLANES)
                           : image.n_planes;
  for (guint i = 0; i < n; i++)
    tensors[i] =
        tensor_new (&in, &image.plane[i % image.n_planes], i, flags, owner);
  bottom_up = is_bottom_up (tensors, n, flags);
  buffer = use (&in, &image, tensors, n, flags, &error);
  fuzz_check_error (buffer != NULL, &error);
  if (buffer != NULL) {
    check (buffer, bottom_up);
    gst_buffer_unref (buffer);
  }
  fuzz_owner_expect (owner, n);
  return 0;
}
