/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* SPDX-FileCopyrightText: The gst-zc authors */

#include "buslimits.h"

#include "driver.h"

#include <gst/cuda/gstcudacontext.h>

/* As many as the sources of the pipelines have. */
#define RING 8
/* The fastest counts: others may be at work on the machine. */
#define PASSES 4

/* What frames of any size are copied from and to: to lock pages takes longer
 * than to measure. */
typedef struct
{
  gsize size; /* of each; 0: there is none */
  CUcontext context;
  void *host_in[RING], *host_out[RING];
  CUdeviceptr in[RING], out[RING];
} Area;

static Area area;

typedef struct
{
  GstZcStream *up, *down;
  CUstream up_handle, down_handle;
  gsize bytes; /* of a frame */
  GstZcImage image_in[RING], image_out[RING];
} Memory;

typedef gdouble (*TimeFunc) (Memory *memory, guint n);

static void
check (CUresult result, const gchar *call)
{
  if (result != CUDA_SUCCESS)
    g_error ("%s failed with %d", call, result);
}

#define CALL(name, ...) check (cu.name (__VA_ARGS__), #name)

static void
area_free (void)
{
  for (guint i = 0; area.size > 0 && i < RING; i++) {
    CALL (cuMemFreeHost, area.host_in[i]);
    CALL (cuMemFreeHost, area.host_out[i]);
    CALL (cuMemFree, area.in[i]);
    CALL (cuMemFree, area.out[i]);
  }
  area.size = 0;
}

static void
area_grow (gsize size)
{
  if (size <= area.size)
    return;
  area_free ();
  area.size = size;
  CALL (cuCtxGetCurrent, &area.context);
  for (guint i = 0; i < RING; i++) {
    CALL (cuMemAllocHost, &area.host_in[i], size);
    CALL (cuMemAllocHost, &area.host_out[i], size);
    memset (area.host_in[i], 128, size);
    memset (area.host_out[i], 128, size);
    CALL (cuMemAlloc, &area.in[i], size);
    CALL (cuMemAlloc, &area.out[i], size);
  }
}

static void
memory_init (Memory *self, const Limits *limits)
{
  const GstVideoInfo *info = &limits->info;

  *self = (Memory) {
    .up = gst_zc_stream_new (limits->context, NULL),
    .down = gst_zc_stream_new (limits->context, NULL),
    .bytes = GST_VIDEO_INFO_SIZE (info),
  };
  self->up_handle = gst_zc_stream_get_handle (self->up);
  self->down_handle = gst_zc_stream_get_handle (self->down);
  area_grow (self->bytes);
  for (guint i = 0; i < RING; i++) {
    gst_zc_image_init_packed (&self->image_in[i], GST_VIDEO_INFO_FORMAT (info),
        info->width, info->height, 0, area.in[i], NULL, NULL);
    gst_zc_image_init_packed (&self->image_out[i], GST_VIDEO_INFO_FORMAT (info),
        info->width, info->height, 0, area.out[i], NULL, NULL);
  }
}

static void
memory_clear (Memory *self)
{
  gst_zc_stream_unref (self->up);
  gst_zc_stream_unref (self->down);
}

static void
queue_up (Memory *self, guint frame, CUstream stream)
{
  CALL (cuMemcpyHtoDAsync, area.in[frame % RING], area.host_in[frame % RING],
      self->bytes, stream);
}

static void
queue_down (Memory *self, guint frame, CUstream stream)
{
  CALL (cuMemcpyDtoHAsync, area.host_out[frame % RING], area.out[frame % RING],
      self->bytes, stream);
}

static gdouble
us_a_frame (gint64 start, guint n)
{
  return (gdouble) (g_get_monotonic_time () - start) / n;
}

static gdouble
time_up (Memory *self, guint n)
{
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < n; i++)
    queue_up (self, i, self->up_handle);
  CALL (cuStreamSynchronize, self->up_handle);
  return us_a_frame (start, n);
}

static gdouble
time_down (Memory *self, guint n)
{
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < n; i++)
    queue_down (self, i, self->down_handle);
  CALL (cuStreamSynchronize, self->down_handle);
  return us_a_frame (start, n);
}

static gdouble
time_both (Memory *self, guint n)
{
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < n; i++) {
    queue_up (self, i, self->up_handle);
    queue_down (self, i, self->down_handle);
  }
  CALL (cuStreamSynchronize, self->up_handle);
  CALL (cuStreamSynchronize, self->down_handle);
  return us_a_frame (start, n);
}

static gdouble
time_round (Memory *self, guint n)
{
  gint64 start = g_get_monotonic_time ();

  for (guint i = 0; i < n; i++) {
    queue_up (self, i, self->up_handle);
    if (!gst_zc_image_flip (&self->image_out[i % RING],
            &self->image_in[i % RING], GST_VIDEO_ORIENTATION_180, self->up,
            NULL))
      g_error ("a flip failed");
    queue_down (self, i, self->up_handle);
    CALL (cuStreamSynchronize, self->up_handle);
  }
  return us_a_frame (start, n);
}

static gdouble
measure (const Limits *limits, TimeFunc time)
{
  CUcontext popped;
  Memory memory;
  gdouble us;
  guint n;

  CALL (cuCtxPushCurrent, gst_cuda_context_get_handle (limits->context));
  memory_init (&memory, limits);
  time (&memory, RING);
  us = time (&memory, 2 * RING);
  n = MAX (RING, (guint) (limits->seconds / PASSES * 1e6 / us));
  for (guint i = 0; i < PASSES; i++)
    us = MIN (us, time (&memory, n));
  memory_clear (&memory);
  CALL (cuCtxPopCurrent, &popped);
  return us;
}

void
limits_init (Limits *self, GstCudaContext *context, const GstVideoInfo *info,
    gdouble seconds)
{
  *self = (Limits) { .context = context, .info = *info, .seconds = seconds };
}

void
limits_end (void)
{
  CUcontext popped;

  if (area.size == 0)
    return;
  CALL (cuCtxPushCurrent, area.context);
  area_free ();
  CALL (cuCtxPopCurrent, &popped);
}

static const struct
{
  const gchar *name;
  TimeFunc time;
} kinds[LIMIT_KINDS] = {
  [LIMIT_UP] = { "copy up", time_up },
  [LIMIT_DOWN] = { "copy down", time_down },
  [LIMIT_BOTH] = { "copies both ways", time_both },
  [LIMIT_ROUND] = { "copy, kernel, copy", time_round },
};

gdouble
limits_get (Limits *self, LimitKind kind)
{
  if (self->us[kind] == 0 && kinds[kind].time)
    self->us[kind] = measure (self, kinds[kind].time);
  return self->us[kind];
}

const gchar *
limit_name (LimitKind kind)
{
  return kinds[kind].name;
}
