/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "users.h"

#include <gst/cuda/gstcudamemory.h>
#include <string.h>

const gchar *
user_name (User user)
{
  static const gchar *const names[] = { "a mapped frame", "a marked buffer",
    "the host", "the CPU", "the memory's stream", "another stream",
    "the advertised stream", "a borrower" };

  return names[user];
}

/* Where the planes are, for users who map no frame of ours. */
static void
find_planes (GstBuffer *buffer, const GstVideoInfo *info, GstMapFlags flags,
    GstZcImage *image, GstVideoFrame *frame)
{
  guint64 data[GST_ZC_MAX_PLANES] = { 0 };
  gint64 stride[GST_ZC_MAX_PLANES] = { 0 };
  g_autoptr (GError) error = NULL;

  g_assert_true (gst_video_frame_map (frame, info, buffer, flags));
  for (guint i = 0; i < GST_VIDEO_FRAME_N_PLANES (frame); i++) {
    data[i] = (guintptr) GST_VIDEO_FRAME_PLANE_DATA (frame, i);
    stride[i] = GST_VIDEO_FRAME_PLANE_STRIDE (frame, i);
  }
  gst_zc_image_init (image, GST_VIDEO_INFO_FORMAT (info),
      GST_VIDEO_INFO_WIDTH (info), GST_VIDEO_INFO_HEIGHT (info), 0, data,
      stride, &error);
  g_assert_no_error (error);
}

/* What to do with the planes once they may be touched. */
typedef enum
{
  LOOK,
  FILL
} Work;

static void
work (const Access *self, Work what, GstZcStream *stream,
    const GstZcImage *image, guint8 value)
{
  order_delay (self->run, stream);
  if (what == FILL)
    cuda_test_fill (stream, image, value);
  else
    order_look (self->run, stream, image, value, user_name (self->user));
}

static GstMapFlags
flags_of (Work what)
{
  return what == FILL ? GST_MAP_WRITE : GST_MAP_READ;
}

static gboolean
use_frame (const Access *self, Work what, GstBuffer *buffer,
    const GstVideoInfo *info, guint8 value)
{
  GError *error = NULL;
  GstZcFrame frame;

  if (!order_check (self->run,
          gst_zc_frame_map (&frame, buffer, info, flags_of (what), self->stream,
              &error),
          "map", &error))
    return FALSE;
  work (self, what, self->stream, &frame.image, value);
  return order_check (self->run, gst_zc_frame_unmap (&frame, &error), "unmap",
      &error);
}

/* The address is learned once: a map of any kind would be a barrier too. */
static const GstZcImage *
known_image (const Access *self, GstBuffer *buffer, const GstVideoInfo *info)
{
  GQuark quark = g_quark_from_static_string ("order-image");
  GstMiniObject *memory =
      GST_MINI_OBJECT_CAST (gst_buffer_peek_memory (buffer, 0));
  GstZcImage *image = gst_mini_object_get_qdata (memory, quark);
  GError *error = NULL;
  GstZcFrame frame;

  if (image)
    return image;
  if (!order_check (self->run,
          gst_zc_frame_map (&frame, buffer, info, GST_MAP_READ, self->stream,
              &error),
          "map", &error))
    return NULL;
  image = g_memdup2 (&frame.image, sizeof (frame.image));
  gst_mini_object_set_qdata (memory, quark, image, g_free);
  gst_zc_frame_unmap (&frame, NULL);
  return image;
}

static gboolean
use_marks (const Access *self, Work what, GstBuffer *buffer,
    const GstVideoInfo *info, guint8 value)
{
  const GstZcImage *image = known_image (self, buffer, info);
  GError *error = NULL;
  gboolean ok;

  if (!image)
    return FALSE;
  if (!order_check (self->run,
          gst_zc_buffer_wait (buffer, flags_of (what), self->stream, &error),
          "wait", &error))
    return FALSE;
  work (self, what, self->stream, image, value);
  ok = what == FILL ? gst_zc_buffer_mark_written (buffer, self->stream, &error)
                    : gst_zc_buffer_mark_read (buffer, self->stream, &error);
  return order_check (self->run, ok, "mark", &error);
}

