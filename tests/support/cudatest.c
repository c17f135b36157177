/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "cudatest.h"

#include <dlfcn.h>
#include <gst/cuda/gstcudacontext.h>

#include "cudacall.h"

#define CALL(...) CUDA_TEST_CALL (__VA_ARGS__)

gpointer
cuda_test_find (const gchar *symbol)
{
  static gpointer driver;
  gpointer function;

  if (!driver)
    driver = dlopen ("libcuda.so.1", RTLD_NOW);
  function = driver ? dlsym (driver, symbol) : NULL;
  if (!function)
    g_error ("libcuda.so.1 has no %s", symbol);
  return function;
}

/* What the thread of the tests had current at first. */
static GThread *first_thread;
static gpointer first_current;

GstCudaContext *
cuda_test_context (guint device)
{
  g_autoptr (GError) error = NULL;
  GstCudaContext *context = gst_zc_context_new (device, &error);

  if (!context) {
    g_test_skip (error->message);
  } else if (!first_thread) {
    first_thread = g_thread_self ();
    first_current = cuda_test_current ();
  }
  return context;
}

void
cuda_test_push (GstCudaContext *context)
{
  CALL ("cuCtxPushCurrent_v2", (CUcontext),
      context ? gst_cuda_context_get_handle (context) : NULL);
}

void
cuda_test_pop (void)
{
  CUcontext old;

  CALL ("cuCtxPopCurrent_v2", (CUcontext *), &old);
}

gpointer
cuda_test_current (void)
{
  CUcontext current = NULL;

  CALL ("cuCtxGetCurrent", (CUcontext *), &current);
  return current;
}

void
cuda_test_assert_none_pushed (void)
{
  g_assert_true (cuda_test_current () ==
      (g_thread_self () == first_thread ? first_current : NULL));
}

static void
sleep_ms (void *data)
{
  g_usleep (GPOINTER_TO_UINT (data) * 1000);
}

void
cuda_test_hold (gpointer handle, guint ms)
{
  CALL ("cuLaunchHostFunc", (CUstream, CUhostFn, void *), handle, sleep_ms,
      GUINT_TO_POINTER (ms));
}

void
cuda_test_delay (GstZcStream *stream, guint ms)
{
  cuda_test_push (gst_zc_stream_get_context (stream));
  cuda_test_hold (gst_zc_stream_get_handle (stream), ms);
  cuda_test_pop ();
}

void
cuda_test_begin_capture (GstZcStream *stream)
{
  cuda_test_push (gst_zc_stream_get_context (stream));
  CALL ("cuStreamBeginCapture_v2", (CUstream, CUstreamCaptureMode),
      gst_zc_stream_get_handle (stream), CU_STREAM_CAPTURE_MODE_RELAXED);
  cuda_test_pop ();
}

gboolean
cuda_test_end_capture (GstZcStream *stream)
{
  CUgraph graph = NULL;
  CUresult result;

  cuda_test_push (gst_zc_stream_get_context (stream));
  result = CUDA_TEST_RESULT ("cuStreamEndCapture", (CUstream, CUgraph *),
      gst_zc_stream_get_handle (stream), &graph);
  if (graph)
    CALL ("cuGraphDestroy", (CUgraph), graph);
  cuda_test_pop ();
  return result == CUDA_SUCCESS;
}

void
cuda_test_relax (void)
{
  CUstreamCaptureMode mode = CU_STREAM_CAPTURE_MODE_RELAXED;

  CALL ("cuThreadExchangeStreamCaptureMode", (CUstreamCaptureMode *), &mode);
}

GstZcStream *
cuda_test_blocking_stream (GstCudaContext *context)
{
  g_autoptr (GError) error = NULL;
  GstZcStream *stream;
  CUstream handle;

  cuda_test_push (context);
  CALL ("cuStreamCreate", (CUstream *, unsigned int), &handle,
      CU_STREAM_DEFAULT);
  cuda_test_pop ();
  stream = gst_zc_stream_new_borrowed (context, handle, &error);
  g_assert_no_error (error);
  return stream;
}

