/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The pool of device memory: layout, config, what recycling does. */

#include <gst/cuda/gstcudabufferpool.h>
#include <string.h>

#include "cudapanel.h"
#include "cudatest.h"

typedef struct
{
  GstCudaContext *context;
  GstBufferPool *pool;
} Fixture;

static void
setup (Fixture *f, gconstpointer data)
{
  f->context = cuda_test_context (0);
  if (f->context != NULL)
    f->pool = gst_zc_device_pool_new (f->context);
}

/* Memory that is still being cleared is freed a little later. */
static void
wait_for_frees (guint64 most)
{
  gint64 end = g_get_monotonic_time () + 5 * G_TIME_SPAN_SECOND;
  const SoftcudaPanel *panel = softcuda_panel ();
  SoftcudaOutstanding now = { 0 };

  while (panel) {
    panel->get_outstanding (&now);
    if (now.device_allocations <= most || g_get_monotonic_time () > end)
      break;
    g_usleep (100);
  }
  g_assert_cmpuint (now.device_allocations, <=, most);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  if (f->pool != NULL)
    gst_buffer_pool_set_active (f->pool, FALSE);
  gst_clear_object (&f->pool);
  if (f->context != NULL)
    wait_for_frees (0);
  gst_clear_object (&f->context);
}

static GstStructure *
config_for (Fixture *f, GstVideoFormat format, gint width, gint height,
    guint min_buffers)
{
  GstStructure *config = gst_buffer_pool_get_config (f->pool);
  g_autoptr (GstCaps) caps = NULL;
  GstVideoInfo info;

  gst_video_info_set_format (&info, format, width, height);
  caps = gst_video_info_to_caps (&info);
  gst_caps_set_features_simple (caps,
      gst_caps_features_new_single ("memory:CUDAMemory"));
  gst_buffer_pool_config_set_params (config, caps, info.size, min_buffers, 0);
  return config;
}

static void
start (Fixture *f, GstStructure *config)
{
  g_assert_true (gst_buffer_pool_set_config (f->pool, config));
  g_assert_true (gst_buffer_pool_set_active (f->pool, TRUE));
}

static GstBuffer *
acquire (Fixture *f)
{
  GstBuffer *buffer = NULL;

  g_assert_cmpint (gst_buffer_pool_acquire_buffer (f->pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  return buffer;
}

static guint
configured_size (GstBufferPool *pool)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  guint size;

  gst_buffer_pool_config_get_params (config, NULL, &size, NULL, NULL);
  gst_structure_free (config);
  return size;
}

/* Planes in the memory, none over another, the meta as the memory says. */
static void
check_layout (GstBuffer *buffer, gboolean packed)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);
  const GstVideoInfo *info = &GST_CUDA_MEMORY_CAST (memory)->info;
  GstVideoMeta *meta = gst_buffer_get_video_meta (buffer);
  gsize end = 0;
  GstZcImage image;

  g_assert_true (gst_zc_image_init_packed (&image, meta->format, meta->width,
      meta->height, 0, 256, NULL, NULL));
  g_assert_cmpuint (meta->n_planes, ==, image.n_planes);
  for (guint i = 0; i < image.n_planes; i++) {
    gsize row_bytes = gst_zc_plane_row_bytes (&image.plane[i]);

    g_assert_cmpuint (meta->offset[i], ==, info->offset[i]);
    g_assert_cmpint (meta->stride[i], ==, info->stride[i]);
    g_assert_cmpuint (meta->offset[i], >=, end);
    g_assert_cmpuint (meta->stride[i], >=, row_bytes);
    if (packed) {
      g_assert_cmpuint (meta->stride[i], ==, row_bytes);
      g_assert_cmpuint (meta->offset[i], ==, end);
    }
    end = meta->offset[i] +
        (gsize) meta->stride[i] * (image.plane[i].height - 1) + row_bytes;
  }
  g_assert_cmpuint (end, <=, memory->size);
}

static void
check_all_formats (Fixture *f, gboolean packed)
{
  static const gint sizes[][2] = { { 1, 1 }, { 3, 5 }, { 322, 241 },
    { 1366, 768 } };
  guint n;
  const GstVideoFormat *formats;

  if (f->context == NULL)
    return;
  formats = gst_zc_format_list (&n);
  for (guint i = 0; i < n * G_N_ELEMENTS (sizes); i++) {
    const gint *size = sizes[i / n];
    GstStructure *config = config_for (f, formats[i % n], size[0], size[1], 0);
    GstBuffer *buffer;

    g_test_message ("%s %dx%d", gst_video_format_to_string (formats[i % n]),
        size[0], size[1]);
    gst_zc_device_pool_config_set_packed (config, packed);
    start (f, config);
    buffer = acquire (f);
    g_assert_cmpuint (gst_buffer_n_memory (buffer), ==, 1);
    g_assert_true (gst_is_cuda_memory (gst_buffer_peek_memory (buffer, 0)));
    g_assert_cmpuint (gst_buffer_get_size (buffer), ==,
        configured_size (f->pool));
    check_layout (buffer, packed);
    gst_buffer_unref (buffer);
    g_assert_true (gst_buffer_pool_set_active (f->pool, FALSE));
  }
}

