/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Upload and download: every sample of every plane arrives and no other byte is
 * touched, whatever the host's layout. */

#include <cuda.h>
#include <string.h>
#include <time.h>

#include "cudapanel.h"
#include "cudatest.h"
#include "hostpicture.h"

#define SEED 20240229

typedef struct
{
  GstCudaContext *context;
  GstAllocator *pinned;
  GstZcStream *up, *down;
  GRand *random;
} Fixture;

static void
setup (Fixture *f, gconstpointer data)
{
  f->context = cuda_test_context (0);
  if (f->context == NULL)
    return;
  f->pinned = gst_zc_pinned_allocator_new (f->context);
  f->up = gst_zc_stream_new (f->context, NULL);
  f->down = gst_zc_stream_new (f->context, NULL);
  f->random = g_rand_new_with_seed (SEED);
  g_test_message ("seed %u", SEED);
}

static void
teardown (Fixture *f, gconstpointer data)
{
  if (f->context == NULL)
    return;
  g_rand_free (f->random);
  gst_zc_stream_unref (f->down);
  gst_zc_stream_unref (f->up);
  gst_clear_object (&f->pinned);
  gst_clear_object (&f->context);
}

static void
upload (Fixture *f, GstBuffer *device, GstBuffer *host,
    const GstVideoInfo *info)
{
  g_autoptr (GError) error = NULL;
  GstZcFrame frame;

  g_assert_true (gst_zc_frame_map (&frame, device, info, GST_MAP_WRITE, f->up,
      &error));
  gst_zc_frame_upload (&frame, host, info, &error);
  g_assert_no_error (error);
  g_assert_true (gst_zc_frame_unmap (&frame, NULL));
}

static void
download (Fixture *f, GstBuffer *device, GstBuffer *host,
    const GstVideoInfo *info)
{
  g_autoptr (GError) error = NULL;
  GstZcFrame frame;

  g_assert_true (gst_zc_frame_map (&frame, device, info, GST_MAP_READ, f->down,
      &error));
  gst_zc_frame_download (&frame, host, info, &error);
  g_assert_no_error (error);
  g_assert_true (gst_zc_frame_unmap (&frame, NULL));
}

static void
round_trip (Fixture *f, GstBuffer *device, const GstVideoInfo *info,
    HostLayout from, HostLayout to)
{
  HostPicture src, dst;

  host_picture_init (&src, info, from, f->pinned);
  host_picture_init (&dst, info, to, NULL);
  host_picture_fill (&src, f->random);
  upload (f, device, src.buffer, info);
  download (f, device, dst.buffer, info);
  host_picture_assert_copied (&dst, &src);
  host_picture_clear (&src);
  host_picture_clear (&dst);
}

static const gint sizes[][2] = { { 1, 1 }, { 2, 2 }, { 7, 3 }, { 33, 64 },
  { 321, 5 }, { 322, 241 } };

static void
check_format (Fixture *f, GstVideoFormat format, const gint *size)
{
  GstVideoInfo info;
  GstBufferPool *pool =
      cuda_test_pool (f->context, format, size[0], size[1], &info);
  GstBuffer *device = cuda_test_acquire (pool);

  g_test_message ("%s %dx%d", gst_video_format_to_string (format), size[0],
      size[1]);
  for (guint i = 0; i < HOST_N_LAYOUTS; i++)
    round_trip (f, device, &info, i, HOST_N_LAYOUTS - 1 - i);
  gst_buffer_unref (device);
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

static void
test_formats (Fixture *f, gconstpointer data)
{
  guint n;
  const GstVideoFormat *formats = gst_zc_format_list (&n);

  if (f->context == NULL)
    return;
  for (guint i = 0; i < n; i++)
    for (guint s = 0; s < G_N_ELEMENTS (sizes); s++)
      check_format (f, formats[i], sizes[s]);
}

/* One frame, so that a test is about what it is about. */
typedef struct
{
  GstVideoInfo info;
  GstBufferPool *pool;
  GstBuffer *device;
  HostPicture host;
} Picture;

static void
picture_init (Picture *p, Fixture *f, GstVideoFormat format, HostLayout layout)
{
  p->pool = cuda_test_pool (f->context, format, 320, 240, &p->info);
  p->device = cuda_test_acquire (p->pool);
  host_picture_init (&p->host, &p->info, layout, f->pinned);
  host_picture_fill (&p->host, f->random);
}

static void
picture_clear (Picture *p)
{
  host_picture_clear (&p->host);
  gst_buffer_unref (p->device);
  gst_buffer_pool_set_active (p->pool, FALSE);
  gst_object_unref (p->pool);
}

static void
expect_upload_error (Fixture *f, Picture *p, GstBuffer *host,
    const GstVideoInfo *info, GstZcError code, const gchar *text)
{
  g_autoptr (GError) error = NULL;
  GstZcFrame frame;

  g_assert_true (gst_zc_frame_map (&frame, p->device, &p->info, GST_MAP_WRITE,
      f->up, NULL));
  g_assert_false (gst_zc_frame_upload (&frame, host, info, &error));
  g_assert_error (error, GST_ZC_ERROR, (gint) code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, text));
  gst_zc_frame_unmap (&frame, NULL);
}