void
cuda_test_fill (GstZcStream *stream, const GstZcImage *image, guint8 value)
{
  cuda_test_push (gst_zc_stream_get_context (stream));
  for (guint i = 0; i < image->n_planes; i++) {
    const GstZcPlane *plane = &image->plane[i];

    CALL ("cuMemsetD2D8Async",
        (CUdeviceptr, size_t, unsigned char, size_t, size_t, CUstream),
        plane->data, plane->row_stride, value, gst_zc_plane_row_bytes (plane),
        plane->height, gst_zc_stream_get_handle (stream));
  }
  cuda_test_pop ();
}

guint8 *
cuda_test_read (GstZcStream *stream, const GstZcImage *image, gsize size)
{
  void *memory = NULL;

  cuda_test_push (gst_zc_stream_get_context (stream));
  CALL ("cuMemHostAlloc", (void **, size_t, unsigned int), &memory, size, 0);
  CALL ("cuMemcpyDtoHAsync_v2", (void *, CUdeviceptr, size_t, CUstream), memory,
      image->plane[0].data, size, gst_zc_stream_get_handle (stream));
  cuda_test_pop ();
  return memory;
}

static void
copy_rows (GstZcStream *stream, CUDA_MEMCPY2D *copy, const GstZcPlane *from)
{
  copy->WidthInBytes = gst_zc_plane_row_bytes (from);
  copy->Height = from->height;
  copy->srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy->srcDevice = from->data;
  copy->srcPitch = from->row_stride;
  cuda_test_push (gst_zc_stream_get_context (stream));
  CALL ("cuMemcpy2DAsync_v2", (const CUDA_MEMCPY2D *, CUstream), copy,
      gst_zc_stream_get_handle (stream));
  cuda_test_pop ();
}

void
cuda_test_read_rows (GstZcStream *stream, const GstZcPlane *plane, gpointer to)
{
  CUDA_MEMCPY2D copy = {
    .dstMemoryType = CU_MEMORYTYPE_HOST,
    .dstHost = to,
    .dstPitch = gst_zc_plane_row_bytes (plane),
  };

  copy_rows (stream, &copy, plane);
}

void
cuda_test_copy_rows (GstZcStream *stream, const GstZcPlane *to,
    const GstZcPlane *from)
{
  CUDA_MEMCPY2D copy = {
    .dstMemoryType = CU_MEMORYTYPE_DEVICE,
    .dstDevice = to->data,
    .dstPitch = to->row_stride,
  };

  copy_rows (stream, &copy, from);
}

gpointer
cuda_test_alloc_pinned (GstCudaContext *context, gsize size)
{
  void *memory = NULL;

  cuda_test_push (context);
  CALL ("cuMemHostAlloc", (void **, size_t, unsigned int), &memory, size,
      CU_MEMHOSTALLOC_PORTABLE);
  cuda_test_pop ();
  return memory;
}

void
cuda_test_synchronize (GstCudaContext *context)
{
  cuda_test_push (context);
  CALL ("cuCtxSynchronize", (void) );
  cuda_test_pop ();
}

void
cuda_test_free_pinned (gpointer memory)
{
  GstCudaContext *context = gst_zc_context_new (0, NULL);

  cuda_test_push (context);
  CALL ("cuMemFreeHost", (void *), memory);
  cuda_test_pop ();
  gst_object_unref (context);
}

GstBufferPool *
cuda_test_pool (GstCudaContext *context, GstVideoFormat format, gint width,
    gint height, GstVideoInfo *info)
{
  GstBufferPool *pool = gst_zc_device_pool_new (context);
  GstStructure *config = gst_buffer_pool_get_config (pool);
  g_autoptr (GstCaps) caps = NULL;

  g_assert_true (gst_video_info_set_format (info, format, width, height));
  caps = gst_video_info_to_caps (info);
  gst_buffer_pool_config_set_params (config, caps, info->size, 0, 0);
  g_assert_true (gst_buffer_pool_set_config (pool, config));
  g_assert_true (gst_buffer_pool_set_active (pool, TRUE));
  return pool;
}

