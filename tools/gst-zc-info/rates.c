/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* How fast pictures go up and down, by the library's own copies. */

#include "info.h"

/* A picture of 16 MiB. */
#define WIDTH 2048
#define HEIGHT 2048
/* For each of the four; a copy that has begun is finished. */
#define DURATION_US (60 * 1000)

/* What is copied, and where to. */
typedef struct
{
  GstVideoInfo info;
  GstZcStream *stream;
  GstBuffer *device;
  GstBuffer *pinned;
  GstBuffer *pageable;
} Bench;

static void
bench_clear (Bench *bench)
{
  gst_clear_buffer (&bench->device);
  gst_clear_buffer (&bench->pinned);
  gst_clear_buffer (&bench->pageable);
  g_clear_pointer (&bench->stream, gst_zc_stream_unref);
}

G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Bench, bench_clear)

static void
out_of_memory (GError **error, const gchar *what)
{
  g_set_error (error, GST_ZC_ERROR, GST_ZC_ERROR_NO_MEMORY,
      "there is no %s memory for a picture of 16 MiB: close other programs",
      what);
}

static GstBuffer *
device_buffer (GstCudaContext *context, const GstVideoInfo *info,
    GError **error)
{
  g_autoptr (GstBufferPool) pool = gst_zc_device_pool_new (context);
  g_autoptr (GstCaps) caps = gst_video_info_to_caps (info);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstBuffer *buffer = NULL;

  gst_buffer_pool_config_set_params (config, caps, info->size, 0, 0);
  if (!gst_buffer_pool_set_config (pool, config) ||
      !gst_buffer_pool_set_active (pool, TRUE) ||
      gst_buffer_pool_acquire_buffer (pool, &buffer, NULL) != GST_FLOW_OK)
    out_of_memory (error, "device");
  return buffer;
}

static GstBuffer *
host_buffer (GstAllocator *allocator, const GstVideoInfo *info, GError **error)
{
  GstBuffer *buffer = gst_buffer_new_allocate (allocator, info->size, NULL);

  if (buffer == NULL)
    out_of_memory (error, allocator ? "page-locked" : "host");
  else
    gst_buffer_memset (buffer, 0, 0x55, info->size);
  return buffer;
}

static gboolean
bench_init (Bench *bench, GstCudaContext *context, GError **error)
{
  g_autoptr (GstAllocator) pinned = gst_zc_pinned_allocator_new (context);

  gst_video_info_set_format (&bench->info, GST_VIDEO_FORMAT_RGBA, WIDTH,
      HEIGHT);
  return (bench->stream = gst_zc_stream_new (context, error)) != NULL &&
      (bench->device = device_buffer (context, &bench->info, error)) != NULL &&
      (bench->pinned = host_buffer (pinned, &bench->info, error)) != NULL &&
      (bench->pageable = host_buffer (NULL, &bench->info, error)) != NULL;
}

static gboolean
copy (Bench *bench, GstBuffer *host, gboolean up, GError **error)
{
  GstZcFrame frame;
  gboolean ok;

  if (!gst_zc_frame_map (&frame, bench->device, &bench->info,
          up ? GST_MAP_WRITE : GST_MAP_READ, bench->stream, error))
    return FALSE;
  ok = up ? gst_zc_frame_upload (&frame, host, &bench->info, error)
          : gst_zc_frame_download (&frame, host, &bench->info, error);
  return gst_zc_frame_unmap (&frame, ok ? error : NULL) && ok &&
      gst_zc_stream_synchronize (bench->stream, error);
}

/* Bytes a second; 0 with @error. */
static gdouble
measure (Bench *bench, GstBuffer *host, gboolean up, GError **error)
{
  gint64 start, now;
  guint n = 0;

  /* once without the clock: the first touch of pages takes longer */
  if (!copy (bench, host, up, error))
    return 0;
  start = now = g_get_monotonic_time ();
  while (now - start < DURATION_US) {
    if (!copy (bench, host, up, error))
      return 0;
    n++;
    now = g_get_monotonic_time ();
  }
  return (gdouble) n * bench->info.size * G_USEC_PER_SEC / (now - start);
}

/* Downloads first: an upload lets go of its source a little later than its copy
 * is done, and what somebody holds can't be downloaded to. */
static gboolean
measure_all (Bench *bench, ZcRates *rates, GError **error)
{
  rates->down_pinned = measure (bench, bench->pinned, FALSE, error);
  if (rates->down_pinned > 0)
    rates->down_pageable = measure (bench, bench->pageable, FALSE, error);
  if (rates->down_pageable > 0)
    rates->up_pinned = measure (bench, bench->pinned, TRUE, error);
  if (rates->up_pinned > 0)
    rates->up_pageable = measure (bench, bench->pageable, TRUE, error);
  return rates->up_pageable > 0;
}

void
zc_info_measure_rates (ZcInfo *self, ZcDevice *device)
{
  g_autofree gchar *where =
      g_strdup_printf ("device %u, copies", device->number);
  GstCudaContext *context;
  GError *error = NULL;
  g_auto (Bench) bench = { 0 };

  context = gst_zc_context_new (device->number, &error);
  if (context == NULL || !bench_init (&bench, context, &error) ||
      !measure_all (&bench, &device->rates, &error))
    zc_info_take_error (self, where, error);
  if (context != NULL)
    gst_object_unref (context);
}
