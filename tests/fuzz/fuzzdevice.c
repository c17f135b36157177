/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "fuzzdevice.h"

#include <cuda.h>
#include <dlfcn.h>

#include "cudatest.h"
#include "softcuda-panel.h"

static FuzzDevice device;
static CUresult (*find_block) (CUdeviceptr *start, size_t *size,
    CUdeviceptr address);

static gboolean
open_device (void)
{
  static const gsize sizes[FUZZ_BLOCKS] = { 4096, 65536, 100001 };
  const SoftcudaPanel *panel = softcuda_panel ();

  if (panel == NULL)
    return FALSE;
  /* Races are no matter here, and looking for them takes long; so does another
   * thread that does the work. */
  panel->set_policy ("lazy");
  panel->set_races ("off");
  find_block = (CUresult (*) (CUdeviceptr *, size_t *,
      CUdeviceptr)) dlsym (dlopen ("libcuda.so.1", RTLD_NOW),
      "cuMemGetAddressRange_v2");
  device.context = gst_zc_context_new (0, NULL);
  device.stream = gst_zc_stream_new (device.context, NULL);
  for (guint i = 0; i < FUZZ_BLOCKS; i++) {
    device.block[i].size = sizes[i];
    device.block[i].start = cuda_test_alloc (device.context, sizes[i]);
  }
  return TRUE;
}

const FuzzDevice *
fuzz_device (void)
{
  if (device.context == NULL && !open_device ())
    return NULL;
  return &device;
}

void
fuzz_device_drain (void)
{
  const SoftcudaPanel *panel = softcuda_panel ();

  if (panel != NULL)
    panel->drain ();
}

gboolean
fuzz_extent (const GstZcPlane *plane, guint64 *first, guint64 *size)
{
  gboolean up = plane->row_stride < 0;
  guint64 stride =
      up ? -(guint64) plane->row_stride : (guint64) plane->row_stride;
  guint64 rows, row;

  if (plane->width < 1 || plane->height < 1 || plane->pixel_stride < 1 ||
      !g_uint64_checked_mul (&rows, stride, plane->height - 1) ||
      !g_uint64_checked_mul (&row, plane->pixel_stride, plane->width - 1) ||
      !g_uint64_checked_add (&row, row,
          (guint64) plane->n_channels * plane->channel_bytes) ||
      !g_uint64_checked_add (size, rows, row) || (up && rows > plane->data))
    return FALSE;
  *first = up ? plane->data - rows : plane->data;
  return TRUE;
}

/* Values that a fuzzer learns may be addresses of the library's own memory. */
static gboolean
is_in_a_block (guint64 first, guint64 size)
{
  CUdeviceptr start = 0;
  size_t room = 0;
  gboolean known;

  cuda_test_push (device.context);
  known = find_block (&start, &room, first) == CUDA_SUCCESS;
  cuda_test_pop ();
  return known && fuzz_lies_in (first, size, start, room);
}

void
fuzz_check_image (const GstZcImage *image)
{
  for (guint i = 0; i < image->n_planes; i++) {
    guint64 first, size;

    fuzz_assert (fuzz_extent (&image->plane[i], &first, &size));
    fuzz_assert (is_in_a_block (first, size));
  }
}

void
fuzz_check_buffer (GstBuffer *buffer, const GstVideoInfo *info,
    gboolean is_copy)
{
  g_autoptr (GError) error = NULL;
  GstZcFrame frame;

  gst_zc_frame_map (&frame, buffer, info, GST_MAP_READ, device.stream, &error);
  g_assert_no_error (error);
  if (!is_copy)
    fuzz_check_image (&frame.image);
  gst_zc_frame_unmap (&frame, &error);
  g_assert_no_error (error);
}