static void
expect_download_error (Fixture *f, Picture *p, GstBuffer *host,
    const GstVideoInfo *info, GstZcError code, const gchar *text)
{
  g_autoptr (GError) error = NULL;
  GstZcFrame frame;

  g_assert_true (gst_zc_frame_map (&frame, p->device, &p->info, GST_MAP_READ,
      f->up, NULL));
  g_assert_false (gst_zc_frame_download (&frame, host, info, &error));
  g_assert_error (error, GST_ZC_ERROR, (gint) code);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, text));
  gst_zc_frame_unmap (&frame, NULL);
}

/* Nobody holds the buffer, and its memories can be mapped for writing. */
static void
assert_let_go (GstBuffer *buffer)
{
  g_assert_true (gst_buffer_is_writable (buffer));
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++) {
    GstMemory *memory = gst_buffer_peek_memory (buffer, i);
    GstMapInfo map;

    g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
    gst_memory_unmap (memory, &map);
  }
}

static void
wait_until_let_go (GstBuffer *buffer)
{
  gint64 end = g_get_monotonic_time () + 10 * G_TIME_SPAN_SECOND;

  while (!gst_buffer_is_writable (buffer)) {
    g_assert_cmpint (g_get_monotonic_time (), <, end);
    g_usleep (100);
  }
  assert_let_go (buffer);
}

static void
test_sizes_differ (Fixture *f, gconstpointer data)
{
  static const struct
  {
    GstVideoFormat format;
    gint width, height;
  } others[] = { { GST_VIDEO_FORMAT_NV12, 322, 240 },
    { GST_VIDEO_FORMAT_NV12, 320, 239 }, { GST_VIDEO_FORMAT_NV21, 320, 240 } };
  Picture p;

  if (f->context == NULL)
    return;
  picture_init (&p, f, GST_VIDEO_FORMAT_NV12, HOST_PLAIN);
  for (guint i = 0; i < G_N_ELEMENTS (others); i++) {
    GstVideoInfo info;

    gst_video_info_set_format (&info, others[i].format, others[i].width,
        others[i].height);
    expect_upload_error (f, &p, p.host.buffer, &info, GST_ZC_ERROR_LAYOUT,
        "320x240");
    expect_download_error (f, &p, p.host.buffer, &info, GST_ZC_ERROR_LAYOUT,
        "320x240");
  }
  assert_let_go (p.host.buffer);
  picture_clear (&p);
}

/* The last row needs no padding: a buffer that ends with its last sample is
 * whole, one byte less is not. */
static void
test_shortest (Fixture *f, gconstpointer data)
{
  GstBuffer *buffer;
  Picture p;

  if (f->context == NULL)
    return;
  picture_init (&p, f, GST_VIDEO_FORMAT_NV12, HOST_PADDED);
  buffer = p.host.buffer;
  gst_buffer_resize (buffer, 0, host_picture_end (&p.host));
  upload (f, p.device, buffer, &p.info);
  wait_until_let_go (buffer);
  download (f, p.device, buffer, &p.info);

  gst_buffer_resize (buffer, 0, host_picture_end (&p.host) - 1);
  expect_upload_error (f, &p, buffer, &p.info, GST_ZC_ERROR_LAYOUT, "Plane 1");
  expect_download_error (f, &p, buffer, &p.info, GST_ZC_ERROR_LAYOUT,
      "Plane 1");
  gst_buffer_resize (buffer, 0, 100);
  expect_upload_error (f, &p, buffer, &p.info, GST_ZC_ERROR_LAYOUT, "Plane 0");
  assert_let_go (buffer);
  picture_clear (&p);
}

