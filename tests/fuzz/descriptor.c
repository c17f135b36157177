/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* From caps, GstVideoMeta, GstVideoCropMeta and the sizes of memories to planes:
 * what is accepted lies in the memories, of a device and of the host. */

#include <gst/cuda/gstcudamemory.h>
#include <gst/zc/gstzcallocator.h>
#include <gst/zc/gstzchost-private.h>

#include "fuzzdevice.h"

#define MAX_MEMORIES 5
#define MAX_HOST_BYTES 20000
#define ROW_BYTES 65536
/* Where the memories of a device are said to be: nobody reads there. */
#define ADDRESS(i) (((guint64) (i) + 1) << 44)

static GstCudaStream *bridge;

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  fuzz_init (argc, argv);
  gst_cuda_memory_init_once ();
  if (fuzz_device () != NULL)
    bridge = gst_cuda_stream_new (fuzz_device ()->context);
  return 0;
}

static gboolean
make_info (FuzzInput *in, GstVideoInfo *info)
{
  GstVideoFormat format = fuzz_format (in);
  gint width = fuzz_size (in), height = fuzz_size (in);
  GstVideoInterlaceMode mode = fuzz_chance (in, 8)
      ? GST_VIDEO_INTERLACE_MODE_INTERLEAVED
      : GST_VIDEO_INTERLACE_MODE_PROGRESSIVE;

  if (width < 1 || height < 1 || format < GST_VIDEO_FORMAT_I420)
    return FALSE;
  return gst_video_info_set_interlaced_format (info, format, mode, width,
      height);
}

static void
add_meta (FuzzInput *in, GstBuffer *buffer, const GstVideoInfo *info)
{
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  gint stride[GST_VIDEO_MAX_PLANES] = { 0 };
  guint n_planes = GST_VIDEO_INFO_N_PLANES (info);
  GstVideoFormat format = GST_VIDEO_INFO_FORMAT (info);
  guint grow = fuzz_below (in, 4);

  if (fuzz_chance (in, 16))
    n_planes = fuzz_below (in, GST_VIDEO_MAX_PLANES + 1);
  if (fuzz_chance (in, 16))
    format = fuzz_format (in);
  for (guint i = 0; i < GST_VIDEO_MAX_PLANES; i++) {
    offset[i] = (gsize) fuzz_near (in, (gint64) info->offset[i]);
    stride[i] = fuzz_near_int (in, info->stride[i]);
  }
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE, format,
      (guint) fuzz_near (in, GST_VIDEO_INFO_WIDTH (info) + grow),
      (guint) fuzz_near (in, GST_VIDEO_INFO_HEIGHT (info) + grow), n_planes,
      offset, stride);
}

static void
add_crop (FuzzInput *in, GstBuffer *buffer, const GstVideoInfo *info)
{
  GstVideoCropMeta *crop = gst_buffer_add_video_crop_meta (buffer);

  crop->x = (guint) fuzz_near (in, fuzz_below (in, 4));
  crop->y = (guint) fuzz_near (in, fuzz_below (in, 4));
  crop->width = (guint) fuzz_near (in, GST_VIDEO_INFO_WIDTH (info));
  crop->height = (guint) fuzz_near (in, GST_VIDEO_INFO_HEIGHT (info));
}

static void
add_metas (FuzzInput *in, GstBuffer *buffer, const GstVideoInfo *info)
{
  if (fuzz_chance (in, 2))
    add_meta (in, buffer, info);
  if (fuzz_chance (in, 4))
    add_crop (in, buffer, info);
}

/* A device */

/* Without a notify the memory would be the buffer's to free. */
static void
keep (gpointer data)
{
}

static GstMemory *
device_memory (FuzzInput *in, const GstVideoInfo *info, guint index, gsize size)
{
  /* A row is no longer than an int says. */
  gsize width = size > G_MAXINT ? ROW_BYTES : size;
  ZcMemoryRows rows = { width, width, size / width };
  GstVideoInfo layout = *info;

  layout.size = size;
  for (guint i = 0; i < GST_VIDEO_MAX_PLANES && fuzz_chance (in, 4); i++) {
    layout.offset[i] = (gsize) fuzz_near (in, (gint64) layout.offset[i]);
    layout.stride[i] = fuzz_near_int (in, layout.stride[i]);
  }
  return zc_allocator_wrap (zc_allocator_get (), fuzz_device ()->context,
      bridge, &layout, &rows, ADDRESS (index), NULL, keep);
}

