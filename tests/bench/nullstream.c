/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "nullstream.h"

#include "driver.h"

#include <gst/cuda/gstcudacontext.h>

#define BYTES (64 << 10)
/* Launches between two waits: none of the streams is ever long without work of
 * the null stream, nor is that ever far behind. */
#define BURST 16

struct _NullStream
{
  GThread *thread;
  GstCudaContext *context; /* not owned */
  gint stop;               /* atomic */
};

static gpointer
launch_all_the_time (gpointer data)
{
  NullStream *self = data;
  CUdeviceptr memory = 0;
  CUcontext popped;

  if (cu.cuCtxPushCurrent (gst_cuda_context_get_handle (self->context)) !=
          CUDA_SUCCESS ||
      cu.cuMemAlloc (&memory, BYTES) != CUDA_SUCCESS)
    g_error ("no memory for work on the null stream");
  while (!g_atomic_int_get (&self->stop)) {
    for (guint i = 0; i < BURST; i++)
      cu.cuMemsetD8Async (memory, (guchar) i, BYTES, NULL);
    if (cu.cuStreamSynchronize (NULL) != CUDA_SUCCESS)
      g_error ("work on the null stream failed");
  }
  cu.cuMemFree (memory);
  cu.cuCtxPopCurrent (&popped);
  return NULL;
}

NullStream *
null_stream_start (GstCudaContext *context)
{
  NullStream *self = g_new0 (NullStream, 1);

  self->context = context;
  self->thread = g_thread_new ("null-stream", launch_all_the_time, self);
  return self;
}

void
null_stream_stop (NullStream *self)
{
  if (!self)
    return;
  g_atomic_int_set (&self->stop, TRUE);
  g_thread_join (self->thread);
  g_free (self);
}
