/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Pictures of others in device memory: what gst_zc_buffer_new_wrapped() takes lies
 * in their allocations and is mapped as it was given; the owner is told once. */

#include "fuzzdevice.h"
#include "fuzzowner.h"

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  fuzz_init (argc, argv);
  fuzz_device ();
  return 0;
}

static gboolean
make_image (FuzzInput *in, GstZcImage *image)
{
  guint64 data[GST_ZC_MAX_PLANES] = { 0 };
  gint64 stride[GST_ZC_MAX_PLANES] = { 0 };
  const FuzzBlock *block = &fuzz_device ()->block[fuzz_below (in, FUZZ_BLOCKS)];
  GstVideoFormat format = fuzz_format (in);
  gint width = fuzz_size (in), height = fuzz_size (in);
  gsize at = 0, size;

  if (!gst_zc_image_init_packed (image, format, width, height, 0, block->start,
          &size, NULL))
    return FALSE;
  for (guint i = 0; i < image->n_planes; i++) {
    const GstZcPlane *plane = &image->plane[i];

    if (fuzz_chance (in, 8))
      block = &fuzz_device ()->block[fuzz_below (in, FUZZ_BLOCKS)];
    data[i] = block->start + (guint64) fuzz_near (in, (gint64) at);
    stride[i] = fuzz_near (in, (gint64) gst_zc_plane_row_bytes (plane));
    at += gst_zc_plane_extent (plane);
  }
  return gst_zc_image_init (image, format, width, height, fuzz_near_int (in, 0),
      data, stride, NULL);
}

/* Images come from other code, which may fill them as it likes. */
static void
spoil (FuzzInput *in, GstZcImage *image)
{
  GstZcPlane *plane = &image->plane[fuzz_below (in, GST_ZC_MAX_PLANES)];

  image->n_planes = (guint) fuzz_near (in, image->n_planes);
  image->width = fuzz_near_int (in, image->width);
  image->height = fuzz_near_int (in, image->height);
  plane->row_stride = fuzz_near (in, plane->row_stride);
  plane->pixel_stride = fuzz_near_int (in, plane->pixel_stride);
  plane->width = fuzz_near_int (in, plane->width);
  plane->height = fuzz_near_int (in, plane->height);
  plane->n_channels = fuzz_near_int (in, plane->n_channels);
  plane->channel_bytes = fuzz_near_int (in, plane->channel_bytes);
}

static void
make_producer (FuzzInput *in, GstZcProducer *producer)
{
  static const gint64 streams[] = { GST_ZC_CAI_NO_STREAM, GST_ZC_CAI_NONE, 0, 1,
    2, -2, G_MININT64 + 1 };

  *producer = (GstZcProducer) { 0 };
  if (fuzz_chance (in, 2))
    return;
  producer->kind = (GstZcProducerKind) fuzz_below (in, 6);
  producer->cai_stream = streams[fuzz_below (in, G_N_ELEMENTS (streams))];
  if (producer->kind == GST_ZC_PRODUCER_EVENT)
    producer->kind = GST_ZC_PRODUCER_NONE;
}

static void
check_same (const GstZcImage *given, const GstZcImage *mapped)
{
  for (guint i = 0; i < given->n_planes; i++) {
    if (given->plane[i].row_stride < 0)
      return; /* a copy */
  }
  for (guint i = 0; i < given->n_planes; i++) {
    fuzz_assert (given->plane[i].data == mapped->plane[i].data);
    fuzz_assert (given->plane[i].row_stride == mapped->plane[i].row_stride ||
        given->plane[i].height == 1);
  }
}

static void
check_buffer (GstBuffer *buffer, const GstZcImage *image)
{
  g_autoptr (GError) error = NULL;
  GstVideoInfo info;
  GstZcFrame frame;

  gst_video_info_set_format (&info, image->format, image->width, image->height);
  gst_zc_frame_map (&frame, buffer, &info, GST_MAP_READ, fuzz_device ()->stream,
      &error);
  g_assert_no_error (error);
  check_same (image, &frame.image);
  gst_zc_frame_unmap (&frame, &error);
  g_assert_no_error (error);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  FuzzInput in = { data, size };
  GError *error = NULL;
  GstZcProducer producer;
  GstZcImage image;
  GstBuffer *buffer;
  FuzzOwner *owner;

  if (!make_image (&in, &image))
    return 0;
  owner = fuzz_owner_new (data, size);
  if (fuzz_chance (&in, 4))
    spoil (&in, &image);
  make_producer (&in, &producer);
  buffer = gst_zc_buffer_new_wrapped (fuzz_device ()->context, &image,
      &producer, owner, fuzz_owner_tell, &error);
  fuzz_check_error (buffer != NULL, &error);
  if (buffer != NULL) {
    fuzz_check_image (&image);
    check_buffer (buffer, &image);
    gst_buffer_unref (buffer);
  }
  fuzz_owner_expect (owner, 1);
  return 0;
}