/* GStreamer's rule: what is done on the memory's stream needs no more, and who
 * uses another one waits on the host. */

static GstZcStream *
bridge_of (GstBuffer *buffer)
{
  GstCudaMemory *memory =
      GST_CUDA_MEMORY_CAST (gst_buffer_peek_memory (buffer, 0));
  GstCudaStream *stream = gst_cuda_memory_get_stream (memory);
  g_autoptr (GError) error = NULL;
  GstZcStream *bridge = gst_zc_stream_new_borrowed (memory->context,
      gst_cuda_stream_get_handle (stream), &error);

  g_assert_no_error (error);
  return bridge;
}

static gboolean
is_of_library (GstBuffer *buffer)
{
  GstAllocator *allocator = gst_buffer_peek_memory (buffer, 0)->allocator;

  return g_str_equal (G_OBJECT_TYPE_NAME (allocator), "ZcAllocator");
}

/* What a CPU wrote is uploaded by a CUDA map of any kind. In memory that is not
 * of this library, nobody keeps a CPU from writing there again meanwhile. */
static void
wait_for_upload (GstBuffer *buffer, GstZcStream *bridge, gboolean uploads)
{
  if (uploads && !is_of_library (buffer))
    gst_zc_stream_synchronize (bridge, NULL);
}

static gboolean
is_uploaded_next (GstBuffer *buffer)
{
  return GST_MEMORY_FLAG_IS_SET (gst_buffer_peek_memory (buffer, 0),
      GST_CUDA_MEMORY_TRANSFER_NEED_UPLOAD);
}

static gboolean
use_bridge (const Access *self, Work what, GstBuffer *buffer,
    const GstVideoInfo *info, guint8 value)
{
  g_autoptr (GstZcStream) bridge = bridge_of (buffer);
  gboolean uploads = is_uploaded_next (buffer);
  GstVideoFrame frame;
  GstZcImage image;

  find_planes (buffer, info, flags_of (what) | GST_MAP_CUDA, &image, &frame);
  wait_for_upload (buffer, bridge, uploads);
  work (self, what, bridge, &image, value);
  /* Nothing says that memory without a stream is in use. */
  if (!gst_zc_stream_get_handle (bridge))
    gst_zc_stream_synchronize (bridge, NULL);
  gst_video_frame_unmap (&frame);
  return TRUE;
}

static void
wait_for_memory (const Access *self, GstBuffer *buffer)
{
  g_autoptr (GstZcStream) bridge = bridge_of (buffer);

  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++)
    gst_cuda_memory_sync (GST_CUDA_MEMORY_CAST (gst_buffer_peek_memory (buffer,
        i)));
  /* Memory without a stream is never said to need a wait. */
  if (!gst_zc_stream_get_handle (bridge) && !self->fresh)
    gst_zc_stream_synchronize (bridge, NULL);
}

static void
written_elsewhere (GstBuffer *buffer, GstZcStream *stream)
{
  g_autoptr (GError) error = NULL;

  gst_zc_stream_synchronize (stream, &error);
  g_assert_no_error (error);
  for (guint i = 0; i < gst_buffer_n_memory (buffer); i++)
    GST_MEMORY_FLAG_UNSET (gst_buffer_peek_memory (buffer, i),
        GST_CUDA_MEMORY_TRANSFER_NEED_SYNC);
}

