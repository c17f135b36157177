/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

/* How captures begin and end, and who asks about them. */

#include "call.h"
#include "capture.h"
#include "graph.h"
#include "stream.h"
#include "thread.h"

static CUresult
begin (CUstream handle, CUstreamCaptureMode mode)
{
  ScStream *stream;
  CUresult result = sc_stream_find (handle, &stream);

  if (result == CUDA_SUCCESS && stream->legacy) {
    result = sc_capture_check_legacy (stream->ctx);
    if (result == CUDA_SUCCESS)
      result = CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED;
  }
  return result == CUDA_SUCCESS ? sc_capture_begin (stream, mode) : result;
}

static CUresult
end (CUstream handle, CUgraph *graph)
{
  ScOpList ops = { 0 };
  ScStream *stream;
  CUresult result = sc_stream_find (handle, &stream);

  if (!graph)
    return CUDA_ERROR_INVALID_VALUE;
  *graph = NULL;
  if (result == CUDA_SUCCESS && stream->legacy)
    result = sc_capture_check_legacy (stream->ctx);
  if (result == CUDA_SUCCESS)
    result = sc_capture_end (stream, &ops);
  if (result != CUDA_SUCCESS)
    return result;
  *graph = sc_graph_new (ops);
  return *graph ? CUDA_SUCCESS : CUDA_ERROR_OUT_OF_MEMORY;
}

/* Asking the legacy stream harms nobody, and tells of blocking ones. */
static CUresult
ask (CUstream handle, CUstreamCaptureStatus *status, cuuint64_t *id)
{
  ScStream *stream;
  CUresult result = sc_stream_find (handle, &stream);

  if (result != CUDA_SUCCESS)
    return result;
  if (!status)
    return CUDA_ERROR_INVALID_VALUE;
  if (stream->legacy && sc_capture_of_blocking (stream->ctx))
    return CUDA_ERROR_STREAM_CAPTURE_IMPLICIT;
  *status = sc_capture_status (stream);
  if (id && *status == CU_STREAM_CAPTURE_STATUS_ACTIVE)
    *id = stream->capture->id;
  return CUDA_SUCCESS;
}

/* The graph that grows is not to be had. */
static CUresult
ask_more (CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
    CUgraph *graph, size_t *n_dependencies)
{
  if (graph)
    *graph = NULL;
  if (n_dependencies)
    *n_dependencies = 0;
  return ask (stream, status, id);
}

static CUresult
exchange_mode (CUstreamCaptureMode *mode)
{
  ScThread *thread = sc_thread ();
  CUstreamCaptureMode old = thread->capture_mode;

  if (!mode || (unsigned) *mode > CU_STREAM_CAPTURE_MODE_RELAXED)
    return CUDA_ERROR_INVALID_VALUE;
  thread->capture_mode = *mode;
  *mode = old;
  return CUDA_SUCCESS;
}

CUresult CUDAAPI
cuStreamBeginCapture_v2 (CUstream stream, CUstreamCaptureMode mode)
{
  SC_API (SC_NEED_CONTEXT, begin (stream, mode));
}

CUresult CUDAAPI
cuStreamEndCapture (CUstream stream, CUgraph *graph)
{
  SC_API (SC_NEED_CONTEXT, end (stream, graph));
}

CUresult CUDAAPI
cuStreamIsCapturing (CUstream stream, CUstreamCaptureStatus *status)
{
  SC_API (SC_NEED_CONTEXT, ask (stream, status, NULL));
}

CUresult CUDAAPI
cuStreamGetCaptureInfo (CUstream stream, CUstreamCaptureStatus *status,
    cuuint64_t *id)
{
  SC_API (SC_NEED_CONTEXT, ask (stream, status, id));
}

CUresult CUDAAPI
cuStreamGetCaptureInfo_v2 (CUstream stream, CUstreamCaptureStatus *status,
    cuuint64_t *id, CUgraph *graph, const CUgraphNode **dependencies, size_t *n)
{
  SC_API (SC_NEED_CONTEXT, ask_more (stream, status, id, graph, n));
}

#if CUDA_VERSION >= 12030
CUresult CUDAAPI
cuStreamGetCaptureInfo_v3 (CUstream stream, CUstreamCaptureStatus *status,
    cuuint64_t *id, CUgraph *graph, const CUgraphNode **dependencies,
    const CUgraphEdgeData **edges, size_t *n)
{
  SC_API (SC_NEED_CONTEXT, ask_more (stream, status, id, graph, n));
}
#endif

CUresult CUDAAPI
cuThreadExchangeStreamCaptureMode (CUstreamCaptureMode *mode)
{
  SC_API (SC_NEED_THREAD, exchange_mode (mode));
}