static void
check_planes (const GstZcImage *image, const gsize *sizes)
{
  for (guint i = 0; i < image->n_planes; i++) {
    guint memory = (image->plane[i].data >> 44) - 1;
    guint64 first, size;

    fuzz_assert (memory < MAX_MEMORIES);
    fuzz_assert (fuzz_extent (&image->plane[i], &first, &size));
    fuzz_assert (fuzz_lies_in (first, size, ADDRESS (memory), sizes[memory]));
  }
}

static gsize
device_size (FuzzInput *in, const GstVideoInfo *info)
{
  gsize size = (gsize) fuzz_near (in, (gint64) info->size) % ADDRESS (0);

  if (size > G_MAXINT)
    size -= size % ROW_BYTES;
  return MAX (size, 1);
}

static void
map_device (FuzzInput *in, const GstVideoInfo *info)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  g_autoptr (GError) error = NULL;
  guint n = fuzz_chance (in, 2) ? fuzz_below (in, MAX_MEMORIES + 1) : 1;
  GstMapFlags flags = fuzz_chance (in, 2) ? GST_MAP_WRITE : GST_MAP_READ;
  gsize sizes[MAX_MEMORIES] = { 0 };
  GstZcFrame frame;
  gboolean ok;

  for (guint i = 0; i < n; i++) {
    sizes[i] = device_size (in, info);
    gst_buffer_append_memory (buffer, device_memory (in, info, i, sizes[i]));
  }
  add_metas (in, buffer, info);
  ok = gst_zc_frame_map (&frame, buffer, info, flags, fuzz_device ()->stream,
      &error);
  fuzz_check_error (ok, &error);
  if (!ok)
    return;
  check_planes (&frame.image, sizes);
  gst_zc_frame_unmap (&frame, &error);
  g_assert_no_error (error);
}

/* The host: a sanitizer sees each byte that is touched. */

static void
touch_plane (const ZcHostPicture *host, const ZcPlaneSize *size, guint plane,
    gboolean write)
{
  for (gint row = 0; row < size->height; row++) {
    volatile guint8 *bytes =
        host->data[plane] + (gsize) row * host->stride[plane];

    for (gsize i = 0; i < size->row_bytes; i += MAX (size->row_bytes - 1, 1)) {
      if (write)
        bytes[i] = 1;
      else
        (void) bytes[i];
    }
  }
}

static void
touch (const ZcHostPicture *host, const GstVideoInfo *info, gboolean write)
{
  const GstZcFormat *format = gst_zc_format_get (GST_VIDEO_INFO_FORMAT (info));
  ZcPlaneSize size;

  for (guint i = 0; i < host->n_planes; i++) {
    zc_plane_size_init (&size, format, i, GST_VIDEO_INFO_WIDTH (info),
        GST_VIDEO_INFO_HEIGHT (info));
    touch_plane (host, &size, i, write);
  }
}

static void
map_host (FuzzInput *in, const GstVideoInfo *info)
{
  g_autoptr (GstBuffer) buffer = gst_buffer_new ();
  g_autoptr (GError) error = NULL;
  guint n = fuzz_chance (in, 2) ? fuzz_below (in, MAX_MEMORIES + 1) : 1;
  gboolean write = fuzz_chance (in, 2);
  ZcHostPicture host;
  gboolean ok;

  for (guint i = 0; i < n; i++) {
    gsize size = (gsize) fuzz_near (in, (gint64) info->size);

    gst_buffer_append_memory (buffer,
        gst_allocator_alloc (NULL, size % MAX_HOST_BYTES, NULL));
  }
  add_metas (in, buffer, info);
  ok = zc_host_picture_map (&host, buffer, info,
      write ? GST_MAP_WRITE : GST_MAP_READ, &error);
  fuzz_check_error (ok, &error);
  if (!ok)
    return;
  touch (&host, info, write);
  zc_host_picture_unmap (&host);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  FuzzInput in = { data, size };
  GstVideoInfo info;
  gboolean host = fuzz_chance (&in, 2);

  if (!make_info (&in, &info))
    return 0;
  if (host)
    map_host (&in, &info);
  else
    map_device (&in, &info);
  return 0;
}