static gboolean
use_other (const Access *self, Work what, GstBuffer *buffer,
    const GstVideoInfo *info, guint8 value)
{
  GstVideoFrame frame;
  GstZcImage image;

  cuda_test_push (gst_zc_stream_get_context (self->stream));
  find_planes (buffer, info, flags_of (what) | GST_MAP_CUDA, &image, &frame);
  wait_for_memory (self, buffer);
  work (self, what, self->stream, &image, value);
  if (what == FILL)
    written_elsewhere (buffer, self->stream);
  else if (!is_of_library (buffer))
    /* Nobody tells the owner of such memory of this read. Ours notices. */
    gst_zc_stream_synchronize (self->stream, NULL);
  gst_video_frame_unmap (&frame);
  cuda_test_pop ();
  return TRUE;
}

static gboolean
use_advertised (const Access *self, GstBuffer *buffer, const GstVideoInfo *info,
    guint8 value)
{
  const GstZcImage *image = known_image (self, buffer, info);
  g_autoptr (GstZcStream) stream = NULL;
  GError *error = NULL;

  if (!image)
    return FALSE;
  stream = gst_zc_buffer_get_writer_stream (buffer, &error);
  if (!order_check (self->run, stream != NULL, "advertise", &error))
    return FALSE;
  work (self, LOOK, stream, image, value);
  return order_check (self->run,
      gst_zc_buffer_mark_read (buffer, stream, &error), "mark", &error);
}

/* As array libraries do: told that the pixels are there once a stream that they
 * don't own has come so far, they tell nobody what they do. Who only reads may
 * go on after the unmap. */
static gboolean
use_lent (const Access *self, Work what, GstBuffer *buffer,
    const GstVideoInfo *info, guint8 value)
{
  g_autoptr (GstZcStream) own =
      gst_zc_stream_new (gst_zc_stream_get_context (self->stream), NULL);
  gboolean late = what == LOOK && order_random (self->run, 2);
  GstZcLoan *loan;
  GError *error = NULL;
  GstZcImage image;
  GstZcFrame frame;
  gboolean ok;

  if (!order_check (self->run,
          gst_zc_frame_map (&frame, buffer, info, flags_of (what), own, &error),
          "map", &error))
    return FALSE;
  image = frame.image;
  loan = gst_zc_frame_lend (&frame, FALSE, &error);
  cuda_test_wait_for (self->stream, own);
  if (!late)
    work (self, what, self->stream, &image, value);
  ok = order_check (self->run, gst_zc_frame_unmap (&frame, &error), "unmap",
      &error);
  if (late)
    work (self, what, self->stream, &image, value);
  gst_zc_loan_unref (loan);
  return ok;
}

/* The CPU */

static gsize
row_bytes (const GstVideoFrame *frame, guint plane)
{
  const GstZcFormat *format =
      gst_zc_format_get (GST_VIDEO_FRAME_FORMAT (frame));
  GstZcImage image;
  guint64 data[GST_ZC_MAX_PLANES] = { 512, 512, 512, 512 };
  gint64 stride[GST_ZC_MAX_PLANES] = { 512, 512, 512, 512 };

  g_assert_nonnull (format);
  gst_zc_image_init (&image, GST_VIDEO_FRAME_FORMAT (frame),
      GST_VIDEO_FRAME_WIDTH (frame), GST_VIDEO_FRAME_HEIGHT (frame), 0, data,
      stride, NULL);
  return gst_zc_plane_row_bytes (&image.plane[plane]);
}

static void
fill_host (GstVideoFrame *frame, guint8 value)
{
  for (guint i = 0; i < GST_VIDEO_FRAME_N_PLANES (frame); i++) {
    guint8 *row = GST_VIDEO_FRAME_PLANE_DATA (frame, i);

    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (frame, i); y++) {
      memset (row, value, row_bytes (frame, i));
      row += GST_VIDEO_FRAME_PLANE_STRIDE (frame, i);
    }
  }
}

