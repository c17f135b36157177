/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Small programs about who keeps what while the device works. */

#include "cases.h"
#include "desk.h"
#include "dropper.h"

#define USUAL_STEPS 6

/* A source with two buffers fills one as soon as it gets it back. */
static void
upload_source (OrderRun *run, gconstpointer data)
{
  guint steps = order_steps (run, USUAL_STEPS);
  g_autoptr (GstCaps) caps = NULL;
  g_autoptr (GstBufferPool) pool = NULL;
  GstStructure *config;
  Desk desk;

  desk_init (&desk, run, SOURCE_POOL);
  caps = gst_video_info_to_caps (&desk.source.info);
  pool = gst_zc_pinned_pool_new (desk.pinned, caps, 2, NULL);
  config = gst_buffer_pool_get_config (pool);
  gst_buffer_pool_config_set_params (config, caps,
      GST_VIDEO_INFO_SIZE (&desk.source.info), 2, 2);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  for (guint i = 0; i < steps; i++) {
    guint8 value = order_new_value (run);
    GstBuffer *host = cuda_test_acquire (pool), *buffer;
    GstZcFrame frame;

    gst_buffer_memset (host, 0, value, gst_buffer_get_size (host));
    source_take (&desk.source, &buffer, value);
    g_assert_true (gst_zc_frame_map (&frame, buffer, &desk.source.info,
        GST_MAP_WRITE, desk.a.zc, NULL));
    order_delay (run, desk.a.zc);
    g_assert_true (gst_zc_frame_upload (&frame, host, &desk.source.info, NULL));
    g_assert_true (gst_zc_frame_unmap (&frame, NULL));
    gst_buffer_unref (host);
    desk_read (&desk, USER_FRAME, &desk.b, buffer, value);
    gst_buffer_unref (buffer);
  }
  gst_buffer_pool_set_active (pool, FALSE);
  desk_clear (&desk);
}

/* Copies of several planes that fail half way. */
typedef enum
{
  UPLOAD_FAILS,
  DOWNLOAD_FAILS,
  NO_EVENT /* to know by that an upload has run */
} Failure;

/* One memory a plane: a copy each. */
static GstBuffer *
split_buffer (Desk *desk, guint8 value)
{
  const GstVideoInfo *info = &desk->source.info;
  gsize offset[GST_VIDEO_MAX_PLANES] = { 0 };
  GstBuffer *buffer = gst_buffer_new ();
  gsize total = 0;

  for (guint i = 0; i < GST_VIDEO_INFO_N_PLANES (info); i++) {
    gsize size =
        GST_VIDEO_INFO_PLANE_STRIDE (info, i) * GST_VIDEO_INFO_HEIGHT (info);

    gst_buffer_append_memory (buffer,
        gst_allocator_alloc (desk->pinned, size, NULL));
    offset[i] = total;
    total += size;
  }
  gst_buffer_memset (buffer, 0, value, total);
  gst_buffer_add_video_meta_full (buffer, GST_VIDEO_FRAME_FLAG_NONE,
      GST_VIDEO_INFO_FORMAT (info), GST_VIDEO_INFO_WIDTH (info),
      GST_VIDEO_INFO_HEIGHT (info), GST_VIDEO_INFO_N_PLANES (info), offset,
      info->stride);
  return buffer;
}

static gboolean
copy (Desk *desk, Failure failure, GstBuffer *device, GstBuffer *host)
{
  const GstVideoInfo *info = &desk->source.info;
  gboolean download = failure == DOWNLOAD_FAILS;
  const gchar *call =
      failure == NO_EVENT ? "cuEventRecord" : "cuMemcpy2DAsync_v2";
  GstZcFrame frame;
  gboolean ok;

  g_assert_true (gst_zc_frame_map (&frame, device, info,
      download ? GST_MAP_READ : GST_MAP_WRITE, desk->a.zc, NULL));
  desk->run->panel->fail (call, failure == NO_EVENT ? 1 : 2, 1, 0);
  ok = download ? gst_zc_frame_download (&frame, host, info, NULL)
                : gst_zc_frame_upload (&frame, host, info, NULL);
  desk->run->panel->fail_clear ();
  gst_zc_frame_unmap (&frame, NULL);
  return ok;
}

/* Frees of page-locked memory do not wait here. */
static void
failed_copy (OrderRun *run, gconstpointer data)
{
  Failure failure = GPOINTER_TO_UINT (data);
  guint8 value = order_new_value (run);
  GstBuffer *device, *host;
  Desk desk;

  if (!run->panel)
    return;
  run->panel->set_free_mode (1);
  desk_init (&desk, run, SOURCE_POOL);
  host = split_buffer (&desk, value);
  device = desk_new (&desk, USER_FRAME, &desk.b, value);
  copy (&desk, failure, device, host);
  gst_buffer_unref (host);
  gst_buffer_unref (device);
  desk_clear (&desk);
}

/* The program's last reference goes while the frame is mapped. */
static void
dropped_while_mapped (OrderRun *run, gconstpointer data)
{
  guint8 value = order_new_value (run);
  GstBuffer *buffer;
  GstZcFrame frame;
  Desk desk;

  desk_init (&desk, run, order_random (run, N_SOURCES));
  buffer = desk_new (&desk, USER_FRAME, &desk.a, value);
  g_assert_true (gst_zc_frame_map (&frame, buffer, &desk.source.info,
      GST_MAP_READ, desk.b.zc, NULL));
  gst_buffer_unref (buffer);
  /* Whoever gets the memory now overwrites it. */
  buffer = desk_new (&desk, USER_FRAME, &desk.a, order_new_value (run));
  order_look (run, desk.b.zc, &frame.image, value, "a frame without an owner");
  g_assert_true (gst_zc_frame_unmap (&frame, NULL));
  gst_buffer_unref (buffer);
  desk_clear (&desk);
}

/* Pool, streams and buffers go in any order, with work in flight, and the last
 * buffers on a thread without a context. */
static void
torn_down (OrderRun *run, gconstpointer data)
{
  guint steps = order_steps (run, USUAL_STEPS);
  Dropper *dropper = dropper_new ();
  g_autoptr (GPtrArray) buffers = g_ptr_array_new ();
  Desk desk;

  if (run->panel)
    run->panel->set_free_mode (1);
  desk_init (&desk, run, order_random (run, 2) ? SOURCE_POOL : SOURCE_FOREIGN);
  for (guint i = 0; i < steps; i++) {
    guint8 value = order_new_value (run);
    GstBuffer *buffer = desk_new (&desk, USER_FRAME, &desk.a, value);

    desk_read (&desk, USER_FRAME, &desk.b, buffer, value);
    g_ptr_array_add (buffers, buffer);
  }
  desk_clear (&desk);
  for (guint i = 0; i < buffers->len; i++)
    dropper_push (dropper, g_ptr_array_index (buffers, i));
  dropper_free (dropper);
}

const OrderCase lifetime_cases[] = {
  { "lifetime/upload-source", upload_source },
  { "lifetime/upload-fails", failed_copy, GUINT_TO_POINTER (UPLOAD_FAILS) },
  { "lifetime/download-fails", failed_copy, GUINT_TO_POINTER (DOWNLOAD_FAILS) },
  { "lifetime/no-event", failed_copy, GUINT_TO_POINTER (NO_EVENT) },
  { "lifetime/dropped-while-mapped", dropped_while_mapped },
  { "lifetime/torn-down", torn_down },
  { NULL },
};