static void
test_straddling_plane (Fixture *f, gconstpointer data)
{
  GstMemory *whole, *part;
  Picture p;

  if (f->context == NULL)
    return;
  picture_init (&p, f, GST_VIDEO_FORMAT_NV12, HOST_PLAIN);
  whole = gst_buffer_get_memory (p.host.buffer, 0);
  gst_buffer_remove_all_memory (p.host.buffer);
  part = gst_memory_share (whole, 0, 5000);
  gst_buffer_append_memory (p.host.buffer, part);
  part = gst_memory_share (whole, 5000, -1);
  gst_buffer_append_memory (p.host.buffer, part);
  gst_memory_unref (whole);
  expect_upload_error (f, &p, p.host.buffer, &p.info, GST_ZC_ERROR_LAYOUT,
      "Plane 0");
  picture_clear (&p);
}

static void
test_bad_meta (Fixture *f, gconstpointer data)
{
  GstVideoMeta *meta;
  Picture p;

  if (f->context == NULL)
    return;
  picture_init (&p, f, GST_VIDEO_FORMAT_NV12, HOST_PADDED);
  meta = gst_buffer_get_video_meta (p.host.buffer);
  meta->stride[1] = 319;
  expect_upload_error (f, &p, p.host.buffer, &p.info, GST_ZC_ERROR_LAYOUT,
      "319");
  meta->stride[1] = -320;
  expect_upload_error (f, &p, p.host.buffer, &p.info, GST_ZC_ERROR_LAYOUT,
      "-320");
  meta->stride[1] = 320;
  meta->offset[1] = G_MAXSIZE - 5;
  expect_upload_error (f, &p, p.host.buffer, &p.info, GST_ZC_ERROR_LAYOUT,
      "Plane 1");
  meta->width = 318;
  expect_upload_error (f, &p, p.host.buffer, &p.info, GST_ZC_ERROR_LAYOUT,
      "318x240");
  assert_let_go (p.host.buffer);
  picture_clear (&p);
}

static void
test_empty_buffer (Fixture *f, gconstpointer data)
{
  GstBuffer *empty = gst_buffer_new ();
  Picture p;

  if (f->context != NULL) {
    picture_init (&p, f, GST_VIDEO_FORMAT_RGBA, HOST_PLAIN);
    expect_upload_error (f, &p, empty, &p.info, GST_ZC_ERROR_LAYOUT, "Plane 0");
    expect_download_error (f, &p, empty, &p.info, GST_ZC_ERROR_LAYOUT,
        "Plane 0");
    picture_clear (&p);
  }
  gst_buffer_unref (empty);
}

static void
test_not_writable (Fixture *f, gconstpointer data)
{
  GstBuffer *copy;
  Picture p;

  if (f->context == NULL)
    return;
  picture_init (&p, f, GST_VIDEO_FORMAT_NV12, HOST_SPLIT);
  upload (f, p.device, p.host.buffer, &p.info);
  wait_until_let_go (p.host.buffer);

  gst_buffer_ref (p.host.buffer);
  expect_download_error (f, &p, p.host.buffer, &p.info,
      GST_ZC_ERROR_NOT_WRITABLE, "shared");
  gst_buffer_unref (p.host.buffer);

  /* Another buffer with the same memories. */
  copy = gst_buffer_copy (p.host.buffer);
  expect_download_error (f, &p, p.host.buffer, &p.info,
      GST_ZC_ERROR_NOT_WRITABLE, "shared");
  gst_buffer_unref (copy);

  download (f, p.device, p.host.buffer, &p.info);
  assert_let_go (p.host.buffer);
  picture_clear (&p);
}