static void
check_host (const Access *self, GstVideoFrame *frame, guint8 value)
{
  for (guint i = 0; i < GST_VIDEO_FRAME_N_PLANES (frame); i++) {
    const guint8 *row = GST_VIDEO_FRAME_PLANE_DATA (frame, i);
    gsize size = row_bytes (frame, i);

    for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT (frame, i); y++) {
      for (gsize x = 0; x < size; x++) {
        if (row[x] == value)
          continue;
        order_fault (self->run, ORDER_PIXELS, "%s saw %02x, expected %02x",
            user_name (self->user), row[x], value);
        return;
      }
      row += GST_VIDEO_FRAME_PLANE_STRIDE (frame, i);
    }
  }
}

static gboolean
use_cpu (const Access *self, Work what, GstBuffer *buffer,
    const GstVideoInfo *info, guint8 value)
{
  GstVideoFrame frame;

  if (!gst_video_frame_map (&frame, info, buffer, flags_of (what)))
    return order_check (self->run, FALSE, "map by the CPU", NULL);
  if (what == FILL)
    fill_host (&frame, value);
  else
    check_host (self, &frame, value);
  gst_video_frame_unmap (&frame);
  return TRUE;
}

static GstBuffer *
host_buffer (const Access *self, const GstVideoInfo *info)
{
  return gst_buffer_new_allocate (self->pinned, GST_VIDEO_INFO_SIZE (info),
      NULL);
}

/* Lets go of the source at once: to keep it is the library's business. */
static gboolean
upload (const Access *self, GstBuffer *buffer, const GstVideoInfo *info,
    guint8 value)
{
  GstBuffer *host = host_buffer (self, info);
  GError *error = NULL;
  GstZcFrame frame;
  gboolean ok;

  use_cpu (self, FILL, host, info, value);
  ok = order_check (self->run,
      gst_zc_frame_map (&frame, buffer, info, GST_MAP_WRITE, self->stream,
          &error),
      "map", &error);
  if (ok) {
    order_delay (self->run, self->stream);
    ok = order_check (self->run,
        gst_zc_frame_upload (&frame, host, info, &error), "upload", &error);
    gst_zc_frame_unmap (&frame, NULL);
  }
  gst_buffer_unref (host);
  return ok;
}

static gboolean
download (const Access *self, GstBuffer *buffer, const GstVideoInfo *info,
    guint8 value)
{
  GstBuffer *host = host_buffer (self, info);
  GError *error = NULL;
  GstZcFrame frame;
  gboolean ok;

  gst_buffer_memset (host, 0, 0, GST_VIDEO_INFO_SIZE (info));
  ok = order_check (self->run,
      gst_zc_frame_map (&frame, buffer, info, GST_MAP_READ, self->stream,
          &error),
      "map", &error);
  if (ok) {
    order_delay (self->run, self->stream);
    ok = order_check (self->run,
        gst_zc_frame_download (&frame, host, info, &error), "download", &error);
    gst_zc_frame_unmap (&frame, NULL);
    use_cpu (self, LOOK, host, info, value);
  }
  gst_buffer_unref (host);
  return ok;
}

static gboolean
use_as (const Access *self, Work what, GstBuffer *buffer,
    const GstVideoInfo *info, guint8 value)
{
  switch (self->user) {
    case USER_MARK:
      return use_marks (self, what, buffer, info, value);
    case USER_HOST:
      return what == FILL ? upload (self, buffer, info, value)
                          : download (self, buffer, info, value);
    case USER_CPU:
      return use_cpu (self, what, buffer, info, value);
    case USER_BRIDGE:
      return use_bridge (self, what, buffer, info, value);
    case USER_OTHER:
      return use_other (self, what, buffer, info, value);
    case USER_ADVERTISED:
      return what == FILL ? use_frame (self, what, buffer, info, value)
                          : use_advertised (self, buffer, info, value);
    case USER_LENT:
      return use_lent (self, what, buffer, info, value);
    default:
      return use_frame (self, what, buffer, info, value);
  }
}