void
cuda_test_pool_free (GstBufferPool *pool)
{
  gst_buffer_pool_set_active (pool, FALSE);
  gst_object_unref (pool);
}

GstBuffer *
cuda_test_acquire (GstBufferPool *pool)
{
  GstBuffer *buffer = NULL;

  g_assert_cmpint (gst_buffer_pool_acquire_buffer (pool, &buffer, NULL), ==,
      GST_FLOW_OK);
  return buffer;
}

static gpointer
unref (gpointer buffer)
{
  gst_buffer_unref (buffer);
  return NULL;
}

void
cuda_test_unref_on_thread (GstBuffer *buffer)
{
  g_thread_join (g_thread_new ("unref", unref, buffer));
}

guint64
cuda_test_alloc (GstCudaContext *context, gsize size)
{
  CUdeviceptr address = 0;

  cuda_test_push (context);
  CALL ("cuMemAlloc_v2", (CUdeviceptr *, size_t), &address, size);
  cuda_test_pop ();
  return address;
}

void
cuda_test_free (GstCudaContext *context, guint64 address)
{
  cuda_test_push (context);
  CALL ("cuMemFree_v2", (CUdeviceptr), address);
  cuda_test_pop ();
}

void
cuda_test_copy_in (GstCudaContext *context, guint64 to, gconstpointer from,
    gsize size)
{
  cuda_test_push (context);
  CALL ("cuMemcpyHtoD_v2", (CUdeviceptr, const void *, size_t), to, from, size);
  CALL ("cuStreamSynchronize", (CUstream), NULL);
  cuda_test_pop ();
}

void
cuda_test_copy_out (GstCudaContext *context, gpointer to, guint64 from,
    gsize size)
{
  cuda_test_push (context);
  CALL ("cuMemcpyDtoH_v2", (void *, CUdeviceptr, size_t), to, from, size);
  cuda_test_pop ();
}

void
cuda_test_copy (GstZcStream *stream, guint64 to, guint64 from, gsize size)
{
  cuda_test_push (gst_zc_stream_get_context (stream));
  CALL ("cuMemcpyDtoDAsync_v2", (CUdeviceptr, CUdeviceptr, size_t, CUstream),
      to, from, size, gst_zc_stream_get_handle (stream));
  cuda_test_pop ();
}

gpointer
cuda_test_event_new (GstZcStream *stream)
{
  CUevent event;

  cuda_test_push (gst_zc_stream_get_context (stream));
  CALL ("cuEventCreate", (CUevent *, unsigned int), &event,
      CU_EVENT_DISABLE_TIMING);
  cuda_test_pop ();
  cuda_test_event_record (event, stream);
  return event;
}

void
cuda_test_event_record (gpointer event, GstZcStream *stream)
{
  cuda_test_push (gst_zc_stream_get_context (stream));
  CALL ("cuEventRecord", (CUevent, CUstream), event,
      gst_zc_stream_get_handle (stream));
  cuda_test_pop ();
}

void
cuda_test_event_free (GstCudaContext *context, gpointer event)
{
  cuda_test_push (context);
  CALL ("cuEventDestroy_v2", (CUevent), event);
  cuda_test_pop ();
}

void
cuda_test_stream_destroy (GstCudaContext *context, gpointer handle)
{
  cuda_test_push (context);
  CALL ("cuStreamDestroy_v2", (CUstream), handle);
  cuda_test_pop ();
}

void
cuda_test_wait_for (GstZcStream *waiter, GstZcStream *other)
{
  CUevent event = cuda_test_event_new (other);

  cuda_test_push (gst_zc_stream_get_context (waiter));
  CALL ("cuStreamWaitEvent", (CUstream, CUevent, unsigned int),
      gst_zc_stream_get_handle (waiter), event, 0);
  cuda_test_pop ();
  cuda_test_event_free (gst_zc_stream_get_context (other), event);
}