static void
test_pitched (Fixture *f, gconstpointer data)
{
  check_all_formats (f, FALSE);
}

static void
test_packed (Fixture *f, gconstpointer data)
{
  check_all_formats (f, TRUE);
}

/* cases.md 12: chroma is no whole plane. */
/* All bytes of a new memory, padding and what is behind the picture included. */
static void
test_cleared (Fixture *f, gconstpointer data)
{
  GstMemory *memory;
  GstBuffer *buffer;
  GstMapInfo map;
  guint8 *bytes;

  if (f->context == NULL)
    return;
  start (f, config_for (f, GST_VIDEO_FORMAT_NV12, 322, 241, 0));
  buffer = acquire (f);
  memory = gst_buffer_peek_memory (buffer, 0);
  bytes = g_malloc (memory->size);
  memset (bytes, 1, memory->size);
  g_assert_true (gst_memory_map (memory, &map, GST_MAP_READ | GST_MAP_CUDA));
  cuda_test_synchronize (f->context);
  cuda_test_copy_out (f->context, bytes, (guintptr) map.data, map.size);
  gst_memory_unmap (memory, &map);
  for (gsize i = 0; i < memory->size; i++)
    g_assert_cmpuint (bytes[i], ==, 0);
  g_free (bytes);
  gst_buffer_unref (buffer);
}

static void
test_size (Fixture *f, gconstpointer data)
{
  GstBuffer *buffer;
  gsize pitch;

  if (f->context == NULL)
    return;
  start (f, config_for (f, GST_VIDEO_FORMAT_NV12, 3840, 2160, 0));
  buffer = acquire (f);
  pitch = gst_buffer_get_video_meta (buffer)->stride[0];
  g_assert_cmpuint (gst_buffer_get_size (buffer), <=,
      pitch * (2160 + 1080) + 512);
  gst_buffer_unref (buffer);
}

static GstCudaStream *
configured_stream (GstBufferPool *pool)
{
  GstStructure *config = gst_buffer_pool_get_config (pool);
  GstCudaStream *stream = gst_buffer_pool_config_get_cuda_stream (config);

  gst_structure_free (config);
  return stream;
}

static void
test_stream (Fixture *f, gconstpointer data)
{
  GstCudaStream *stream, *own;
  GstStructure *config;
  GstBuffer *buffer;

  if (f->context == NULL)
    return;
  g_assert_true (GST_IS_CUDA_BUFFER_POOL (f->pool));
  g_assert_true (GST_CUDA_BUFFER_POOL (f->pool)->context == f->context);

  /* One is made, and stays through another config. */
  g_assert_true (gst_buffer_pool_set_config (f->pool,
      config_for (f, GST_VIDEO_FORMAT_NV12, 64, 64, 0)));
  stream = configured_stream (f->pool);
  g_assert_nonnull (stream);
  config = config_for (f, GST_VIDEO_FORMAT_RGBA, 64, 64, 0);
  gst_structure_remove_field (config, "cuda-stream");
  g_assert_true (gst_buffer_pool_set_config (f->pool, config));
  own = configured_stream (f->pool);
  g_assert_true (own == stream);
  gst_cuda_stream_unref (own);
  gst_cuda_stream_unref (stream);

  /* One that is given is taken. */
  stream = gst_cuda_stream_new (f->context);
  config = config_for (f, GST_VIDEO_FORMAT_NV12, 64, 64, 0);
  gst_buffer_pool_config_set_cuda_stream (config, stream);
  start (f, config);
  buffer = acquire (f);
  g_assert_true (gst_cuda_memory_get_stream (GST_CUDA_MEMORY_CAST (
                     gst_buffer_peek_memory (buffer, 0))) == stream);
  gst_buffer_unref (buffer);
  gst_cuda_stream_unref (stream);
}

static void
test_refused (Fixture *f, gconstpointer data)
{
  GstStructure *config;
  g_autoptr (GstCaps) caps = gst_caps_from_string ("video/x-h264");

  if (f->context == NULL)
    return;
  config = gst_buffer_pool_get_config (f->pool);
  gst_buffer_pool_config_set_params (config, NULL, 100, 0, 0);
  g_assert_false (gst_buffer_pool_set_config (f->pool, config));
  config = gst_buffer_pool_get_config (f->pool);
  gst_buffer_pool_config_set_params (config, caps, 100, 0, 0);
  g_assert_false (gst_buffer_pool_set_config (f->pool, config));
  g_assert_false (gst_buffer_pool_set_config (f->pool,
      config_for (f, GST_VIDEO_FORMAT_GRAY8, 64, 64, 0)));
  g_assert_false (gst_buffer_pool_set_active (f->pool, TRUE));
}

