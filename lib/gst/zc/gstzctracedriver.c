/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* Entry points that tell of what they do. Those of the driver that are not here
 * move nothing, make nothing and wait for nothing. */

#include "gstzctrace-private.h"

ZcCuda zc_trace_real;

static _Thread_local guint depth;

typedef struct
{
  GstZcTraceCall call;
  ZcTraceWork *work;
} Frame;

gboolean
zc_trace_in_own_call (void)
{
  return depth > 0;
}

void
zc_trace_enter_own_call (void)
{
  depth++;
}

void
zc_trace_leave_own_call (void)
{
  depth--;
}

static gboolean
is_work (GstZcTraceDeed deed)
{
  return deed <= GST_ZC_TRACE_KERNEL;
}

static Frame
enter (const gchar *name, GstZcTraceDeed deed, gsize bytes, CUstream stream)
{
  const GstZcTraceFuncs *funcs = zc_trace_funcs ();
  CUcontext context = NULL;
  Frame frame = { { 0 } };

  zc_trace_enter_own_call ();
  if (!funcs)
    return frame;
  zc_trace_real.cuCtxGetCurrent (&context);
  frame.call = (GstZcTraceCall) {
    .name = name,
    .deed = deed,
    .ours = TRUE,
    .bytes = bytes,
    .context = context,
    .stream = stream,
  };
  if (is_work (deed) && funcs->work)
    frame.work = zc_trace_work_begin (context, stream);
  frame.call.start = gst_util_get_timestamp ();
  return frame;
}

static CUresult
leave (Frame *frame, CUresult result)
{
  const GstZcTraceFuncs *funcs = zc_trace_funcs ();
  gboolean done = result == CUDA_SUCCESS;

  frame->call.end = gst_util_get_timestamp ();
  if (frame->work)
    zc_trace_work_end (frame->work, done, &frame->call);
  if (funcs && done && frame->call.name)
    funcs->call (&frame->call);
  zc_trace_leave_own_call ();
  return result;
}

static GstZcTraceDeed
deed_of (const CUDA_MEMCPY2D *copy)
{
  if (copy->srcMemoryType == CU_MEMORYTYPE_HOST)
    return GST_ZC_TRACE_UPLOAD;
  return copy->dstMemoryType == CU_MEMORYTYPE_HOST ? GST_ZC_TRACE_DOWNLOAD
                                                   : GST_ZC_TRACE_DEVICE_COPY;
}

/* One line each: name, deed, bytes, stream, parameters, arguments. */
/* clang-format off */
#define TRACED(X) \
  X (cuMemcpy2DAsync, deed_of (copy), copy->WidthInBytes * copy->Height, \
      stream, (const CUDA_MEMCPY2D *copy, CUstream stream), (copy, stream)) \
  X (cuMemcpy3DPeerAsync, GST_ZC_TRACE_DEVICE_COPY, \
      copy->WidthInBytes * copy->Height * copy->Depth, stream, \
      (const CUDA_MEMCPY3D_PEER *copy, CUstream stream), (copy, stream)) \
  X (cuMemcpyDtoDAsync, GST_ZC_TRACE_DEVICE_COPY, size, stream, \
      (CUdeviceptr dst, CUdeviceptr src, size_t size, CUstream stream), \
      (dst, src, size, stream)) \
  X (cuLaunchKernel, GST_ZC_TRACE_KERNEL, 0, stream, \
      (CUfunction function, unsigned int grid_x, unsigned int grid_y, \
          unsigned int grid_z, unsigned int block_x, unsigned int block_y, \
          unsigned int block_z, unsigned int shared, CUstream stream, \
          void **params, void **extra), \
      (function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared, \
          stream, params, extra)) \
  X (cuCtxSynchronize, GST_ZC_TRACE_HOST_WAIT, 0, NULL, (void), ()) \
  X (cuStreamSynchronize, GST_ZC_TRACE_HOST_WAIT, 0, stream, \
      (CUstream stream), (stream)) \
  X (cuEventSynchronize, GST_ZC_TRACE_HOST_WAIT, 0, NULL, (CUevent event), \
      (event)) \
  X (cuStreamWaitEvent, GST_ZC_TRACE_EVENT_WAIT, 0, stream, \
      (CUstream stream, CUevent event, unsigned int flags), \
      (stream, event, flags)) \
  X (cuEventRecord, GST_ZC_TRACE_EVENT_RECORD, 0, stream, \
      (CUevent event, CUstream stream), (event, stream)) \
  X (cuMemAlloc, GST_ZC_TRACE_DEVICE_ALLOC, size, NULL, \
      (CUdeviceptr *address, size_t size), (address, size)) \
  X (cuMemAllocPitch, GST_ZC_TRACE_DEVICE_ALLOC, width * height, NULL, \
      (CUdeviceptr *address, size_t *pitch, size_t width, size_t height, \
          unsigned int element), \
      (address, pitch, width, height, element)) \
  X (cuMemFree, GST_ZC_TRACE_OTHER, 0, NULL, (CUdeviceptr address), (address)) \
  X (cuMemHostAlloc, GST_ZC_TRACE_HOST_ALLOC, size, NULL, \
      (void **memory, size_t size, unsigned int flags), (memory, size, flags)) \
  X (cuMemFreeHost, GST_ZC_TRACE_OTHER, 0, NULL, (void *memory), (memory)) \
  X (cuMemHostRegister, GST_ZC_TRACE_OTHER, size, NULL, \
      (void *memory, size_t size, unsigned int flags), (memory, size, flags)) \
  X (cuMemHostUnregister, GST_ZC_TRACE_OTHER, 0, NULL, (void *memory), \
      (memory)) \
  X (cuMemsetD8Async, GST_ZC_TRACE_OTHER, size, stream, \
      (CUdeviceptr address, unsigned char value, size_t size, \
          CUstream stream), \
      (address, value, size, stream)) \
  X (cuStreamCreate, GST_ZC_TRACE_OTHER, 0, NULL, \
      (CUstream *stream, unsigned int flags), (stream, flags)) \
  X (cuStreamDestroy, GST_ZC_TRACE_OTHER, 0, stream, (CUstream stream), \
      (stream)) \
  X (cuEventCreate, GST_ZC_TRACE_OTHER, 0, NULL, \
      (CUevent *event, unsigned int flags), (event, flags)) \
  X (cuModuleLoadData, GST_ZC_TRACE_OTHER, 0, NULL, \
      (CUmodule *module, const void *image), (module, image))
/* clang-format on */

#define DEFINE(name, deed, bytes, stream, params, args)                        \
  static CUresult CUDAAPI traced_##name params                                 \
  {                                                                            \
    Frame frame = enter (#name, deed, bytes, stream);                          \
                                                                               \
    return leave (&frame, zc_trace_real.name args);                            \
  }
TRACED (DEFINE)
#undef DEFINE

void
zc_trace_driver_wrap (void)
{
  zc_trace_real = zc_cu;
#define WRAP(name, deed, bytes, stream, params, args)                          \
  zc_cu.name = traced_##name;
  TRACED (WRAP)
#undef WRAP
}