static void
test_being_written (Fixture *f, gconstpointer data)
{
  GstMemory *memory;
  GstMapInfo map;
  Picture p;

  if (f->context == NULL)
    return;
  picture_init (&p, f, GST_VIDEO_FORMAT_NV12, HOST_SPLIT);
  memory = gst_buffer_peek_memory (p.host.buffer, 1);
  g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
  expect_upload_error (f, &p, p.host.buffer, &p.info, GST_ZC_ERROR_STATE,
      "Memory 1");
  gst_memory_unmap (memory, &map);
  assert_let_go (p.host.buffer);
  picture_clear (&p);
}

static void
test_wrong_frame (Fixture *f, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  GstZcFrame frame = { 0 };
  Picture p;

  if (f->context == NULL)
    return;
  picture_init (&p, f, GST_VIDEO_FORMAT_NV12, HOST_PLAIN);
  g_assert_false (gst_zc_frame_upload (&frame, p.host.buffer, &p.info, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE);
  g_clear_error (&error);
  g_assert_true (gst_zc_frame_map (&frame, p.device, &p.info, GST_MAP_READ,
      f->up, NULL));
  g_assert_false (gst_zc_frame_upload (&frame, p.host.buffer, &p.info, &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE);
  g_clear_error (&error);
  gst_zc_frame_unmap (&frame, NULL);
  g_assert_true (gst_zc_frame_map (&frame, p.device, &p.info, GST_MAP_WRITE,
      f->up, NULL));
  g_assert_false (gst_zc_frame_download (&frame, p.host.buffer, &p.info,
      &error));
  g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_STATE);
  gst_zc_frame_unmap (&frame, NULL);
  assert_let_go (p.host.buffer);
  picture_clear (&p);
}

/* cases.md 49: the source is held while the copy is under way, and no longer. */
static void
test_source_is_held (Fixture *f, gconstpointer data)
{
  HostPicture back;
  GstMapInfo map;
  Picture p;

  if (f->context == NULL)
    return;
  picture_init (&p, f, GST_VIDEO_FORMAT_NV12, HOST_SPLIT);
  cuda_test_delay (f->up, 60);
  upload (f, p.device, p.host.buffer, &p.info);
  g_assert_false (gst_buffer_is_writable (p.host.buffer));
  g_assert_false (gst_memory_map (gst_buffer_peek_memory (p.host.buffer, 0),
      &map, GST_MAP_WRITE));
  wait_until_let_go (p.host.buffer);

  /* Overwritten at once: the device has the picture already. */
  host_picture_init (&back, &p.info, HOST_PLAIN, NULL);
  gst_buffer_memset (p.host.buffer, 0, 0x11, -1);
  download (f, p.device, back.buffer, &p.info);
  host_picture_assert_copied (&back, &p.host);
  host_picture_clear (&back);
  picture_clear (&p);
}

/* A still picture: more copies under way than a memory can be mapped. */
static void
test_source_is_held_often (Fixture *f, gconstpointer data)
{
  GstMemory *memory;
  GstMapInfo map;
  Picture p;

  if (f->context == NULL)
    return;
  picture_init (&p, f, GST_VIDEO_FORMAT_NV12, HOST_PLAIN);
  memory = gst_buffer_peek_memory (p.host.buffer, 0);
  cuda_test_delay (f->up, 200);
  for (guint i = 0; i < 600; i++)
    upload (f, p.device, p.host.buffer, &p.info);
  g_assert_false (gst_memory_map (memory, &map, GST_MAP_WRITE));
  wait_until_let_go (p.host.buffer);
  g_assert_true (gst_memory_map (memory, &map, GST_MAP_WRITE));
  gst_memory_unmap (memory, &map);
  picture_clear (&p);
}

/* Downloads wait for their own copy, not for what was queued behind. */
static void
test_download_waits (Fixture *f, gconstpointer data)
{
  HostPicture back;
  Picture p;

  if (f->context == NULL)
    return;
  picture_init (&p, f, GST_VIDEO_FORMAT_P010_10LE, HOST_PLAIN);
  host_picture_init (&back, &p.info, HOST_PADDED, f->pinned);
  for (guint i = 0; i < 4; i++) {
    host_picture_fill (&p.host, f->random);
    cuda_test_delay (f->up, 10);
    upload (f, p.device, p.host.buffer, &p.info);
    download (f, p.device, back.buffer, &p.info);
    host_picture_assert_copied (&back, &p.host);
    wait_until_let_go (p.host.buffer);
  }
  host_picture_clear (&back);
  picture_clear (&p);
}

/* Planes that follow each other alike on both sides go in one copy. */
static void
test_copies (Fixture *f, gconstpointer data)
{
  static const struct
  {
    GstVideoFormat format;
    HostLayout layout;
    guint copies;
  } rows[] = { { GST_VIDEO_FORMAT_RGBA, HOST_PLAIN, 1 },
    { GST_VIDEO_FORMAT_NV12, HOST_PLAIN, 1 },
    { GST_VIDEO_FORMAT_I420, HOST_PLAIN, 2 },
    { GST_VIDEO_FORMAT_Y444, HOST_PLAIN, 1 },
    { GST_VIDEO_FORMAT_GBRA, HOST_PREFIXED, 1 },
    { GST_VIDEO_FORMAT_NV12, HOST_PADDED, 2 },
    { GST_VIDEO_FORMAT_GBRA, HOST_SPLIT, 4 } };
  SoftcudaCounters before, after;
  const SoftcudaPanel *panel;

  if (f->context == NULL || !(panel = cuda_test_panel ()))
    return;
  for (guint i = 0; i < G_N_ELEMENTS (rows); i++) {
    guint64 waits = panel->call_count ("cuEventSynchronize");
    Picture p;

    picture_init (&p, f, rows[i].format, rows[i].layout);
    panel->get_counters (&before);
    upload (f, p.device, p.host.buffer, &p.info);
    wait_until_let_go (p.host.buffer);
    download (f, p.device, p.host.buffer, &p.info);
    panel->get_counters (&after);
    g_assert_cmpuint (after.uploads - before.uploads, ==, rows[i].copies);
    g_assert_cmpuint (after.downloads - before.downloads, ==, rows[i].copies);
    g_assert_cmpuint (panel->call_count ("cuEventSynchronize") - waits, ==, 1);
    picture_clear (&p);
  }
}

/* The second plane's copy fails: the first one is under way, so the memories
 * stay mapped until it is through, and then are let go. */
static void
test_copy_fails (Fixture *f, gconstpointer data)
{
  const SoftcudaPanel *panel;
  Picture p;

  if (f->context == NULL || !(panel = cuda_test_panel ()))
    return;
  picture_init (&p, f, GST_VIDEO_FORMAT_NV12, HOST_SPLIT);
  cuda_test_delay (f->up, 20);
  panel->fail ("cuMemcpy2DAsync_v2", 2, CUDA_ERROR_INVALID_VALUE, 0);
  expect_upload_error (f, &p, p.host.buffer, &p.info, GST_ZC_ERROR_DRIVER,
      "cuMemcpy2DAsync");
  g_assert_false (gst_buffer_is_writable (p.host.buffer));
  wait_until_let_go (p.host.buffer);

  cuda_test_delay (f->up, 20);
  panel->fail ("cuMemcpy2DAsync_v2", 2, CUDA_ERROR_INVALID_VALUE, 0);
  expect_download_error (f, &p, p.host.buffer, &p.info, GST_ZC_ERROR_DRIVER,
      "cuMemcpy2DAsync");
  panel->fail_clear ();
  assert_let_go (p.host.buffer);
  picture_clear (&p);
}

/* No event to wait for: the memory is still not given back too early. */
static void
test_wait_fails (Fixture *f, gconstpointer data)
{
  static const gchar *const calls[] = { "cuEventRecord", "cuEventSynchronize" };
  const SoftcudaPanel *panel;
  SoftcudaOutstanding alive;
  GstZcFrame frame;
  Picture p;

  if (f->context == NULL || !(panel = cuda_test_panel ()))
    return;
  picture_init (&p, f, GST_VIDEO_FORMAT_NV12, HOST_PLAIN);
  for (guint i = 0; i < G_N_ELEMENTS (calls); i++) {
    g_autoptr (GError) error = NULL;

    cuda_test_delay (f->up, 20);
    g_assert_true (gst_zc_frame_map (&frame, p.device, &p.info, GST_MAP_READ,
        f->up, NULL));
    panel->fail (calls[i], 1, CUDA_ERROR_INVALID_VALUE, 0);
    g_assert_false (gst_zc_frame_download (&frame, p.host.buffer, &p.info,
        &error));
    g_assert_error (error, GST_ZC_ERROR, GST_ZC_ERROR_DRIVER);
    g_assert_nonnull (strstr (error->message, calls[i]));
    panel->fail_clear ();
    panel->get_outstanding (&alive);
    g_assert_cmpuint (alive.operations, ==, 0);
    gst_zc_frame_unmap (&frame, NULL);
    assert_let_go (p.host.buffer);
  }
  picture_clear (&p);
}

static gdouble
cpu_ms (void)
{
  struct timespec time;

  clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time);
  return time.tv_sec * 1e3 + time.tv_nsec / 1e6;
}

