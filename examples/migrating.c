/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* The same done with GStreamer's CUDA library and with this one: memory of
 * others becomes a buffer, a picture is read. Each reads what the other made. */

#include <string.h>

#include <gst/cuda/gstcuda.h>
#include <gst/zc/zc.h>

#define WIDTH 320
#define HEIGHT 240
#define SIZE (WIDTH * HEIGHT * 4)

/* Before: the pointer's context is pushed by hand, and the CPU waits. */
static gboolean
read_before (GstBuffer *buffer, const GstVideoInfo *info, guint8 *pixels)
{
  GstCudaMemory *memory = (GstCudaMemory *) gst_buffer_peek_memory (buffer, 0);
  CUstream stream =
      gst_cuda_stream_get_handle (gst_cuda_memory_get_stream (memory));
  CUDA_MEMCPY2D copy = { .srcMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstMemoryType = CU_MEMORYTYPE_HOST,
    .dstHost = pixels,
    .dstPitch = WIDTH * 4,
    .WidthInBytes = WIDTH * 4,
    .Height = HEIGHT };
  GstVideoFrame frame;
  gboolean ok;

  if (!gst_video_frame_map (&frame, info, buffer, GST_MAP_READ | GST_MAP_CUDA))
    return FALSE;
  copy.srcDevice = (CUdeviceptr) GST_VIDEO_FRAME_PLANE_DATA (&frame, 0);
  copy.srcPitch = GST_VIDEO_FRAME_PLANE_STRIDE (&frame, 0);
  gst_cuda_context_push (memory->context);
  ok = !CuMemcpy2DAsync (&copy, stream) && !CuStreamSynchronize (stream);
  gst_cuda_context_pop (NULL);
  gst_video_frame_unmap (&frame);
  return ok;
}

/* After: map and unmap order the stream, which may be any. */
static gboolean
read_after (GstBuffer *buffer, const GstVideoInfo *info, guint8 *pixels,
    GstZcStream *stream, GError **error)
{
  GstZcFrame frame;
  gboolean ok;

  if (!gst_zc_frame_map (&frame, buffer, info, GST_MAP_READ, stream, error))
    return FALSE;
  ok = gst_zc_plane_download (&frame.image.plane[0], pixels, WIDTH * 4, stream,
      error);
  return gst_zc_frame_unmap (&frame, ok ? error : NULL) && ok;
}

/* Without a notify the allocator would free the memory. */
static void
keep (G_GNUC_UNUSED gpointer data)
{
}

static GstBuffer *
wrap_before (GstCudaContext *context, const GstVideoInfo *info, guint64 data)
{
  GstCudaStream *stream = gst_cuda_stream_new (context);
  GstBuffer *buffer = gst_buffer_new ();

  gst_buffer_append_memory (buffer,
      gst_cuda_allocator_alloc_wrapped (NULL, context, stream, info, data, NULL,
          keep));
  gst_cuda_stream_unref (stream);
  return buffer;
}

static GstBuffer *
wrap_after (GstCudaContext *context, guint64 data, GError **error)
{
  const GstZcProducer producer = { GST_ZC_PRODUCER_NONE };
  GstZcImage image;

  if (!gst_zc_image_init_packed (&image, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT,
          0, data, NULL, error))
    return NULL;
  return gst_zc_buffer_new_wrapped (context, &image, &producer, NULL, NULL,
      error);
}

/* Frees @buffer. */
static gboolean
check (GstBuffer *buffer, const guint8 *wanted, GstZcStream *stream,
    GError **error)
{
  g_autofree guint8 *before = g_malloc0 (SIZE), *after = g_malloc0 (SIZE);
  GstVideoInfo info;
  gboolean ok;

  if (!buffer)
    return FALSE;
  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  ok = read_before (buffer, &info, before) &&
      read_after (buffer, &info, after, stream, error) &&
      memcmp (before, wanted, SIZE) == 0 && memcmp (after, wanted, SIZE) == 0;
  gst_buffer_unref (buffer);
  return ok;
}

static gboolean
run (GstCudaContext *context, GError **error)
{
  g_autoptr (GstZcStream) stream = gst_zc_stream_new (context, error);
  g_autofree guint8 *wanted = g_malloc (SIZE);
  GstVideoInfo info;
  CUdeviceptr data;
  gboolean ok;

  gst_video_info_set_format (&info, GST_VIDEO_FORMAT_RGBA, WIDTH, HEIGHT);
  for (guint i = 0; i < SIZE; i++)
    wanted[i] = (guint8) (i * 7 + i / 251);
  gst_cuda_context_push (context);
  ok = stream && !CuMemAlloc (&data, SIZE) &&
      !CuMemcpyHtoD (data, wanted, SIZE) &&
      check (wrap_before (context, &info, data), wanted, stream, error) &&
      check (wrap_after (context, data, error), wanted, stream, error) &&
      !CuMemFree (data);
  gst_cuda_context_pop (NULL);
  return ok;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  GstCudaContext *context;
  gboolean ok;

  gst_init (&argc, &argv);
  context = gst_zc_context_new (0, &error);
  if (!context)
    return 77;
  ok = run (context, &error);
  gst_object_unref (context);
  g_print ("%s\n",
      ok          ? "the same, before and after"
          : error ? error->message
                  : "a CUDA call failed, or the pixels differ");
  return ok ? 0 : 1;
}
