/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "flipdevice.h"

#include "driver.h"
#include "ring.h"

#define ROW_ALIGNMENT 512 /* what cuMemAllocPitch gives, and pools have */

typedef struct
{
  const gchar *name;
  GstVideoFormat format;
  gboolean
      wide; /* channels of 16 bits, which GStreamer has no CUDA format for */
} Pixels;

static const Pixels pixels[] = {
  { "NV12", GST_VIDEO_FORMAT_NV12 },
  { "P010", GST_VIDEO_FORMAT_P010_10LE },
  { "I420", GST_VIDEO_FORMAT_I420 },
  { "RGBA", GST_VIDEO_FORMAT_RGBA },
  { "RGB", GST_VIDEO_FORMAT_RGB },
  { "YUY2", GST_VIDEO_FORMAT_YUY2 },
  { "RGB48", GST_VIDEO_FORMAT_RGB, TRUE },
  { "RGBA64", GST_VIDEO_FORMAT_RGBA, TRUE },
};

typedef struct
{
  gint width, height;
  guint n_frames; /* between two events */
} Size;

static const Size sizes[] = {
  { 1920, 1080, 200 },
  { 3840, 2160, 200 },
  { 7680, 4320, 60 },
};
static const Size small_sizes[] = { { 64, 48, 2 } };

static const struct
{
  const gchar *name;
  GstVideoOrientationMethod method;
} orientations[] = {
  { "identity", GST_VIDEO_ORIENTATION_IDENTITY },
  { "horiz", GST_VIDEO_ORIENTATION_HORIZ },
  { "vert", GST_VIDEO_ORIENTATION_VERT },
  { "180", GST_VIDEO_ORIENTATION_180 },
  { "90r", GST_VIDEO_ORIENTATION_90R },
  { "90l", GST_VIDEO_ORIENTATION_90L },
  { "ul-lr", GST_VIDEO_ORIENTATION_UL_LR },
  { "ur-ll", GST_VIDEO_ORIENTATION_UR_LL },
};

typedef struct
{
  GstZcImage from, to; /* addresses count from the frame's first byte */
  GstVideoOrientationMethod method;
  gsize pixel_bytes; /* without padding */
  gsize memory;      /* the larger one of the two, bytes */
} Job;

/* Planes one below the other, rows aligned as a pool's. Returns the bytes. */
static gsize
describe (GstZcImage *image, const Pixels *kind, gint width, gint height,
    GError **error)
{
  const guint64 anywhere[GST_ZC_MAX_PLANES] = { 512, 512, 512, 512 };
  const gint64 strides[GST_ZC_MAX_PLANES] = { 1 << 20, 1 << 20, 1 << 20,
    1 << 20 };
  gsize at = 0;

  if (!gst_zc_image_init (image, kind->format, width, height, 0, anywhere,
          strides, error))
    return 0;
  for (guint i = 0; i < image->n_planes; i++) {
    GstZcPlane *plane = &image->plane[i];

    if (kind->wide) {
      plane->channel_bytes *= 2;
      plane->pixel_stride *= 2;
    }
    plane->data = at;
    plane->row_stride = (gst_zc_plane_row_bytes (plane) + ROW_ALIGNMENT - 1) /
        ROW_ALIGNMENT * ROW_ALIGNMENT;
    at += plane->row_stride * plane->height;
  }
  return at;
}

static gboolean
describe_job (Job *job, const Pixels *kind, gint width, gint height,
    GError **error)
{
  gboolean turned = gst_zc_orientation_transposes (job->method);
  gsize from = describe (&job->from, kind, width, height, error);
  gsize to = from == 0 ? 0
                       : describe (&job->to, kind, turned ? height : width,
                             turned ? width : height, error);

  job->memory = MAX (from, to);
  job->pixel_bytes = 0;
  for (guint i = 0; i < job->from.n_planes; i++)
    job->pixel_bytes += gst_zc_plane_row_bytes (&job->from.plane[i]) *
        job->from.plane[i].height;
  return to > 0;
}

static gboolean
copy (CUdeviceptr from, CUdeviceptr to, GstZcStream *stream, gpointer data,
    GError **error)
{
  const Job *job = data;

  if (cu.cuMemcpyDtoDAsync (to, from, job->pixel_bytes,
          gst_zc_stream_get_handle (stream)) == CUDA_SUCCESS)
    return TRUE;
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_DRIVER, "a copy failed");
  return FALSE;
}

static gboolean
flip (CUdeviceptr from, CUdeviceptr to, GstZcStream *stream, gpointer data,
    GError **error)
{
  Job job = *(const Job *) data;

  for (guint i = 0; i < job.from.n_planes; i++) {
    job.from.plane[i].data += from;
    job.to.plane[i].data += to;
  }
  return gst_zc_image_flip (&job.to, &job.from, job.method, stream, error);
}

static gboolean
measure (Figures *figures, Ring *ring, const Pixels *kind, const Size *size,
    GError **error)
{
  Figure figure = { "copy", "linear copy", kind->name, size->width,
    size->height };
  Job job = { .method = GST_VIDEO_ORIENTATION_IDENTITY };
  RingTime limit, time;

  if (!describe_job (&job, kind, size->width, size->height, error) ||
      !ring_time (ring, job.memory, size->n_frames, copy, &job, &limit, error))
    return FALSE;
  figure.us = limit.us;
  figures_add (figures, &figure);
  for (guint i = 0; i < G_N_ELEMENTS (orientations); i++) {
    job.method = orientations[i].method;
    if (!describe_job (&job, kind, size->width, size->height, error) ||
        !ring_time (ring, job.memory, size->n_frames, flip, &job, &time, error))
      return FALSE;
    figures_add (figures,
        &(Figure) { orientations[i].name, "gst_zc_image_flip", kind->name,
            size->width, size->height, time.us, "linear copy", limit.us });
  }
  figures_add (figures,
      &(Figure) { "launch, CPU", "gst_zc_image_flip", kind->name, size->width,
          size->height, time.cpu_us });
  return TRUE;
}

gboolean
flip_on_device (Figures *figures, gchar **formats, GError **error)
{
  gboolean soft = figures_soft (figures);
  const Size *list = soft ? small_sizes : sizes;
  guint n = soft ? G_N_ELEMENTS (small_sizes) : G_N_ELEMENTS (sizes);
  g_autoptr (Ring) ring = ring_new (soft ? 1 << 20 : 512 << 20, soft, error);

  if (!ring)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    for (guint j = 0; j < G_N_ELEMENTS (pixels); j++) {
      if ((formats == NULL ||
              g_strv_contains ((const gchar **) formats, pixels[j].name)) &&
          !measure (figures, ring, &pixels[j], &list[i], error))
        return FALSE;
    }
  }
  return TRUE;
}