/* Who waits long leaves the CPU to others, whatever it waited for before. */
static void
test_wait_sleeps (Fixture *f, gconstpointer data)
{
  gdouble start;
  Picture p;

  if (f->context == NULL)
    return;
  picture_init (&p, f, GST_VIDEO_FORMAT_NV12, HOST_PLAIN);
  for (guint i = 0; i < 3; i++)
    download (f, p.device, p.host.buffer, &p.info);
  for (guint i = 0; i < 3; i++) {
    cuda_test_delay (f->down, 60);
    start = cpu_ms ();
    download (f, p.device, p.host.buffer, &p.info);
    g_assert_cmpfloat (cpu_ms () - start, <, 20);
  }
  picture_clear (&p);
}

/* The picture of the caps begins inside a larger one. */
static void
test_inside_larger (Fixture *f, gconstpointer data)
{
  const gint x = 10, y = 6;
  HostPicture large, back;
  GstVideoCropMeta *crop;
  GstVideoInfo info;
  Picture p;

  if (f->context == NULL)
    return;
  picture_init (&p, f, GST_VIDEO_FORMAT_NV12, HOST_PADDED);
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_NV12, 340, 250);
  host_picture_init (&large, &info, HOST_PADDED, f->pinned);
  host_picture_fill (&large, f->random);
  crop = gst_buffer_add_video_crop_meta (large.buffer);
  crop->x = x;
  crop->y = y;
  crop->width = 320;
  crop->height = 240;
  upload (f, p.device, large.buffer, &p.info);

  host_picture_init (&back, &p.info, HOST_PLAIN, NULL);
  download (f, p.device, back.buffer, &p.info);
  for (guint i = 0; i < 2; i++)
    large.offset[i] += x + (gsize) (y >> i) * large.stride[i];
  host_picture_assert_copied (&back, &large);
  host_picture_clear (&back);
  host_picture_clear (&large);
  picture_clear (&p);
}

#define ADD(path, func)                                                        \
  g_test_add ("/transfer/" path, Fixture, NULL, setup, func, teardown)

int
main (int argc, char **argv)
{
  gst_init (&argc, &argv);
  g_test_init (&argc, &argv, NULL);
  ADD ("formats", test_formats);
  ADD ("sizes-differ", test_sizes_differ);
  ADD ("shortest", test_shortest);
  ADD ("straddling-plane", test_straddling_plane);
  ADD ("bad-meta", test_bad_meta);
  ADD ("empty-buffer", test_empty_buffer);
  ADD ("not-writable", test_not_writable);
  ADD ("being-written", test_being_written);
  ADD ("wrong-frame", test_wrong_frame);
  ADD ("source-is-held", test_source_is_held);
  ADD ("source-is-held-often", test_source_is_held_often);
  ADD ("download-waits", test_download_waits);
  ADD ("inside-larger", test_inside_larger);
  ADD ("copies", test_copies);
  ADD ("copy-fails", test_copy_fails);
  ADD ("wait-fails", test_wait_fails);
  ADD ("wait-sleeps", test_wait_sleeps);
  return g_test_run ();
}