static gboolean
use (const Access *self, Work what, GstBuffer *buffer, const GstVideoInfo *info,
    guint8 value)
{
  GstMemory *memory = gst_buffer_peek_memory (buffer, 0);

  order_trace (self->run, "%s %s %02x in %p (%s), stream %p",
      user_name (self->user), what == FILL ? "writes" : "reads", value, memory,
      G_OBJECT_TYPE_NAME (memory->allocator),
      self->stream ? gst_zc_stream_get_handle (self->stream) : NULL);
  return use_as (self, what, buffer, info, value);
}

gboolean
user_write (const Access *self, GstBuffer *buffer, const GstVideoInfo *info,
    guint8 value)
{
  return use (self, FILL, buffer, info, value);
}

gboolean
user_read (const Access *self, GstBuffer *buffer, const GstVideoInfo *info,
    guint8 value)
{
  return use (self, LOOK, buffer, info, value);
}

gboolean
user_change (const Access *self, GstBuffer *buffer, const GstVideoInfo *info,
    guint8 old, guint8 value)
{
  GError *error = NULL;
  GstZcFrame frame;

  order_trace (self->run, "%p is changed from %02x to %02x, stream %p",
      gst_buffer_peek_memory (buffer, 0), old, value,
      gst_zc_stream_get_handle (self->stream));
  if (!order_check (self->run,
          gst_zc_frame_map (&frame, buffer, info, GST_MAP_READWRITE,
              self->stream, &error),
          "map", &error))
    return FALSE;
  work (self, LOOK, self->stream, &frame.image, old);
  work (self, FILL, self->stream, &frame.image, value);
  return order_check (self->run, gst_zc_frame_unmap (&frame, &error), "unmap",
      &error);
}

gboolean
user_flip (const Access *self, GstBuffer *dst, GstBuffer *src,
    const GstVideoInfo *info)
{
  GError *error = NULL;
  GstZcFrame in, out;
  gboolean ok;

  order_trace (self->run, "%p is turned into %p, stream %p",
      gst_buffer_peek_memory (src, 0), gst_buffer_peek_memory (dst, 0),
      gst_zc_stream_get_handle (self->stream));
  if (!order_check (self->run,
          gst_zc_frame_map (&in, src, info, GST_MAP_READ, self->stream, &error),
          "map", &error))
    return FALSE;
  ok = order_check (self->run,
      gst_zc_frame_map (&out, dst, info, GST_MAP_WRITE, self->stream, &error),
      "map", &error);
  if (ok) {
    order_delay (self->run, self->stream);
    ok = order_check (self->run,
        gst_zc_frame_flip (&out, &in, GST_VIDEO_ORIENTATION_180, &error),
        "flip", &error);
    gst_zc_frame_unmap (&out, NULL);
  }
  gst_zc_frame_unmap (&in, NULL);
  return ok;
}

void
user_copy (OrderRun *run, GstBuffer *dst, GstBuffer *src,
    const GstVideoInfo *info)
{
  g_autoptr (GstZcStream) stream = bridge_of (dst);
  g_autoptr (GstZcStream) from = bridge_of (src);
  GstVideoFrame in, out;
  GstZcImage read, written;

  find_planes (src, info, GST_MAP_READ | GST_MAP_CUDA, &read, &in);
  find_planes (dst, info, GST_MAP_WRITE | GST_MAP_CUDA, &written, &out);
  if (gst_zc_stream_get_handle (stream) != gst_zc_stream_get_handle (from))
    gst_cuda_memory_sync (GST_CUDA_MEMORY_CAST (gst_buffer_peek_memory (src,
        0)));
  order_delay (run, stream);
  for (guint i = 0; i < read.n_planes; i++)
    cuda_test_copy_rows (stream, &written.plane[i], &read.plane[i]);
  /* Memory that is not of this library is not kept for our read. */
  if (!is_of_library (src))
    gst_zc_stream_synchronize (stream, NULL);
  gst_video_frame_unmap (&out);
  gst_video_frame_unmap (&in);
}