/* Nothing is allocated once buffers are in use: it would wait for the device. */
static void
test_preallocated (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel;
  SoftcudaCounters before, after;
  SoftcudaOutstanding begin, end;
  GstBuffer *buffers[3];

  if (f->context == NULL || !(panel = cuda_test_panel ()))
    return;
  panel->get_outstanding (&begin);
  start (f, config_for (f, GST_VIDEO_FORMAT_NV12, 64, 64, 3));
  panel->get_outstanding (&end);
  g_assert_cmpuint (end.device_allocations, ==, begin.device_allocations + 3);
  panel->get_counters (&before);
  for (guint round = 0; round < 4; round++) {
    for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
      buffers[i] = acquire (f);
    for (guint i = 0; i < G_N_ELEMENTS (buffers); i++)
      gst_buffer_unref (buffers[i]);
  }
  panel->get_counters (&after);
  g_assert_cmpuint (after.allocations, ==, before.allocations);
  g_assert_cmpuint (after.frees, ==, before.frees);
}

static void
test_stopped_early (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel;
  SoftcudaOutstanding before, after;
  GstBuffer *buffer;

  if (f->context == NULL || !(panel = cuda_test_panel ()))
    return;
  panel->get_outstanding (&before);
  start (f, config_for (f, GST_VIDEO_FORMAT_NV12, 64, 64, 2));
  buffer = acquire (f);
  g_assert_true (gst_buffer_pool_set_active (f->pool, FALSE));
  gst_clear_object (&f->pool);
  check_layout (buffer, FALSE);
  panel->get_outstanding (&after);
  g_assert_cmpuint (after.device_allocations, >, before.device_allocations);
  gst_buffer_unref (buffer);
  wait_for_frees (before.device_allocations);
}

static void
test_no_memory (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel;

  if (f->context == NULL || !(panel = cuda_test_panel ()))
    return;
  panel->fail ("cuMemAllocPitch_v2", 1, CUDA_ERROR_OUT_OF_MEMORY, 0);
  g_assert_false (gst_buffer_pool_set_config (f->pool,
      config_for (f, GST_VIDEO_FORMAT_NV12, 64, 64, 0)));
  panel->fail_clear ();
  start (f, config_for (f, GST_VIDEO_FORMAT_NV12, 64, 64, 0));
  gst_buffer_unref (acquire (f));
}

/* GstBufferPool keeps what it has when a start fails, and forgets it. */
static void
test_failed_start (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel;
  SoftcudaOutstanding before;

  if (f->context == NULL || !(panel = cuda_test_panel ()))
    return;
  panel->get_outstanding (&before);
  g_assert_true (gst_buffer_pool_set_config (f->pool,
      config_for (f, GST_VIDEO_FORMAT_NV12, 64, 64, 3)));
  panel->fail ("cuMemAllocPitch_v2", 2, CUDA_ERROR_OUT_OF_MEMORY, 0);
  g_assert_false (gst_buffer_pool_set_active (f->pool, TRUE));
  panel->fail_clear ();
  gst_clear_object (&f->pool);
  wait_for_frees (before.device_allocations);
}

/* What the CPU wrote must not be uploaded over the next picture. */
static void
test_upload_flag (Fixture *f, gconstpointer data)
{
  GstBuffer *buffer;
  GstMemory *memory;
  GstMapInfo map;

  if (f->context == NULL)
    return;
  start (f, config_for (f, GST_VIDEO_FORMAT_NV12, 64, 64, 0));
  buffer = acquire (f);
  memory = gst_buffer_peek_memory (buffer, 0);
  g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
  gst_memory_unmap (memory, &map);
  g_assert_true (GST_MEMORY_FLAG_IS_SET (memory,
      GST_CUDA_MEMORY_TRANSFER_NEED_UPLOAD));
  gst_buffer_unref (buffer);
  buffer = acquire (f);
  g_assert_true (gst_buffer_peek_memory (buffer, 0) == memory);
  g_assert_false (GST_MEMORY_FLAG_IS_SET (memory,
      GST_CUDA_MEMORY_TRANSFER_NEED_UPLOAD));
  gst_buffer_unref (buffer);
}

#define ADD(path, func)                                                        \
  g_test_add ("/devicepool/" path, Fixture, NULL, setup, func, teardown)

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  ADD ("pitched", test_pitched);
  ADD ("packed", test_packed);
  ADD ("cleared", test_cleared);
  ADD ("size", test_size);
  ADD ("stream", test_stream);
  ADD ("refused", test_refused);
  ADD ("preallocated", test_preallocated);
  ADD ("stopped-early", test_stopped_early);
  ADD ("no-memory", test_no_memory);
  ADD ("failed-start", test_failed_start);
  ADD ("upload-flag", test_upload_flag);
  return g_test_run ();
}
